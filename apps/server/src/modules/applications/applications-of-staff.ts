import { sql } from 'kysely';
import { heldCases, type StaffCases } from '../roles/index.ts';
import { applicationLife } from '@portal/contract/applications/life';
import { referenceOf } from './application-row.ts';
import { applicationCases } from './cases.ts';

const isOpen = sql<boolean>`resolved_at is null`;

/** Open cases that someone has taken. */
export const applicationsOfStaff: StaffCases = {
  beforeOpening: { never: 'an application opens an account of its own, and anyone could hand one in to keep another account closed' },
  open: read =>
    read.rows(
      sql`select 'applications' as kind, reviewer as login_id, membership_application_id::text as case_id from membership_application where reviewer is not null and ${isOpen} order by membership_application_id`,
    ),
  held: {
    applications: heldCases({
      cases: applicationCases,
      as: applicationLife.review,
      param: 'applicationId',
      nameOf: ({ id }) => referenceOf(id),
      handlerOf: ({ reviewerId }) => reviewerId,
      give: async (change, { id }, to) => {
        await change.updateTable('membershipApplication').set({ reviewer: to }).where('membershipApplicationId', '=', id).execute();
      },
      ownersOf: async (read, caseId) => {
        const rows = await read.rows<{ loginId: string }>(
          sql`select login_id from membership_application where membership_application_id = ${Number(caseId)}`,
        );
        return rows.map(({ loginId }) => loginId);
      },
    }),
  },
};
