import type { rpkiChecklists } from '@portal/contract/rpki/checklists';
import type { rpkiAspas } from '@portal/contract/rpki/aspas';
import type { rpki } from '@portal/contract/rpki/rpki';
import { list, type ModuleWords, text, time, word } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const rpkiWords = {
  activities: {
    rpki: {
      category: 'resources',
      actions: {
        enable: 'Enable hosted RPKI',
        revoke: 'Revoke the resource certificate',
        checkRoas: 'Check changes of ROAs',
        changeRoas: 'Change ROAs',
        startRollover: 'Start a key rollover',
        activateKey: 'Activate a new key',
        publish: 'Publish the RPKI repository',
        beginSession: 'Begin a session of the RPKI repository',
        noticeLostRoas: 'Stop publishing ROAs',
      },
    },
    'rpki.aspas': {
      category: 'resources',
      actions: {
        checkAspa: 'Check the providers of an AS',
        saveAspa: 'Change the providers of an AS',
        removeAspa: 'Remove the providers of an AS',
      },
    },
    'rpki.checklists': {
      category: 'resources',
      actions: {
        signChecklist: 'Sign a checklist',
        revokeChecklist: 'Revoke a signed checklist',
        verifyChecklist: 'Verify a signed checklist',
      },
    },
  },
  rows: {
    roa: {
      what: 'ROA',
      key: ['roa_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['prefix'],
      columns: {
        prefix: text('Prefix'),
        asn: text('AS number'),
        max_length: text('Maximum length'),
        comment: text('Comment'),
      },
      unsaid: ['account_name', 'roa_id', 'created_at'],
    },
    aspa: {
      what: 'Provider authorisation',
      key: ['aspa_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['customer'],
      columns: {
        customer: text('AS number'),
        providers: list('Providers'),
        comment: text('Comment'),
      },
      unsaid: ['account_name', 'aspa_id', 'created_at', 'changed_at', 'version'],
    },
    rpki_ca: {
      what: 'RPKI',
      key: ['ca_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['handle'],
      columns: {
        state: word('State'),
        enabled_at: time('Enabled'),
        revoked_at: time('Revoked'),
        rollover_requested_at: time('Rollover started'),
        activation_requested_at: time('New key activated'),
      },
      unsaid: ['ca_id', 'kind', 'account_name', 'handle', 'version'],
    },
  },
  unshown: {
    rpki_checklist: 'its line says which resources and files were signed for; the rest is on the page of signed checklists',
    rpki_key: 'keys of authorities: what they do for an account is shown by its ROAs and its certificate',
  },
} satisfies ModuleWords<{ rpki: typeof rpki; 'rpki.aspas': typeof rpkiAspas; 'rpki.checklists': typeof rpkiChecklists }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    rpki: typeof rpkiWords;
  }
}
