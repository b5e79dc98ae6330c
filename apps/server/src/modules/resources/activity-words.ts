import type { resourceLocks } from '@portal/contract/resources/locks';
import type { resourcePools } from '@portal/contract/resources/pools';
import type { resources } from '@portal/contract/resources/resources';
import { date, type ModuleWords, text, time, word, yesNo } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const resourcesWords = {
  activities: {
    resources: { category: 'resources', actions: { importStatistics: 'Import a statistics file', releaseLock: 'Release a lock' } },
    'resources.locks': {
      category: 'resources',
      actions: {
        addLocks: 'Lock resources',
        requestRelease: 'Ask for the release of a lock',
        confirmRelease: 'Confirm the release of a lock',
        cancelRelease: 'Keep a lock',
        confirmStaffRelease: 'Confirm the release of a member’s lock',
      },
    },
    'resources.pools': {
      category: 'resources',
      actions: {
        reserveRange: 'Reserve numbers of a pool',
        releaseRange: 'Release reserved numbers of a pool',
        setQuarantine: 'Change the end of a quarantine',
      },
    },
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
        purpose: word('Purpose'),
        ends_on: date('Last day'),
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
    resource_lock: {
      what: 'Lock',
      key: ['resource_lock_id'],
      owner: 'account_name',
      needs: 'tickets-resources-view',
      name: ['resource_lock_id'],
      columns: {
        locked_at: time('Locked at'),
        requested_at: time('Release requested at'),
        by_staff: yesNo('Confirmed by registry staff'),
        releases_at: time('Ends at the earliest'),
        released_at: time('Released at'),
      },
      unsaid: ['resource_lock_id', 'account_name', 'delegation_id', 'locked_by', 'requested_by', 'confirmed_by'],
    },
  },
  unshown: {
    locked_part: 'the request that locks and unlocks it says so in its own line',
    pool: 'space without a holder',
    statistics_file: 'the registry’s',
  },
} satisfies ModuleWords<{ resources: typeof resources; 'resources.locks': typeof resourceLocks; 'resources.pools': typeof resourcePools }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    resources: typeof resourcesWords;
  }
}
