import { staff } from '@portal/contract';
import { implement } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { accountForStaff } from '../accounts/index.ts';
import { findHolders } from './holders.ts';

export const staffRoutes = implement(staff, {
  findHolders: ({ read, query }) => findHolders(read, query.q),
  getAccount: async ({ read, params }) => {
    const account = await accountForStaff(read, params.accountName);
    if (!account) throw refuse('NOT_FOUND', { what: `Account ${params.accountName}` });
    return account;
  },
});
