import type { resources } from '@portal/contract/resources/resources';
import { text, word, yesNo, date, type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const resourcesWords = {
  activities: {
    resources: { category: 'resources', actions: { importStatistics: 'Import a statistics file' } },
  },
  rows: {
    delegation: {
      what: 'Delegation',
      key: ['delegation_id'],
      owner: 'account_name',
      needs: 'resources-view',
      name: ['resource'],
      columns: {
        resource: text('Resource'),
        size: text('Size'),
        type: word('Type'),
        status: word('Status'),
        source: word('Source'),
        portable: yesNo('Portable'),
        delegated_on: date('Delegated on'),
        hold_until: date('Held until'),
        economy: text('Economy'),
      },
      unsaid: ['delegation_id', 'kind', 'first', 'last', 'first_as', 'last_as', 'account_name', 'registry', 'date_text', 'extensions'],
    },
    assignment: {
      what: 'Registration',
      key: ['assignment_id'],
      owner: 'account_name',
      needs: 'resources-view',
      name: ['resource'],
      columns: {
        resource: text('Resource'),
        size: text('Size'),
        type: word('Type'),
        netname: text('Netname'),
        descr: text('Description'),
        customer: text('Customer'),
        visibility: word('Visibility'),
        economy: text('Economy'),
        registered_on: date('Registered on'),
      },
      unsaid: ['assignment_id', 'delegation_id', 'account_name', 'kind', 'first', 'last', 'level', 'from_whois', 'portable', 'updated_at'],
    },
  },
  unshown: {
    pool: 'space without a holder',
    statistics_file: 'the registry’s',
  },
} satisfies ModuleWords<{ resources: typeof resources }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    resources: typeof resourcesWords;
  }
}
