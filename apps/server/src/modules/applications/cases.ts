import { applicationLife } from '@portal/contract/applications/life';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { byId, detailFor, lockApplication, lockOwnRow, referenceOf, type Row } from './application-row.ts';
import { detailForStaff, found } from './staff-applications.ts';

const what = { what: 'The application' };

/** Applications, moved by their applicant or by registry staff. Staff don’t decide applications of their own. */
export const applicationCases: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, params: { applicationId } }, { who }) => {
    if (who !== 'staff') return lockOwnRow(change, applicationId!, caller);
    const { id } = await found(change, applicationId!);
    await lockApplication(change, id);
    const row = await byId(change, id);
    if (row.resolvedAt !== null) throw refuseWithCurrent(await detailForStaff(change, row), 'ALREADY_RESOLVED', what);
    if (row.loginId === caller.loginId) throw refuse('OWN_REQUEST');
    return row;
  },
  refusal: async (row, { change }, { who, name }) => {
    if (who === 'staff')
      return refuseWithCurrent(await detailForStaff(change, row), 'REQUEST_STATE', {
        reference: referenceOf(row.id),
        state: row.state === 'needs-info' ? 'waiting for an answer of its applicant' : 'in review already',
      });
    return refuseWithCurrent(
      await detailFor(change, row),
      name === applicationLife.withdraw.name ? 'ALREADY_RESOLVED' : 'WITH_REGISTRY',
      what,
    );
  },
};
