import { HOUR_MS, instantBefore, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type ActivityInfo, type Change, type Database, lockByName, type Read } from '../../../platform/database/index.ts';
import { resealRows, type SecretBox } from '../../../platform/secret-box.ts';
import type { TokenAlg } from './clients.ts';
import { announce } from './session-validity.ts';

export type SigningKey = { kid: string; alg: TokenAlg; publicJwk: JWK; privateJwk: JWK; retired: boolean };

const algorithms = ['RS256', 'ES256'] as const;
const nameOf = (kid: string): string => `signing key ${kid}`;

/** The current signing keys, then retired ones whose tokens may still be in use. */
export async function signingKeys(read: Read, box: SecretBox): Promise<SigningKey[]> {
  const rows = await read
    .selectFrom('signingKey')
    .select(['kid', 'alg', 'publicJwk', 'sealedPrivate', 'retiredAt'])
    .orderBy(sql`retired_at is not null`)
    .orderBy('alg', 'desc')
    .orderBy('createdAt', 'desc')
    .execute();
  return rows.map(row => ({
    kid: row.kid,
    alg: row.alg,
    publicJwk: row.publicJwk as JWK,
    privateJwk: JSON.parse(box.open(nameOf(row.kid), row.sealedPrivate).toString()) as JWK,
    retired: row.retiredAt !== null,
  }));
}

/** Reseals the keys from the old SECRET_KEY to the new one. Returns how many. */
export async function resealSigningKeys(change: Change, box: SecretBox): Promise<number> {
  await lockKeys(change);
  return resealRows(
    await change.selectFrom('signingKey').select(['kid', 'sealedPrivate']).execute(),
    ({ kid, sealedPrivate }) => box.reseal(nameOf(kid), sealedPrivate),
    ({ kid }, anew) => change.updateTable('signingKey').set({ sealedPrivate: anew }).where('kid', '=', kid).execute(),
  );
}

async function addKeys(change: Change, box: SecretBox): Promise<void> {
  for (const alg of algorithms) {
    const kid = crypto.randomUUID();
    const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
    const common = { kid, alg, use: 'sig' };
    await change
      .insertInto('signingKey')
      .values({
        kid,
        alg,
        publicJwk: JSON.stringify({ ...publicJwk, ...common }),
        sealedPrivate: box.seal(nameOf(kid), JSON.stringify({ ...privateJwk, ...common })),
        createdAt: change.now,
      })
      .execute();
  }
}

/** Creates the first keys if there are none. Processes that start together agree on one set. */
export async function ensureSigningKeys(db: Database, box: SecretBox, traceId: string): Promise<void> {
  if (await hasKeys(db.read)) return;
  await db.change({ action: 'identity.createKeys', summary: 'Created the keys that sign tokens', traceId }, async change => {
    await lockKeys(change);
    if (!(await hasKeys(change))) await addKeys(change, box);
  });
}

const hasKeys = async (read: Read): Promise<boolean> =>
  (await read.selectFrom('signingKey').select('kid').where('retiredAt', 'is', null).executeTakeFirst()) !== undefined;
const lockKeys = (change: Change): Promise<void> => lockByName(change, 'identity.signingKeys');

/**
 * Signs with new keys from now on. The old ones stay published, so that their tokens remain valid until they expire; keys retired longer ago than a
 * token lives plus an hour are removed. No one is signed out.
 */
export async function rotateSigningKeys(
  db: Database,
  box: SecretBox,
  { tokenSeconds, activity }: { tokenSeconds: number; activity: Pick<ActivityInfo, 'traceId'> & Partial<ActivityInfo> },
): Promise<void> {
  await db.change({ action: 'identity.rotateKeys', summary: 'Replaced the keys that sign tokens', ...activity }, async change => {
    await lockKeys(change);
    const gone = instantBefore(change.now, tokenSeconds * SECOND_MS + HOUR_MS);
    await change.deleteFrom('signingKey').where('retiredAt', '<', gone).execute();
    await change.updateTable('signingKey').set({ retiredAt: change.now }).where('retiredAt', 'is', null).execute();
    await addKeys(change, box);
    await announce(change, { keys: true });
  });
}
