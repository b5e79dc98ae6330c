import { sql } from 'kysely';
import type { StaffCases } from '../roles/index.ts';

const isOpen = sql<boolean>`resolved_at is null`;

/** Open cases that someone has taken. */
export const applicationsOfStaff: StaffCases = {
  beforeOpening: { never: 'an application opens an account of its own, and anyone could hand one in to keep another account closed' },
  open: read =>
    read.rows(
      sql`select reviewer as login_id, count(*)::int as cases from membership_application where reviewer is not null and ${isOpen} group by 1`,
    ),
  handOver: async (change, from, to) =>
    (
      await change.rows(
        sql`update membership_application set reviewer = ${to} where reviewer = ${from} and ${isOpen} returning 1 as handed`,
      )
    ).length,
  kinds: ['applications'],
  handOne: async (change, caseId, { to }) => {
    await change.rows(sql`update membership_application set reviewer = ${to} where membership_application_id = ${Number(caseId)}`);
  },
};
