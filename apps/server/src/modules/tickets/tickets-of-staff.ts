import { sql } from 'kysely';
import type { StaffCases } from '../roles/index.ts';

const isOpen = sql<boolean>`state not in ('resolved', 'rejected')`;

/** Open cases that someone has taken. */
export const ticketsOfStaff: StaffCases = {
  beforeOpening: { never: 'a ticket is a conversation, and decides nothing about the account' },
  open: read =>
    read.rows(sql`select owner as login_id, count(*)::int as cases from ticket where owner is not null and ${isOpen} group by 1`),
  handOver: async (change, from, to) =>
    (await change.rows(sql`update ticket set owner = ${to} where owner = ${from} and ${isOpen} returning 1 as handed`)).length,
  kinds: ['tickets'],
  handOne: async (change, caseId, { to }) => {
    await change.rows(sql`update ticket set owner = ${to} where ticket_id = ${Number(caseId)}`);
  },
};
