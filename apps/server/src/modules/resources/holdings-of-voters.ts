import { sql } from 'kysely';
import { mayVote } from '@portal/contract';
import type { Read } from '../../platform/database/index.ts';

/** The address holdings of an account that votes: single addresses of each family, as decimal text. */
export type VoterHoldings = { accountName: string; nir: boolean; ipv4Addresses: string; ipv6Addresses: string };

/** Returns the holdings of every account whose type votes and that is not closed, in one statement. */
export async function holdingsOfVoters(read: Read): Promise<VoterHoldings[]> {
  const rows = await read.rows<VoterHoldings & { accountType: string }>(sql`
    select a.account_name, a.account_type, a.nir, coalesce(sum(d.size) filter (where d.kind = 'ipv4'), 0)::text as ipv4_addresses,
      coalesce(sum(d.size) filter (where d.kind = 'ipv6'), 0)::text as ipv6_addresses
    from account a left join delegation d on d.account_name = a.account_name and d.status <> 'closed'
    where a.account_status <> 'closed' group by a.account_name, a.account_type, a.nir order by a.account_name`);
  return rows.filter(({ accountType }) => mayVote(accountType));
}
