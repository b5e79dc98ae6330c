import { type AuthorityCertificate, type Decoded, decodeCertificate } from '@portal/rpki-objects';
import { type Authority, rootAuthorities } from '../authorities/authorities.ts';
import { keysOf } from '../authorities/keys.ts';
import { offlineMark } from '../authorities/trust-anchor-messages.ts';
import { rootResources } from '../drafts.ts';
import { directoryOf, type Places } from '../places.ts';
import { certify, type Desk, newKey, openWork, storedBy, type Work } from './authority-work.ts';

/** The trust anchor and the registry's authority, created if missing. */
export async function rootWorks(desk: Desk): Promise<{ trustAnchor: Work; registry: Work }> {
  const { change } = desk;
  const roots = await rootAuthorities(change);
  const rows = await keysOf(change, [roots.trustAnchor.caId, roots.registry.caId]);
  const isOffline = rows.some(
    ({ caId, sealedPrivate }) => caId === roots.trustAnchor.caId && sealedPrivate.equals(Buffer.from(offlineMark)),
  );
  const workOf = async (authority: Authority, issuer: Work | null): Promise<Work> => {
    const row =
      rows.find(({ caId, state }) => caId === authority.caId && state === 'current') ?? (await newKey(desk, authority, 'current'));
    const work = openWork(desk, row, authority, issuer, (await storedBy(change, [row.keyId]))(row.keyId));
    if (!isOffline) certify(desk, work, rootResources);
    // An offline trust anchor's files are imported: neither its manifest nor the registry's certificate can be made here.
    else if (issuer === null) work.isTouched = false;
    return work;
  };
  const trustAnchor = await workOf(roots.trustAnchor, null);
  refusePlacesElsewhere(trustAnchor, desk.places);
  return { trustAnchor, registry: await workOf(roots.registry, trustAnchor) };
}

/** Every certificate names its location, so changing this setting would invalidate all of them. */
function refusePlacesElsewhere({ row, key }: Work, places: Places): void {
  if (!row.certificate) return;
  const { repositoryUri } = decodeCertificate(row.certificate) as Decoded<AuthorityCertificate>;
  if (repositoryUri !== directoryOf(places, key.authority))
    throw new Error(
      `RPKI_RSYNC_BASE is ${places.rsync}, but the trust anchor publishes in ${repositoryUri}. Set it back: every certificate names it.`,
    );
}
