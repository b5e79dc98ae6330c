import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { LoginPrograms } from '../identity/index.ts';
import { lockAccount } from '../accounts/index.ts';
import { announceApiKey } from './api-key-notices.ts';

/** The keys a person created, in all accounts: they are listed beside the person's sessions, and revoked there too. */
export const ownKeys: LoginPrograms = {
  list: async (read, { loginId, now }) => {
    const rows = await read.rows<{
      apiKeyId: string;
      label: string;
      accountName: string;
      prefix: string;
      expiresAt: string;
      lastAt: string | null;
      lastAddress: string | null;
    }>(sql`select k.api_key_id::text, k.label, k.account_name, s.prefix, k.expires_at, u.last_at, host(u.last_address) as last_address from api_key k
      join lateral (select prefix from api_key_secret where api_key_id = k.api_key_id order by ends_at is null desc, made_at desc limit 1) s on true
      left join lateral (select last_at, last_address from api_key_use where api_key_id = k.api_key_id order by day desc limit 1) u on true
      where k.login_id = ${loginId} and k.revoked_at is null and k.expires_at > ${now.toISOString()}::timestamptz order by k.account_name, k.api_key_id desc`);
    return rows.map(({ apiKeyId, label, accountName, prefix, expiresAt, lastAt, lastAddress }) => ({
      programId: `api-key-${apiKeyId}`,
      label,
      accountName,
      knownAs: `API key ${prefix}…`,
      lastUse: lastAt === null || lastAddress === null ? null : { at: lastAt, address: lastAddress },
      expiresAt,
    }));
  },
  end: async (db, origin, { loginId, name, programId }) => {
    const apiKeyId = /^api-key-(\d{1,15})$/.exec(programId)?.[1];
    if (apiKeyId === undefined) return false;
    const [own] = await db.read.rows<{ accountName: string }>(
      sql`select account_name from api_key where api_key_id = ${apiKeyId}::bigint and login_id = ${loginId}`,
    );
    if (!own) return false;
    const line = { ...origin, accountName: own.accountName, action: 'apiKeys.revokeApiKey', summary: 'Revoked an API key' };
    return db.change(line, async change => {
      await lockAccount(change, own.accountName);
      const [revoked] = await change.rows<{ label: string }>(sql`update api_key set revoked_at = ${change.now}::timestamptz
        where api_key_id = ${apiKeyId}::bigint and login_id = ${loginId} and revoked_at is null returning label`);
      if (!revoked) return false;
      await change.note({ label: revoked.label });
      await announceApiKey(change, { accountName: own.accountName, apiKeyId, label: revoked.label, act: 'revoked', by: name });
      return true;
    });
  },
};

/** Revokes all keys of a person who is erased. Returns the account of each. */
export const revokeOwnKeys = (change: Change, loginId: string): Promise<{ accountName: string }[]> =>
  change.rows(
    sql`update api_key set revoked_at = ${change.now}::timestamptz where login_id = ${loginId} and revoked_at is null returning account_name`,
  );
