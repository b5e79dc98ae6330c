import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@portal/contract/days';
import { decodeSignedObject, type ObjectType, printHex, type SignedObject } from '@portal/rpki-objects';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import type { CaSigner } from '../authorities/signer.ts';
import { caSigner } from '../authorities/signing-system.ts';
import { publishAll } from './publisher.ts';
import { checkRepository } from './repository-check.ts';
import { listVrps } from '../vrps.ts';

const account = 'EXAMPLE-AU';
const PREFIXES = ['198.18.0.0/19', '198.18.64.0/24', '2001:db8::/32'];
let portal: TestPortal;
let corin: Awaited<ReturnType<TestPortal['as']>>;
let now = Date.now();
/** Signatures requested since the last call: by one-time keys, and by others. */
const signed = { once: 0, again: 0 };
/** Publishes with a counting signer, and validates the result as a relying party does. */
async function publish(): Promise<{ once: number; again: number; vrps: string[] }> {
  Object.assign(signed, { once: 0, again: 0 });
  const signer = portal.context.outside(caSigner);
  const counting: CaSigner = {
    ...signer,
    sign: wanted => {
      for (const { isOnce } of wanted) signed[isOnce ? 'once' : 'again']++;
      return signer.sign(wanted);
    },
  };
  const outside = ((port: never) =>
    (port as unknown) === caSigner ? counting : portal.context.outside(port)) as typeof portal.context.outside;
  await publishAll({ ...portal.context, outside });
  expect((await checkRepository(portal.db.read, new Date(now))).problems).toEqual([]);
  const vrps = (await listVrps(portal.db.read)).map(({ asn, prefix, maxLength }) => `AS${asn} ${prefix}-${maxLength}`);
  return { ...signed, vrps };
}

type Kept = { uri: string; kind: string; subject: string; content: Buffer; serial: string; keyId: number; modifiedAt: string };
/** Parsed objects of the account by their content. */
const objects = async (): Promise<Map<string, Kept & { object: SignedObject }>> => {
  const rows = await portal.db.read.rows<Kept>(sql`select uri, kind, subject, content, serial, key_id, modified_at from rpki_object
    where kind in ('roa', 'aspa') and key_id in (select key_id from rpki_key join rpki_ca using (ca_id) where account_name = ${account})`);
  return new Map(
    rows.map(row => [`${row.kind} ${row.subject}`, { ...row, object: decodeSignedObject(row.content, row.kind as ObjectType) }]),
  );
};
/** Returns the signed part and its one-time key. */
const signatureOf = ({ content, certificate, attributes, signature }: SignedObject) =>
  [content, certificate.publicKey, attributes, signature].map(printHex);

beforeAll(async () => {
  portal = await testPortal(undefined, {}, () => new Date(now));
  corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  await publish();
  const { version } = (await corin(api.rpki.listRoas, { account })).data!;
  const add = PREFIXES.map(prefix => ({ prefix, asn: 'AS64500' }));
  expect((await corin(api.rpki.changeRoas, { account, body: { version, add, remove: [] } })).errors).toBeUndefined();
  const aspa = { customer: 'AS64500', providers: ['AS64501'], version: 0, comment: '' };
  expect((await corin(api.rpkiAspas.saveAspa, { account, body: aspa })).errors).toBeUndefined();
  await publish();
  expect((await objects()).size).toBe(PREFIXES.length + 1);
});
afterAll(() => portal[Symbol.asyncDispose]());

test('an object with an expiring certificate gets a new one for the same key and signature, without signing again', async () => {
  const before = await objects();
  now += 340 * DAY_MS;
  corin = await portal.as('corin');
  const { vrps, once, again } = await publish();
  expect(vrps).toHaveLength(PREFIXES.length);
  const after = await objects();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [subject, { object, uri, serial, modifiedAt }] of after) {
    const old = before.get(subject)!;
    expect(signatureOf(object)).toEqual(signatureOf(old.object));
    expect(object.certificate.serial).not.toBe(old.object.certificate.serial);
    expect(object.certificate.notAfter.getTime()).toBeGreaterThan(now + 200 * DAY_MS);
    // Under another name: rsync takes a file of the same name, size and time for the same file.
    expect(uri).not.toBe(old.uri);
    expect(object.certificate).toMatchObject({ objectUri: uri });
    expect(Date.parse(modifiedAt)).toBe(object.signedAt.getTime());
    const [revoked] = await portal.db.read.rows<{ revokedAt: string | null }>(
      sql`select revoked_at from rpki_certificate where serial = ${old.serial} and key_id = ${old.keyId}`,
    );
    expect(revoked!.revokedAt).not.toBeNull();
    expect(serial).not.toBe(old.serial);
  }
  // Manifests of the trust anchor, the registry and the member; their certificates, CRLs, the member's and one for each object.
  expect(once).toBe(3);
  expect(again).toBeGreaterThanOrEqual(after.size + 2 * 3);
});

test('after a rollover the objects are certified by the next key, and only manifests are signed', async () => {
  const before = await objects();
  await corin(api.rpki.startRollover, { account });
  await publish();
  now += 25 * HOUR_MS;
  corin = await portal.as('corin');
  await publish();
  expect((await corin(api.rpki.activateKey, { account })).errors).toBeUndefined();
  const { vrps, once } = await publish();
  expect(vrps).toHaveLength(PREFIXES.length);
  const after = await objects();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [subject, { object, keyId }] of after) {
    const old = before.get(subject)!;
    expect(signatureOf(object)).toEqual(signatureOf(old.object));
    expect(keyId).not.toBe(old.keyId);
    expect(object.certificate.issuer).not.toBe(old.object.certificate.issuer);
  }
  // For both keys of the account.
  expect(once).toBe(2);
});

test('an object with other content is signed by a new key', async () => {
  const before = await objects();
  now += SECOND_MS;
  const { rows, version } = (await corin(api.rpki.listRoas, { account })).data!;
  const one = rows.find(({ prefix }) => prefix === '198.18.64.0/24')!;
  const body = { version, add: [{ prefix: one.prefix, asn: 'AS64500', maxLength: 26 }], remove: [one.roaId] };
  expect((await corin(api.rpki.changeRoas, { account, body })).errors).toBeUndefined();
  const { vrps } = await publish();
  expect(vrps).toContain('AS64500 198.18.64.0/24-26');
  const [subject] = [...before.keys()].filter(key => key.includes('198.18.64.0/24'));
  const [old, made] = [before.get(subject!)!.object, (await objects()).get(subject!)!.object];
  expect(printHex(made.certificate.publicKey)).not.toBe(printHex(old.certificate.publicKey));
});

test('no one-time key ever signs twice, whatever is published', async () => {
  const seen = new Map<string, string>();
  const history = await portal.db.read.rows<{ kind: string; content: Buffer }>(
    sql`select kind, content from rpki_object where kind in ('roa', 'aspa', 'manifest')`,
  );
  for (const { kind, content } of history) {
    const object = decodeSignedObject(content, kind as ObjectType);
    const [said, key] = signatureOf(object);
    expect(seen.get(key!) ?? said).toBe(said);
    seen.set(key!, said!);
  }
});
