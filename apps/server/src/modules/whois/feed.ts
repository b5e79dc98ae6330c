import { sql } from 'kysely';
import type { Feed } from '../../platform/module.ts';

/** Whois on port 43, the IRR protocol and RDAP answer from the database; the ledger is written there account by account. */
export const whoisFeed: Feed = {
  name: 'whois',
  title: 'Whois, IRR and RDAP',
  role: 'whois',
  usual: () => 15,
  asOf: async ({ db, clock }) => {
    const [row] = await db.read.rows<{ since: string | null }>(sql`select min(noticed_at) as since from whois_due_account`);
    return row!.since ?? clock().toISOString();
  },
};
