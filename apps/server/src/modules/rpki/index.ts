export {
  indexInTurns,
  type JudgedAnnouncements,
  tallyOf,
  type ValidatedAnnouncement,
  validateAnnouncements,
  validateBy,
} from './announcement-effect.ts';
export { printAspa } from './aspas.ts';
export { accountsWithRpki, findAuthority } from './authorities/authorities.ts';
export { accountsBeingPublished } from './authorities/due-authorities.ts';
export { resealRpkiKeys } from './authorities/keys.ts';
export { createOfflineTrustAnchor, signTrustAnchorRequest, TrustAnchorRefused } from './authorities/offline-trust-anchor.ts';
export { importTrustAnchor, requestTrustAnchor } from './repository/trust-anchor-exchange.ts';
export { TrustAnchorRequest, TrustAnchorResponse } from './authorities/trust-anchor-messages.ts';
export { announceEntries } from './change-notices.ts';
export { isCertifiedToOwnAuthority } from './children/children.ts';
export {
  carryOutSignatures,
  endRoa,
  type TouchedAspa,
  type TouchedRoa,
  touchedAspas,
  touchedRoas,
} from './handed-over-roas.ts';
export { rpkiModule } from './module.ts';
export { rpkiAlarms } from './repository/alarms.ts';
export { beginAnew, publishAll, publishRepository } from './repository/publisher.ts';
export { otherClock } from './repository/publisher-clock.ts';
export { checkRepository, readRepository } from './repository/repository-check.ts';
export { switchTree } from './repository/rsync-tree.ts';
export { rsyncdConfiguration } from './repository/rsyncd.ts';
export { listVrps, someVrpsAround, vrpsAround, vrpsCovering } from './vrps.ts';
export { checkRoaChanges, type KeptRoa, keptRoas, printRoa } from './roa-changes.ts';
export { effectOfRoas } from './roa-effect.ts';
export { roaPublications, servedSerial } from './roa-publication.ts';
export { changeRoas, roasOf } from './roas.ts';
