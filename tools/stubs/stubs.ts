import type { Stub } from './draft.ts';
import { endpoint } from './endpoint.ts';
import { module } from './module.ts';
import { page } from './page.ts';
import { table } from './table.ts';
import { task } from './task.ts';

/** Everything `npm run new` writes, with its usage and an example. */
export const stubs: Record<string, { write: Stub; usage: string; example: string }> = {
  endpoint: { write: endpoint, usage: '<module>[.<file>].<verbNoun>', example: 'contacts.invitations.resendInvitation' },
  page: { write: page, usage: '<name of its row> <folder> [<app>]', example: 'accessRequests contacts portal' },
  task: { write: task, usage: '<module>.<verbNoun>', example: 'billing.issueInvoices' },
  table: { write: table, usage: '<module>.<row>', example: 'billing.invoice' },
  module: { write: module, usage: '<name>', example: 'billing' },
};
