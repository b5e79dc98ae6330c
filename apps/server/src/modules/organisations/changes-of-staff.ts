import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { ENDED_WITH_ACCOUNT } from './closing.ts';
import { heldCases, type StaffCases } from '../roles/index.ts';
import { organisationChangeLife } from '@portal/contract/organisations/life';
import { ownersOf } from '../accounts/index.ts';
import { organisationChangeCases } from './organisation-change-cases.ts';
import { referenceOf } from './organisation-changes.ts';

const isOpen = sql<boolean>`resolved_at is null`;

/** Returns that the account had asked to be closed when it was closed for its unpaid term, such as `it had asked to be closed with CLOSE-3`; null if it hadn’t. */
async function closureInWords(read: Read, accountName: string): Promise<string | null> {
  const [row] = await read.rows<{ reference: string }>(sql`
    select 'CLOSE-' || r.account_closure_request_id as reference from account_closure_request r join account a using (account_name)
    where r.account_name = ${accountName} and (r.state = 'closed' or (r.state = 'rejected' and r.resolved_by is null and r.note = ${ENDED_WITH_ACCOUNT}))
      and coalesce(r.ended_at, r.resolved_at)::date > coalesce(a.expiry_date, '-infinity') order by r.account_closure_request_id desc limit 1`);
  return row ? `it had asked to be closed with ${row.reference}` : null;
}

/** Open cases that someone has taken. */
export const changesOfStaff: StaffCases = {
  // Changes of the name or the registration number end with the account.
  beforeOpening: closureInWords,
  open: read =>
    read.rows(
      sql`select 'organisations' as kind, reviewer as login_id, organisation_change_id::text as case_id from organisation_change where reviewer is not null and ${isOpen} order by organisation_change_id`,
    ),
  held: {
    organisations: heldCases({
      cases: organisationChangeCases,
      as: organisationChangeLife.review,
      param: 'changeId',
      nameOf: ({ id }) => referenceOf(id),
      handlerOf: ({ reviewerId }) => reviewerId,
      give: async (change, { id }, to) => {
        await change.updateTable('organisationChange').set({ reviewer: to }).where('organisationChangeId', '=', id).execute();
      },
      ownersOf: async (read, caseId, now) => {
        const [row] = await read.rows<{ accountName: string }>(
          sql`select account_name from organisation_change where organisation_change_id = ${Number(caseId)}`,
        );
        return ownersOf(read, row ? [row.accountName] : [], now);
      },
    }),
  },
};
