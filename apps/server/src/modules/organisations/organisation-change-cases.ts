import { rowNumber } from '@portal/contract/row-ids';
import { registryFields } from '@portal/contract/organisations/changes';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf, Moving } from '../../platform/http/cases.ts';
import { lockAccount, lockOwnAccount, refuseOwnAccount } from '../accounts/index.ts';
import { byId, forMembers, forStaff, referenceOf, type Row, rowsWhere } from './organisation-changes.ts';
import { requireCorporate } from './organisation-row.ts';

const what = { what: 'The request' };

/** A request of the member's account. */
async function ownRow(change: Change, account: NonNullable<Moving['account']>, id: number | null): Promise<Row> {
  await lockOwnAccount(change, account);
  const [row] =
    id === null ? [] : await change.rows(rowsWhere(sql`c.organisation_change_id = ${id} and c.account_name = ${account.accountName}`));
  if (!row) throw refuse('NOT_FOUND', what);
  if (registryFields[row.field].corporate) requireCorporate(account);
  if (row.resolvedAt !== null) throw refuseWithCurrent(forMembers(row), 'ALREADY_RESOLVED', what);
  return row;
}

const waitsFor = ({ state, accountName }: Row): string =>
  state === 'submitted'
    ? 'with the registry, which reviews it next'
    : state === 'in-review'
      ? 'in review: the registry decides it'
      : `waiting for an answer from ${accountName}`;

/** Changes of organisations, moved by contacts of the account or by registry staff who are none. The account is locked first, as in every change of it. */
export const organisationChangeCases: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, caller, params: { changeId } }) => {
    const id = rowNumber(changeId!);
    if (account) return ownRow(change, account, id);
    const found =
      id === null
        ? undefined
        : await change.selectFrom('organisationChange').select('accountName').where('organisationChangeId', '=', id).executeTakeFirst();
    if (id === null || !found) throw refuse('NOT_FOUND', what);
    await lockAccount(change, found.accountName);
    const row = await byId(change, id);
    if (row.resolvedAt !== null) throw refuseWithCurrent(forStaff(row), 'ALREADY_RESOLVED', what);
    await refuseOwnAccount(change, row.accountName, caller);
    await change.concerns(row.accountName);
    return row;
  },
  refusal: async (row, { account }) =>
    refuseWithCurrent(account ? forMembers(row) : forStaff(row), 'REQUEST_STATE', { reference: referenceOf(row.id), state: waitsFor(row) }),
};
