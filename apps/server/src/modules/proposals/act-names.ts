import { isRowId } from '@portal/contract/row-ids';
import type { ActNames } from '../../platform/act-names.ts';
import { byId, wordsOf } from './proposals.ts';

export const proposalNames: ActNames = {
  'passed proposal': async ({ read, id, account }) => {
    if (!isRowId(id)) return null;
    const row = await byId(read, Number(id));
    // Of an account, or of registry staff.
    return row && row.accountName === account ? wordsOf(row) : null;
  },
};
