import type { whoisCustomers } from '@portal/contract/customers/customers';
import { text, word, type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const customersWords = {
  activities: {
    customers: {
      category: 'whois',
      actions: {
        saveCustomer: 'Change a customer',
        previewAssignment: 'Preview an assignment',
        addAssignment: 'Register an assignment',
        changeAssignment: 'Change an assignment',
        returnAssignment: 'Return an assignment',
        importAssignments: 'Import assignments',
      },
    },
  },
  rows: {
    customer: {
      what: 'Customer',
      key: ['account_name', 'customer'],
      owner: 'account_name',
      needs: 'whois-private-objects-view',
      name: ['customer'],
      columns: {
        customer: text('Name'),
        address: text('Address'),
        economy: text('Economy'),
        contact_name: text('Contact'),
        phone: text('Telephone'),
        email: text('E-mail'),
        remarks: text('Remarks'),
        visibility: word('New assignments'),
      },
      unsaid: ['account_name', 'updated_at'],
    },
  },
} satisfies ModuleWords<{ customers: typeof whoisCustomers }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    customers: typeof customersWords;
  }
}
