export { findAuthority } from './authorities.ts';
export { resealRpkiKeys } from './keys.ts';
export { rpkiModule } from './module.ts';
export { beginAnew, publishAll, publishRepository } from './publisher.ts';
export { checkRepository } from './repository-check.ts';
export { judgeRoaChanges, type KeptRoa, keptRoas, type RoaFacts } from './roa-changes.ts';
export { changeRoas, listRoas, roasOf } from './roas.ts';
export { rsyncdConfiguration } from './rsyncd.ts';
export { listVrps, type PublishedVrp } from './vrps.ts';
