import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import { keyIdentifierOf } from './cryptography.ts';
import type { CaSigner, MadeKey } from './signer.ts';

/** Keys for one signature each: required for manifests (RFC 9286, section 5.1), chosen for all other objects. */
export type OneTimeKeys = {
  /** Returns an unused key. @throws OutOfKeys if there is none left */
  take: () => MadeKey;
  /** Prepares so many keys: from the pool, or made now if it is empty. */
  prepare: (count: number) => Promise<void>;
};

/** Thrown while a publication is assembled: it is restarted once more keys are ready. */
export class OutOfKeys extends Error {}

const atHand = new WeakMap<Database, MadeKey[]>();

/**
 * Keys at hand in this process. They leave the pool for good before they are used: a crash, or a publication that is rolled back, can lose keys and never
 * uses one twice.
 */
export function openOneTimeKeys(db: Database, signer: CaSigner): OneTimeKeys {
  const ready = atHand.get(db) ?? [];
  atHand.set(db, ready);
  return {
    take: () => {
      const key = ready.pop();
      if (!key) throw new OutOfKeys('No one-time key is ready.');
      return key;
    },
    prepare: async count => {
      const missing = count - ready.length;
      if (missing <= 0) return;
      const taken = await takeFromPool(db, missing);
      ready.push(...taken, ...(await signer.createKeys(missing - taken.length)));
    },
  };
}

async function takeFromPool(db: Database, count: number): Promise<MadeKey[]> {
  const { rows } = await sql<{ publicKey: Buffer; sealedPrivate: Buffer }>`delete from rpki_one_time_key where one_time_key_id in
    (select one_time_key_id from rpki_one_time_key order by one_time_key_id limit ${count} for update skip locked)
    returning public_key, sealed_private`.execute(db.unrecorded);
  return rows.map(({ publicKey, sealedPrivate }) => ({
    publicKey,
    sealed: sealedPrivate,
    keyIdentifier: keyIdentifierOf(publicKey),
  }));
}

/** Keys made at a time, so that the thread can serve other requests in between. */
const AT_ONCE = 5;

/** Fills the pool up to so many keys until stopped. Returns how many it made. */
export async function fillPool(
  db: Database,
  signer: CaSigner,
  { upTo, now, stopped }: { upTo: number; now: () => Date; stopped: () => boolean },
): Promise<number> {
  let made = 0;
  for (;;) {
    const [pool] = await db.read.rows<{ keys: number }>(sql`select count(*)::int as keys from rpki_one_time_key`);
    const missing = upTo - pool!.keys;
    if (missing <= 0 || stopped()) return made;
    const keys = await signer.createKeys(Math.min(AT_ONCE, missing));
    await sql`insert into rpki_one_time_key (public_key, sealed_private, made_at)
      select public_key, sealed_private, ${now().toISOString()}::timestamptz
      from unnest(${keys.map(({ publicKey }) => Buffer.from(publicKey))}::bytea[], ${keys.map(({ sealed }) => Buffer.from(sealed))}::bytea[])
        as made (public_key, sealed_private)`.execute(db.unrecorded);
    made += keys.length;
  }
}
