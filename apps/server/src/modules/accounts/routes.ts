import { accounts } from '@portal/contract/accounts/accounts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listAccounts } from './accounts.ts';

export const accountRoutes: readonly Implementation[] = [implement(accounts, { listAccounts })];
