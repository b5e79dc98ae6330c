import { sql } from 'kysely';
import { futureFrom } from '../../../platform/clock-watch.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import { resealRows, type SecretBox } from '../../../platform/secret-box.ts';
import { sealedKeyName } from './cryptography.ts';
import { isInModule, type MadeKey } from './signer.ts';
import { offlineMark } from './trust-anchor-messages.ts';

/** A stored key of an authority. */
export type KeyRow = {
  keyId: number;
  caId: number;
  state: 'new' | 'current' | 'old';
  publicKey: Buffer;
  keyIdentifier: string;
  sealedPrivate: Buffer;
  certificate: Buffer | null;
  certificateSerial: string | null;
  notBefore: string | null;
  notAfter: string | null;
  resources: string[];
  createdAt: string;
  stateSince: string;
};

/** The keys of these authorities that are not destroyed, the current one first. */
export const keysOf = (read: Pick<Read, 'rows'>, caIds: readonly number[]): Promise<KeyRow[]> =>
  read.rows<KeyRow>(sql`select key_id, ca_id, state, public_key, key_identifier, sealed_private, certificate, certificate_serial, not_before, not_after,
    resources, created_at, state_since from rpki_key where ca_id = any(${caIds}::bigint[]) and state <> 'destroyed'
    order by ca_id, array_position(array['current', 'new', 'old'], state)`);

/** Stores a new key. */
export async function addKey(
  change: Change,
  { caId, state, made }: { caId: number; state: KeyRow['state']; made: MadeKey },
): Promise<KeyRow> {
  const sealedPrivate = Buffer.from(made.sealed);
  const [row] = await change.rows<
    Omit<KeyRow, 'state' | 'sealedPrivate'>
  >(sql`insert into rpki_key (ca_id, state, public_key, key_identifier, sealed_private, created_at, state_since)
    values (${caId}, ${state}, ${Buffer.from(made.publicKey)}, ${made.keyIdentifier}, ${sealedPrivate}, ${change.now}::timestamptz, ${change.now}::timestamptz)
    returning key_id, ca_id, public_key, key_identifier, certificate, certificate_serial, not_before, not_after, resources, created_at, state_since`);
  return { ...row!, state, sealedPrivate };
}

export async function setKeyState(change: Change, row: KeyRow, state: KeyRow['state']): Promise<void> {
  await change.rows(sql`update rpki_key set state = ${state}, state_since = ${change.now}::timestamptz where key_id = ${row.keyId}`);
  Object.assign(row, { state, stateSince: change.now });
}

/** Sets steps of rollovers that a wrong clock dated in the future to now: the next step would wait until then, or be taken again and again. */
export async function bringBackFutureRollovers(change: Change, now: Date): Promise<void> {
  const future = sql`${futureFrom(now)}::timestamptz`;
  const at = sql`${now.toISOString()}::timestamptz`;
  await change.rows(sql`update rpki_key set created_at = least(created_at, ${at}), state_since = least(state_since, ${at})
    where state <> 'destroyed' and (created_at > ${future} or state_since > ${future})`);
  await change.rows(sql`update rpki_ca set rollover_requested_at = least(rollover_requested_at, ${at}), activation_requested_at = least(activation_requested_at, ${at})
    where rollover_requested_at > ${future} or activation_requested_at > ${future}`);
}

/** Destroys the private part, but keeps the row. */
export async function destroyKeys(change: Change, keyIds: readonly number[]): Promise<void> {
  await change.rows(sql`update rpki_key set state = 'destroyed', state_since = ${change.now}::timestamptz, sealed_private = null
    where key_id = any(${keyIds}::bigint[]) and state <> 'destroyed'`);
}

/** Reseals keys from the old SECRET_KEY to the new one, and discards keys made ahead. Returns the number of authorities' keys. */
export async function resealRpkiKeys(change: Change, box: SecretBox): Promise<number> {
  await change.rows(sql`delete from rpki_one_time_key`);
  const rows = await change.rows<{ keyId: number; keyIdentifier: string; sealedPrivate: Buffer }>(
    sql`select key_id, key_identifier, sealed_private from rpki_key where state <> 'destroyed' order by key_id for update`,
  );
  return resealRows(
    rows,
    ({ keyIdentifier, sealedPrivate }) =>
      isInModule(sealedPrivate) || sealedPrivate.equals(Buffer.from(offlineMark))
        ? null
        : box.reseal(sealedKeyName(keyIdentifier), sealedPrivate),
    ({ keyId }, anew) => change.rows(sql`update rpki_key set sealed_private = ${anew} where key_id = ${keyId}`),
  );
}
