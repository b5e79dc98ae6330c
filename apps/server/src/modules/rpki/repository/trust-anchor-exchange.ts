import { utcDay } from '@portal/contract/days';
import { decodeCertificate, decodeCrl, decodeManifest, decodeSignedObject, ProfileError } from '@portal/rpki-objects';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { type Change, inTurn, ownActivity, type Read, takeTurn } from '../../../platform/database/index.ts';
import type { Config } from '../../../config.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { ModuleContext } from '../../../platform/module.ts';
import { rootAuthorities } from '../authorities/authorities.ts';
import { nodeCryptography } from '../authorities/cryptography.ts';
import { certificateUri, rootResources } from '../drafts.ts';
import { addKey, type KeyRow, keysOf } from '../authorities/keys.ts';
import { validateTrustAnchorFiles, TrustAnchorRefused } from '../authorities/offline-trust-anchor.ts';
import { placesOf } from '../places.ts';
import { type FileChange, recordPublication } from './rrdp-records.ts';
import { caSigner } from '../authorities/signing-system.ts';
import { offlineMark, readFileOf, type TrustAnchorRequest, TrustAnchorResponse } from '../authorities/trust-anchor-messages.ts';
import { listResources, printResource } from '@portal/number-resources';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { rpkiDesk } from '@portal/contract/rpki/desk';

type Exchange = Pick<ModuleContext, 'db' | 'config' | 'clock' | 'outside' | 'profile'>;

/** Returns whether the trust anchor of this registry is on another machine, and whether it has certified the registry. */
export async function trustAnchorState(read: Pick<Read, 'rows'>): Promise<{ isOffline: boolean; isCertified: boolean }> {
  const [row] = await read.rows<{ isOffline: boolean; isCertified: boolean }>(sql`select
    coalesce(bool_or(k.sealed_private = ${Buffer.from(offlineMark)}), false) as is_offline, coalesce(bool_or(k.certificate is not null), false) as is_certified
    from rpki_key k join rpki_ca c using (ca_id) where c.kind = 'trust-anchor' and k.state <> 'destroyed'`);
  return row!;
}

/** Prints the request for the offline machine; the first one makes the registry's key. @throws TrustAnchorRefused if the trust anchor is online */
export async function requestTrustAnchor({ db, config, clock, outside, profile }: Exchange): Promise<TrustAnchorRequest> {
  if (config.rpkiTrustAnchor !== 'offline')
    throw new TrustAnchorRefused(
      'The trust anchor of this registry is online. RPKI_TRUST_ANCHOR=offline, before the first publication, keeps it on another machine.',
    );
  const { isOffline, isCertified } = await trustAnchorState(db.read);
  if (isCertified && !isOffline)
    throw new TrustAnchorRefused('The trust anchor of this registry is online already: relying parties know its key.');
  return inTurn(db, 'rpki publication', () =>
    db.change(ownActivity('rpki.requestTrustAnchor', 'Asked the offline trust anchor to certify the registry'), async change => {
      const { registry } = await rootAuthorities(change);
      const [present] = await keysOf(change, [registry.caId]);
      if (!present)
        await addKey(change, { caId: registry.caId, state: 'current', made: await outside(caSigner).createAuthorityKey('registry') });
      return requestIn(change, { config, clock, profile });
    }),
  );
}

/** Makes the request within a change, once the registry has its key, and records that a response is awaited. */
async function requestIn(
  change: Change,
  { config, clock, profile }: Pick<Exchange, 'config' | 'clock' | 'profile'>,
): Promise<TrustAnchorRequest> {
  const { trustAnchor, registry } = await rootAuthorities(change);
  const [key] = await keysOf(change, [registry.caId]);
  const [last] = await change.rows<{ number: number; thisUpdate: string }>(
    sql`select m.number, m.this_update from rpki_manifest m join rpki_key k using (key_id) where k.ca_id = ${trustAnchor.caId}`,
  );
  await change.rows(sql`update rpki_ca set response_awaited_since = ${change.now}::timestamptz where ca_id = ${trustAnchor.caId}`);
  return {
    kind: 'trust-anchor-request',
    registryName: profile.registryName,
    madeAt: clock().toISOString(),
    places: placesOf(config),
    registry: { handle: registry.handle, publicKey: key!.publicKey.toString('base64') },
    last: last ? { number: last.number, thisUpdate: new Date(last.thisUpdate).toISOString() } : null,
  };
}

/**
 * Refuses people at the desk if the trust anchor is online, or has not signed for the first time: the first request makes the registry's key, which the web
 * role never does, and the first response decides which key relying parties trust.
 * @throws Failure TRUST_ANCHOR_ONLINE, TRUST_ANCHOR_NOT_SET_UP
 */
