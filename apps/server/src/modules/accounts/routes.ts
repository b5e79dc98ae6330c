import { accounts } from '@portal/contract/accounts/accounts';
import { implement } from '../../platform/http/endpoints.ts';
import { listAccounts } from './accounts.ts';

export const accountRoutes = implement(accounts, {
  listAccounts,
});
