import type { rpkiChecklists } from '@portal/contract/rpki/checklists';
import type { rpkiAspas } from '@portal/contract/rpki/aspas';
import type { rpkiDesk } from '@portal/contract/rpki/desk';
import type { rpki } from '@portal/contract/rpki/rpki';
import type { rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import { list, type ModuleWords, text, time, stateWord } from '../../platform/activity-words.ts';

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
        requestTrustAnchor: 'Ask the offline trust anchor to certify the registry',
        importTrustAnchor: 'Publish what the offline trust anchor signed',
        noticeLostRoas: 'Stop publishing ROAs',
        noticeSuspension: 'Notify of the day on which RPKI is withdrawn',
        warnOfEndingFiles: 'Warn of published files that end',
        warnOfLeftOutFiles: 'Warn of RPKI files that are left out',
        judgeSelfHosted: 'Judge what a self-hosted authority publishes',
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
    'rpki.desk': {
      category: 'resources',
      actions: {
        requestSignature: 'Make a request file for the offline trust anchor',
        importSignature: 'Publish what the offline trust anchor signed',
      },
    },
    'rpki.selfHosted': {
      category: 'resources',
      actions: {
        connect: 'Connect a self-hosted certificate authority',
        publishHere: 'Let a self-hosted certificate authority publish',
        disconnect: 'Disconnect a self-hosted certificate authority',
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
    rpki_child: {
      what: 'Self-hosted certificate authority',
      key: ['child_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['child_handle'],
      columns: {
        state: stateWord('State'),
        child_handle: text('Handle'),
        publisher_handle: text('Publishes here as'),
        removed_at: time('Disconnected'),
      },
      unsaid: ['child_id', 'account_name', 'handle', 'child_tag', 'identity', 'publisher_tag', 'publisher_identity', 'created_at'],
    },
    rpki_ca: {
      what: 'RPKI',
      key: ['ca_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['handle'],
      columns: {
        state: stateWord('State'),
        enabled_at: time('Enabled'),
        revoked_at: time('Revoked'),
        rollover_requested_at: time('Rollover started'),
        activation_requested_at: time('New key activated'),
      },
      unsaid: ['ca_id', 'kind', 'account_name', 'handle', 'version', 'response_awaited_since'],
    },
  },
  unshown: {
    rpki_child_key: 'keys of self-hosted authorities: what is certified for them is on the page RPKI',
    rpki_child_judgement: 'derived from what a self-hosted authority publishes, which the page RPKI shows',
    rpki_left_out: 'since when files are left out, which the log says in a line of its own, and the page RPKI shows',
    rpki_child_vrp: 'derived from what a self-hosted authority publishes, which the page RPKI shows',
    rpki_checklist: 'its line says which resources and files were signed for; the rest is on the page of signed checklists',
    rpki_suspension: 'kept by the publisher while an account is suspended; the page RPKI shows its day',
    rpki_key: 'keys of authorities: what they do for an account is shown by its ROAs and its certificate',
  },
} satisfies ModuleWords<{
  rpki: typeof rpki;
  'rpki.aspas': typeof rpkiAspas;
  'rpki.checklists': typeof rpkiChecklists;
  'rpki.desk': typeof rpkiDesk;
  'rpki.selfHosted': typeof rpkiSelfHosted;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    rpki: typeof rpkiWords;
  }
}
