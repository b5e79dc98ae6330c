import { type ApiKey, apiKeyKeptDays, apiKeyUseDays, maxApiKeys } from '@portal/contract/api-keys/api-keys';
import type { ApiScope } from '@portal/contract/api-scopes';
import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Maximum number of keys in an answer: all active ones, and the latest inactive ones. */
const MAX_LISTED = 4 * maxApiKeys;

type Row = {
  apiKeyId: string;
  label: string;
  prefix: string;
  createdBy: string;
  creatorMay: boolean;
  createdAt: string;
  expiresAt: string;
  scopes: ApiScope[];
  networks: string[];
  oldSecretUntil: string | null;
  oldPrefix: string | null;
  oldUseAt: string | null;
  oldUseFrom: string | null;
  madeAt: string;
  revokedAt: string | null;
  lastAt: string | null;
  lastAddress: string | null;
  use: { day: string; calls: number; refused: number }[];
};

/** The keys of an account, active ones first, the newest first; only those that a login created, or the one with this id. */
export async function apiKeysOf(
  read: Pick<Read, 'rows'>,
  { accountName, now, apiKeyId, createdBy }: { accountName: string; now: Date; apiKeyId?: string; createdBy?: string | undefined },
): Promise<ApiKey[]> {
  const firstDay = utcDay(instantBefore(now, (apiKeyUseDays - 1) * DAY_MS));
  const keptFrom = instantBefore(now, apiKeyKeptDays * DAY_MS);
  const rows = await read.rows<Row>(sql`
    select k.api_key_id::text, k.label, s.prefix, s.made_at, l.full_name as created_by, k.created_at, k.expires_at, k.scopes, k.networks::text[], k.revoked_at,
      l.disabled_at is null and l.frozen_at is null and exists (select from contact c where c.account_name = k.account_name and c.login_id = k.login_id
        and c.status = 'active' and c.contact_types && array['corporate', 'technical']) as creator_may,
      o.ends_at as old_secret_until, o.prefix as old_prefix, w.old_at as old_use_at, host(w.old_address) as old_use_from,
      u.last_at, host(u.last_address) as last_address,
      coalesce((select json_agg(json_build_object('day', d.day, 'calls', d.calls, 'refused', d.refused)) from api_key_use d
        where d.api_key_id = k.api_key_id and d.day >= ${firstDay}::date), '[]') as use
    from api_key k
      join login l using (login_id)
      join lateral (select prefix, made_at from api_key_secret where api_key_id = k.api_key_id order by ends_at is null desc, made_at desc limit 1) s on true
      left join lateral (select * from api_key_secret where api_key_id = k.api_key_id and ends_at > ${now.toISOString()}::timestamptz order by ends_at desc limit 1) o on true
      left join lateral (select old_at, old_address from api_key_use where api_key_id = k.api_key_id and o.ends_at is not null and old_at >= s.made_at
        order by day desc limit 1) w on true
      left join lateral (select last_at, last_address from api_key_use where api_key_id = k.api_key_id order by day desc limit 1) u on true
    where k.account_name = ${accountName} and ${apiKeyId === undefined ? sql`coalesce(k.revoked_at, k.expires_at) > ${keptFrom}::timestamptz` : sql`k.api_key_id = ${apiKeyId}::bigint`}
      ${createdBy === undefined ? sql`` : sql`and k.login_id = ${createdBy}`}
    order by k.revoked_at is null and k.expires_at > ${now.toISOString()}::timestamptz desc, k.api_key_id desc limit ${MAX_LISTED}`);
  return rows.map(row => shown(row, now));
}

function shown({ lastAt, lastAddress, use, creatorMay, oldPrefix, oldUseAt, oldUseFrom, madeAt, ...row }: Row, now: Date): ApiKey {
  const callsOn = new Map(use.map(({ day, calls }) => [day, calls]));
  const days = Array.from({ length: apiKeyUseDays }, (_, index) => utcDay(instantBefore(now, (apiKeyUseDays - 1 - index) * DAY_MS)));
  return {
    ...row,
    oldSecret:
      oldPrefix === null
        ? null
        : {
            prefix: oldPrefix,
            replacedAt: madeAt,
            lastUse: oldUseAt === null || oldUseFrom === null ? null : { at: oldUseAt, address: oldUseFrom },
          },
    state: stateOf({ ...row, creatorMay }, now),
    lastUse: lastAt === null || lastAddress === null ? null : { at: lastAt, address: lastAddress },
    calls: days.map(day => callsOn.get(day) ?? 0),
    refusedCalls: use.reduce((sum, { refused }) => sum + refused, 0),
  };
}

function stateOf(
  { revokedAt, expiresAt, creatorMay, oldSecretUntil }: Pick<Row, 'revokedAt' | 'expiresAt' | 'creatorMay' | 'oldSecretUntil'>,
  now: Date,
): ApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  if (Date.parse(expiresAt) <= now.getTime()) return 'expired';
  if (!creatorMay) return 'creator-gone';
  return oldSecretUntil === null ? 'active' : 'rotating';
}
