import { casePath } from '@portal/contract/staff/case-words';
import { sql } from 'kysely';
import type { RestrainedCases } from '../restraints/index.ts';

/** Closures and changes of the organisation that wait while an account is restrained. */
export const restrainedOrganisations: RestrainedCases = {
  waiting: async (read, accountName) => {
    const closures = await read.rows<{ id: number; closeOn: string }>(sql`
      select account_closure_request_id as id, close_on::text from account_closure_request where account_name = ${accountName} and state in ('submitted', 'approved') order by 1`);
    const changes = await read.rows<{ id: number; wantedValue: string }>(sql`
      select organisation_change_id as id, wanted_value from organisation_change where account_name = ${accountName} and resolved_at is null order by 1`);
    return [
      ...closures.map(({ id, closeOn }) => ({
        reference: `CLOSE-${id}`,
        what: `Closing the account on ${closeOn}`,
        otherParty: null,
        link: casePath({ kind: 'closures', caseId: id }),
      })),
      ...changes.map(({ id, wantedValue }) => ({
        reference: `ORG-${id}`,
        what: `Change of the organisation to ${wantedValue}`,
        otherParty: null,
        link: casePath({ kind: 'organisations', caseId: id }),
      })),
    ];
  },
};
