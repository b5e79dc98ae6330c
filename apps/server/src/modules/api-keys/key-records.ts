import { type ApiScope, apiScopes } from '@portal/contract/api-scopes';
import { sql } from 'kysely';
import type { Module } from '../../platform/module.ts';

/** Scopes with which a key changes numbers, their objects, zones or routes. */
const writing = (Object.keys(apiScopes) as ApiScope[]).filter(scope =>
  ['whois:write', 'customers:write', 'reverse-dns:write', 'routes:write'].includes(scope),
);

/** Names the API keys that can change the account's numbers, on their page; for corporate contacts, who alone see all of them. */
export const keyRecords: NonNullable<Module['records']>[number] = {
  id: 'api-keys',
  describe: async ({ read, account, byProgram, own, on }, { clock }) => {
    if (!own || on !== null || account.asStaff || byProgram || !account.contactTypes.includes('corporate')) return {};
    const rows = await read.rows<{
      label: string;
    }>(sql`select label from api_key where account_name = ${account.accountName} and revoked_at is null
      and expires_at > ${clock().toISOString()}::timestamptz and scopes && ${writing}::text[] order by label`);
    return rows.length === 0 ? {} : { editors: [{ what: 'API keys', names: rows.map(({ label }) => label) }] };
  },
};
