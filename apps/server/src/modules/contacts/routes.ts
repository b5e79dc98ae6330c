import { contacts } from '@portal/contract';
import { implement, type Implementation } from '../../platform/endpoints.ts';
import { askForPermission, whoHoldsPermission } from './permission-requests.ts';

export const contactRoutes = ({ appUrl }: { appUrl: string }): Implementation =>
  implement(contacts, {
    whoHoldsPermission: ({ read, account, query }) => whoHoldsPermission(read, account, query.permission),
    askForPermission: ({ change, account, body, caller }) => askForPermission(change, account, body, { asker: caller, appUrl }),
  });
