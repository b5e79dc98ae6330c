import { sql } from 'kysely';
import type { StaffCases } from '../roles/index.ts';

const isOpen = sql<boolean>`resolved_at is null`;

/** Open cases that someone has taken. */
export const changesOfStaff: StaffCases = {
  open: read =>
    read.rows(
      sql`select reviewer as login_id, count(*)::int as cases from organisation_change where reviewer is not null and ${isOpen} group by 1`,
    ),
  handOver: async (change, from, to) =>
    (await change.rows(sql`update organisation_change set reviewer = ${to} where reviewer = ${from} and ${isOpen} returning 1 as handed`))
      .length,
};
