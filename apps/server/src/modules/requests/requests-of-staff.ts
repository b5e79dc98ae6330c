import { requestLife } from '@portal/contract/requests/life';
import { sql } from 'kysely';
import { ownersOf } from '../accounts/index.ts';
import { heldCases, type StaffCases } from '../roles/index.ts';
import { casesOfStaff } from './cases.ts';
import { recoveryInWords } from './recoveries.ts';
import { referenceOf, setReviewer } from './request-row.ts';

const held = heldCases({
  cases: casesOfStaff,
  as: requestLife.review,
  param: 'requestId',
  nameOf: ({ id }) => referenceOf(id),
  handlerOf: ({ reviewerId }) => reviewerId,
  give: setReviewer,
  ownersOf: async (read, caseId, now) => {
    const [row] = await read.rows<{ accountName: string; recipientName: string | null }>(
      sql`select account_name, recipient_name from resource_request where resource_request_id = ${Number(caseId)}`,
    );
    return ownersOf(read, row ? [row.accountName, ...(row.recipientName === null ? [] : [row.recipientName])] : [], now);
  },
});

/** Open requests that someone reviews. */
export const requestsOfStaff: StaffCases = {
  // Transfers and mergers end with the account; a return goes on, and takes nothing that was paid for.
  beforeOpening: recoveryInWords,
  open: read =>
    read.rows(sql`select reviewer as login_id, case when kind in ('transfer', 'acquisition', 'return') then 'transfers' else 'resources' end as kind,
      resource_request_id::text as case_id from resource_request where reviewer is not null and resolved_at is null order by resource_request_id`),
  held: { resources: held, transfers: held },
};
