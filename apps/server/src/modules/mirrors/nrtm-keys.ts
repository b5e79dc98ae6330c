import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, lockByName, ownActivity, type Read } from '../../platform/database/index.ts';
import { resealRows, type SecretBox } from '../../platform/secret-box.ts';

/** A key mirrors know us by (draft-ietf-grow-nrtm-v4, 4.1). */
export type NrtmKey = {
  kid: string;
  state: 'current' | 'next';
  /** SubjectPublicKeyInfo in PEM, as mirrors configure it (RFC 7468, section 13). */
  publicPem: string;
  privateJwk: JsonWebKey;
  createdAt: string;
};

const nameOf = (kid: string): string => `nrtm key ${kid}`;
const generate = promisify(generateKeyPair);
/** How many days a new key is announced before it may sign: mirrors that read within this time follow automatically (section 9.6). */
const ANNOUNCED_DAYS = 7;

type Row = { kid: string; state: NrtmKey['state']; publicJwk: unknown; sealedPrivate: Uint8Array; createdAt: string };
const rowsOf = (read: Pick<Read, 'rows'>): Promise<Row[]> =>
  read.rows<Row>(sql`select kid, state, public_jwk, sealed_private, created_at from nrtm_key where state <> 'retired'`);

const pemOf = (jwk: unknown): string =>
  createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

/** The current and the next signing key; the first is created if missing. */
export async function nrtmKeys(db: Database, box: SecretBox): Promise<{ current: NrtmKey; next: NrtmKey | null }> {
  let rows = await rowsOf(db.read);
  if (!rows.some(({ state }) => state === 'current')) {
    await db.change(ownActivity('whois.createMirrorKey', 'Created the key that signs what mirrors read'), async change => {
      await lockKeys(change);
      if (!(await rowsOf(change)).some(({ state }) => state === 'current')) await addKey(change, box, 'current');
    });
    rows = await rowsOf(db.read);
  }
  const keyOf = (row: Row): NrtmKey => ({
    kid: row.kid,
    state: row.state,
    publicPem: pemOf(row.publicJwk),
    privateJwk: JSON.parse(box.open(nameOf(row.kid), row.sealedPrivate).toString()) as JsonWebKey,
    createdAt: row.createdAt,
  });
  const next = rows.find(({ state }) => state === 'next');
  return { current: keyOf(rows.find(({ state }) => state === 'current')!), next: next ? keyOf(next) : null };
}

/** The public key that signs now, in PEM; null before anything was signed. */
export async function nrtmPublicKey(read: Pick<Read, 'rows'>): Promise<string | null> {
  const current = (await rowsOf(read)).find(({ state }) => state === 'current');
  return current ? pemOf(current.publicJwk) : null;
}

export type KeyRotation = { step: 'announced' | 'replaced' | 'waiting'; kid: string; since: string; publicPem: string };

/**
 * Performs one step of a rotation: announces a new key, or, a week after the announcement, signs with it and retires the old one. Before that it only
 * reports since when the new one is announced, unless the old one must go immediately.
 */
export async function rotateNrtmKey(db: Database, box: SecretBox, { now, atOnce }: { now: Date; atOnce: boolean }): Promise<KeyRotation> {
  await nrtmKeys(db, box);
  return db.change(ownActivity('whois.rotateMirrorKey', 'Replaced the key that signs what mirrors read'), async change => {
    await lockKeys(change);
    const next = (await rowsOf(change)).find(({ state }) => state === 'next');
    if (!next) {
      const { kid, publicPem } = await addKey(change, box, 'next');
      if (!atOnce) return { step: 'announced', kid, since: change.now, publicPem };
      await promote(change, kid);
      return { step: 'replaced', kid, since: change.now, publicPem };
    }
    const answer = { kid: next.kid, since: next.createdAt, publicPem: pemOf(next.publicJwk) };
    if (!atOnce && now.getTime() - Date.parse(next.createdAt) < ANNOUNCED_DAYS * DAY_MS) return { step: 'waiting', ...answer };
    await promote(change, next.kid);
    return { step: 'replaced', ...answer };
  });
}

/** Reseals the keys, including retired ones, from the old SECRET_KEY to the new one. Returns how many. */
export async function resealNrtmKeys(change: Change, box: SecretBox): Promise<number> {
  await lockKeys(change);
  return resealRows(
    await change.selectFrom('nrtmKey').select(['kid', 'sealedPrivate']).execute(),
    ({ kid, sealedPrivate }) => box.reseal(nameOf(kid), sealedPrivate),
    ({ kid }, anew) => change.updateTable('nrtmKey').set({ sealedPrivate: anew }).where('kid', '=', kid).execute(),
  );
}

async function promote(change: Change, kid: string): Promise<void> {
  await change.updateTable('nrtmKey').set({ state: 'retired' }).where('state', '=', 'current').execute();
  await change.updateTable('nrtmKey').set({ state: 'current' }).where('kid', '=', kid).execute();
}

async function addKey(change: Change, box: SecretBox, state: NrtmKey['state']): Promise<{ kid: string; publicPem: string }> {
  const kid = crypto.randomUUID();
  const pair = await generate('ec', { namedCurve: 'P-256' });
  const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
  const privateJwk = pair.privateKey.export({ format: 'jwk' });
  await change
    .insertInto('nrtmKey')
    .values({
      kid,
      state,
      publicJwk: JSON.stringify(publicJwk),
      sealedPrivate: box.seal(nameOf(kid), JSON.stringify(privateJwk)),
      createdAt: change.now,
    })
    .execute();
  return { kid, publicPem: pemOf(publicJwk) };
}

const lockKeys = (change: Change): Promise<void> => lockByName(change, 'mirrors.nrtmKeys');

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWS in compact serialisation (RFC 7515, 7.1), ES256: what every mirror can verify. */
export function signJws(payload: object, key: NrtmKey): string {
  const signed = `${part({ alg: 'ES256', kid: key.kid })}.${part(payload)}`;
  const privateKey = createPrivateKey({ key: key.privateJwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