async function refuseUnlessSetUp(change: Change, { rpkiTrustAnchor }: Pick<Config, 'rpkiTrustAnchor'>): Promise<void> {
  const { isOffline, isCertified } = await trustAnchorState(change);
  if (rpkiTrustAnchor !== 'offline' || (isCertified && !isOffline)) throw refuse('TRUST_ANCHOR_ONLINE');
  if (!isCertified) throw refuse('TRUST_ANCHOR_NOT_SET_UP');
}

/** Makes a request file at the desk. @throws Failure TRUST_ANCHOR_ONLINE, TRUST_ANCHOR_NOT_SET_UP */
export async function requestSignature({
  change,
  registry,
}: Act<typeof rpkiDesk.requestSignature>): Promise<{ fileName: string; content: string }> {
  await refuseUnlessSetUp(change, registry.config);
  const request = await requestIn(change, registry);
  return {
    fileName: `trust-anchor-request-${utcDay(request.madeAt)}.json`,
    content: `${JSON.stringify(request, null, 2)}\n`,
  };
}

/** Publishes a response file that was uploaded at the desk. @throws Failure INVALID_REQUEST, TRUST_ANCHOR_ONLINE, TRUST_ANCHOR_NOT_SET_UP */
export async function importSignature({
  change,
  body: { response: text },
  registry,
}: Act<typeof rpkiDesk.importSignature>): Promise<{ serial: number; nextUpdate: string }> {
  await refuseUnlessSetUp(change, registry.config);
  const response = readResponse(text);
  try {
    validateResponse(response, registry);
    await takeTurn(change, 'rpki publication');
    return { serial: await importIn(change, response, registry), nextUpdate: response.manifest.nextUpdate };
  } catch (error) {
    if (error instanceof TrustAnchorRefused || error instanceof ProfileError) throw refuseField('response', error.message);
    throw error;
  }
}

function readResponse(text: string): TrustAnchorResponse {
  try {
    return z.parse(TrustAnchorResponse, JSON.parse(text));
  } catch {
    throw refuseField('response', 'This isn’t a response file. Choose the file that "registry rpki ta sign" wrote');
  }
}

/** Publishes the offline trust anchor's files, after validating them as a relying party does. Returns the serial. @throws TrustAnchorRefused, ProfileError */
export async function importTrustAnchor({ db, config, clock }: Exchange, response: TrustAnchorResponse): Promise<number> {
  validateResponse(response, { config, clock });
  return inTurn(db, 'rpki publication', () =>
    db.change(ownActivity('rpki.importTrustAnchor', 'Published what the offline trust anchor signed'), change =>
      importIn(change, response, { config, clock }),
    ),
  );
}

/** Validates a response as a relying party does. Returns its files and the registry's certificate. @throws TrustAnchorRefused, ProfileError */
function validateResponse(response: TrustAnchorResponse, { config, clock }: Pick<Exchange, 'config' | 'clock'>) {
  const places = placesOf(config);
  if (response.places.rsync !== places.rsync || response.places.notification !== places.notification)
    throw new TrustAnchorRefused(`The response is for ${response.places.rsync}, and this registry publishes at ${places.rsync}.`);
  const files = response.files.map(readFileOf);
  const publicKey = Buffer.from(response.publicKey, 'base64');
  refuseOtherFacts(response, files);
  const certified = validateTrustAnchorFiles(files, new Uint8Array(publicKey), clock());
  return { places, files, publicKey, certified };
}

/** Checks that the facts in a response, which are stored, match its files. @throws TrustAnchorRefused, ProfileError */
function refuseOtherFacts({ manifest }: TrustAnchorResponse, files: readonly ReturnType<typeof readFileOf>[]): void {
  for (const { uri, kind, content, sha256, serial, modifiedAt, notAfter } of files) {
    const refuseUnless = (isRight: boolean): void => {
      if (!isRight)
        throw new TrustAnchorRefused(`The response says something else about ${uri} than the file itself. Sign the request again.`);
    };
    refuseUnless(Buffer.from(nodeCryptography.sha256(content)).equals(sha256));
    if (kind === 'crl') {
      const { thisUpdate, nextUpdate } = decodeCrl(content);
      refuseUnless(+thisUpdate === +modifiedAt && +nextUpdate === +notAfter);
      continue;
    }
    const signed = kind === 'manifest' ? decodeSignedObject(content, 'manifest') : null;
    const certificate = signed?.certificate ?? decodeCertificate(content);
    refuseUnless(certificate.serial === BigInt(`0x${serial}`) && +certificate.notAfter === +notAfter);
    refuseUnless(+(signed?.signedAt ?? certificate.notBefore) === +modifiedAt);
    if (!signed) continue;
    const { number, thisUpdate, nextUpdate } = decodeManifest(signed.content);
    refuseUnless(
      number === BigInt(manifest.number) &&
        +thisUpdate === Date.parse(manifest.thisUpdate) &&
        +nextUpdate === Date.parse(manifest.nextUpdate),
    );
  }
}

