import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { NewAccount } from '../../accounts/index.ts';

/** Opens many accounts in one statement: a statistics file names more than ten thousand holders. */
export async function createAccounts(change: Change, accounts: readonly NewAccount[]): Promise<void> {
  await change.rows(sql`
    insert into account (account_name, account_status, account_type, nir, org_name, economy, statistics_id)
    select account_name, account_status, account_type, account_type = 'confed-nir', org_name, economy, statistics_id
    from unnest(${accounts.map(a => a.accountName)}::text[], ${accounts.map(a => a.accountStatus)}::text[], ${accounts.map(a => a.accountType)}::text[],
      ${accounts.map(a => a.orgName)}::text[], ${accounts.map(a => a.economy)}::text[], ${accounts.map(a => a.statisticsId ?? null)}::text[])
      as a (account_name, account_status, account_type, org_name, economy, statistics_id)`);
}
