import type { nirDelegations } from '@portal/contract/nir/delegations';
import type { nirEntities } from '@portal/contract/nir/entities';
import type { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { date, type ModuleWords, text, word } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const nirWords = {
  activities: {
    'nir.entities': {
      category: 'resources',
      actions: {
        addEntity: 'Add an organisation of a national registry',
        changeEntity: 'Change an organisation of a national registry',
        importEntities: 'Import organisations',
        deleteEntity: 'Delete an organisation of a national registry',
        mergeEntity: 'Merge organisations of a national registry',
        unmergeEntity: 'Separate organisations of a national registry',
        pushEntity: 'Update the whois object of an organisation',
      },
    },
    'nir.subaccounts': {
      category: 'resources',
      actions: {
        addSubaccount: 'Open a sub-account',
        changeSubaccount: 'Change a sub-account',
        closeSubaccount: 'Close a sub-account',
        reopenSubaccount: 'Reopen a sub-account',
      },
    },
    'nir.delegations': {
      category: 'resources',
      actions: {
        previewNirDelegation: 'Preview a delegation to a sub-account',
        addNirDelegation: 'Delegate to a sub-account',
        returnNirDelegation: 'Return a delegation of a sub-account',
        importNirDelegations: 'Import delegations to sub-accounts',
        moveNirDelegations: 'Move delegations between sub-accounts',
      },
    },
  },
  rows: {
    nir_entity: {
      what: 'Organisation of a national registry',
      key: ['entity_id'],
      owner: 'account_name',
      needs: 'resources-view',
      name: ['name'],
      columns: {
        name: text('Name'),
        local_name: text('Local name'),
        registration_number: text('Registration number'),
        address: text('Address'),
        economy: text('Economy'),
        phone: text('Telephone'),
        email: text('E-mail'),
        handle: text('Whois object'),
        remarks: text('Remarks'),
      },
      unsaid: ['entity_id', 'account_name', 'merged_into', 'merged_at', 'merged_subaccounts', 'version', 'updated_at'],
    },
    subaccount: {
      what: 'Sub-account',
      key: ['subaccount_id'],
      owner: 'account_name',
      needs: 'resources-view',
      name: ['name'],
      columns: {
        name: text('Name'),
        status: word('Status'),
        contact_name: text('Contact'),
        email: text('E-mail'),
        remarks: text('Remarks'),
        opened_on: date('Opened'),
        closed_on: date('Closed'),
      },
      unsaid: ['subaccount_id', 'account_name', 'entity_id', 'version', 'updated_at'],
    },
    nir_delegation: {
      what: 'Delegation to a sub-account',
      key: ['nir_delegation_id'],
      owner: 'account_name',
      needs: 'resources-view',
      name: ['resource'],
      columns: { resource: text('Resource'), type: word('Kind'), netname: text('Netname'), delegated_on: date('Delegated') },
      unsaid: [
        'nir_delegation_id',
        'account_name',
        'subaccount_id',
        'kind',
        'first',
        'last',
        'first_as',
        'last_as',
        'size',
        'start',
        'pool',
        'assignment_id',
      ],
    },
  },
} satisfies ModuleWords<{
  'nir.entities': typeof nirEntities;
  'nir.subaccounts': typeof nirSubaccounts;
  'nir.delegations': typeof nirDelegations;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    nir: typeof nirWords;
  }
}