/** Publishes it within a change, in its turn. Returns the serial. @throws TrustAnchorRefused, ProfileError */
async function importIn(change: Change, response: TrustAnchorResponse, exchange: Pick<Exchange, 'config' | 'clock'>): Promise<number> {
  const { places, files, publicKey, certified } = validateResponse(response, exchange);
  const { trustAnchor, registry } = await rootAuthorities(change);
  const rows = await keysOf(change, [trustAnchor.caId, registry.caId]);
  const registryKey = rows.find(({ caId }) => caId === registry.caId);
  if (!registryKey || !registryKey.publicKey.equals(Buffer.from(certified.publicKey)))
    throw new TrustAnchorRefused('The response certifies another key than that of this registry. Make a new request.');
  const known = rows.find(({ caId }) => caId === trustAnchor.caId);
  if (known && !known.publicKey.equals(publicKey))
    throw new TrustAnchorRefused('The response is from another trust anchor than the one relying parties know.');
  const anchorKey: KeyRow =
    known ??
    (await addKey(change, {
      caId: trustAnchor.caId,
      state: 'current',
      made: { publicKey: new Uint8Array(publicKey), keyIdentifier: response.keyIdentifier, sealed: Buffer.from(offlineMark) },
    }));
  const [last] = await change.rows<{ number: number }>(sql`select number from rpki_manifest where key_id = ${anchorKey.keyId}`);
  if (last && last.number >= response.manifest.number)
    throw new TrustAnchorRefused(`Manifest ${response.manifest.number} was imported already, or a later one (${last.number}).`);
  const before = new Map(
    (
      await change.rows<{ uri: string; sha256: Buffer }>(
        sql`select uri, sha256 from rpki_object where uri = any(${files.map(({ uri }) => uri)}::text[])`,
      )
    ).map(({ uri, sha256 }) => [uri, sha256]),
  );
  const changes: FileChange[] = files
    .filter(({ kind }) => kind !== 'trust-anchor')
    .map(({ uri, content }) => ({ uri, before: before.get(uri) ?? null, after: content }));
  const { serial } = await recordPublication(change, changes, async as => {
    for (const { uri, kind, content, sha256, modifiedAt, serial: own, notAfter, subject } of files)
      await change.rows(sql`insert into rpki_object (uri, key_id, kind, content, sha256, modified_at, serial, not_before, not_after, subject, roa_ids, published_in)
        values (${uri}, ${anchorKey.keyId}, ${kind}, ${Buffer.from(content)}, ${Buffer.from(sha256)}, ${modifiedAt.toISOString()}::timestamptz, ${own},
          ${kind === 'manifest' ? response.manifest.thisUpdate : modifiedAt.toISOString()}::timestamptz, ${notAfter.toISOString()}::timestamptz, ${subject}, '{}', ${as.serial})
        on conflict (uri) do update set key_id = excluded.key_id, content = excluded.content, sha256 = excluded.sha256, modified_at = excluded.modified_at,
          serial = excluded.serial, not_before = excluded.not_before, not_after = excluded.not_after, published_in = excluded.published_in`);
  });
  const { number, thisUpdate, nextUpdate } = response.manifest;
  await change.rows(sql`insert into rpki_manifest (key_id, number, this_update, next_update)
    values (${anchorKey.keyId}, ${number}, ${thisUpdate}::timestamptz, ${nextUpdate}::timestamptz)
    on conflict (key_id) do update set number = excluded.number, this_update = excluded.this_update, next_update = excluded.next_update`);
  const resources = listResources(rootResources).map(printResource);
  for (const [row, uri] of [
    [anchorKey, certificateUri({ authority: trustAnchor, ...keyOf(anchorKey) }, null, places)],
    [registryKey, certificateUri({ authority: registry, ...keyOf(registryKey) }, { authority: trustAnchor, ...keyOf(anchorKey) }, places)],
  ] as const) {
    const file = files.find(each => each.uri === uri);
    if (!file) throw new TrustAnchorRefused(`${uri} is missing in the response.`);
    await change.rows(sql`update rpki_key set certificate = ${Buffer.from(file.content)}, certificate_serial = ${file.serial},
      not_before = ${file.modifiedAt.toISOString()}::timestamptz, not_after = ${file.notAfter.toISOString()}::timestamptz, resources = ${resources}::text[]
      where key_id = ${row.keyId}`);
  }
  await change.rows(sql`update rpki_ca set response_awaited_since = null where ca_id = ${trustAnchor.caId}`);
  await change.rows(sql`select pg_notify('rpki', '')`);
  await change.note({ serial, manifest: number });
  return serial;
}

const keyOf = ({ publicKey, keyIdentifier, sealedPrivate }: KeyRow) => ({ publicKey, keyIdentifier, sealed: sealedPrivate });
