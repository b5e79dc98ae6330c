import type { whoisConsents } from '@portal/contract/whois/consents';
import type { whoisFollows } from '@portal/contract/whois/follows';
import type { whoisIrts } from '@portal/contract/whois/irts';
import type { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import type { whoisReclaims } from '@portal/contract/whois/reclaims';
import type { whois } from '@portal/contract/whois/whois';
import { text, yesNo, type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const whoisWords = {
  activities: {
    whois: {
      category: 'whois',
      actions: {
        previewUpdates: 'Preview changes of whois objects',
        submitUpdates: 'Change whois objects',
        uploadText: 'Upload whois objects',
        bulkChange: 'Bulk-update whois objects',
        createMaintainer: 'Create a maintainer',
        askToLinkMaintainer: 'Ask to link a maintainer',
        linkMaintainer: 'Enter the code that links a maintainer',
        unlinkMaintainer: 'Unlink a maintainer',
        choosePrincipalMaintainer: 'Choose the principal maintainer',
        grantMaintainer: { words: 'Change who may use a maintainer', category: 'permissions' },
        syncRegistryObjects: 'Sync whois objects with the ledger',
        modifyObjects: 'Change whois objects in a task',
        modify: 'Bulk-update whois objects in a task',
        workOnTask: 'Change whois objects in a task',
        echo: { words: 'Repeat a message', category: 'system' },
      },
    },
    'whois.consents': {
      category: 'whois',
      actions: {
        askForConsent: 'Request consent to a whois update',
        answerConsent: 'Answer a request for consent',
        withdrawConsent: 'Withdraw a request for consent',
        expireConsents: 'Send a reminder of a request for consent, or expire it',
      },
    },
    'whois.maintainerUsers': {
      category: 'permissions',
      actions: {
        keepMaintainerUsers: 'Enter the code that keeps the last users of a maintainer',
        removeDueUsers: 'Remove the last users of a maintainer',
      },
    },
    'whois.follows': {
      category: 'whois',
      actions: {
        follow: 'Follow whois objects',
        unfollow: 'Stop following whois objects',
        notifyFollowers: { words: 'Notify followers of whois objects', category: 'system' },
      },
    },
    'whois.reclaims': { category: 'whois', actions: { reclaimObject: 'Reclaim a whois object' } },
    'whois.irts': {
      category: 'whois',
      actions: {
        sendCode: 'Send a code to an IRT mailbox',
        enterCode: 'Enter the code of an IRT mailbox',
        enterMailedCode: 'Enter the code of an IRT mailbox without signing in',
        attachIrt: 'Set an IRT on resources',
        validateMailboxes: 'Send IRT validation codes and mark unvalidated mailboxes',
      },
    },
  },
  rows: {
    maintainer_link: {
      what: 'Maintainer',
      key: ['account_name', 'maintainer'],
      owner: 'account_name',
      name: ['maintainer'],
      columns: { maintainer: text('Maintainer'), principal: yesNo('Principal') },
      unsaid: ['account_name', 'linked_at'],
    },
  },
  unshown: {
    asked_object: 'what an account asked for its objects; the line of its request says so, and the objects are shown',
    carried_line: 'what a transfer lets go along, until the object of its new holder is made; that object is shown',
    whois_follow: 'a person’s',
    irt_contact: 'an irt’s, for all resources that name it',
    whois_consent: 'what waits for consent; the lines of asking and answering say what it is',
    maintainer_code: 'what waits for a code; the link it becomes is shown',
    maintainer_last_user: 'what waits for a day; that a person lost a maintainer is shown',
  },
} satisfies ModuleWords<{
  whois: typeof whois;
  'whois.consents': typeof whoisConsents;
  'whois.maintainerUsers': typeof whoisMaintainerUsers;
  'whois.follows': typeof whoisFollows;
  'whois.reclaims': typeof whoisReclaims;
  'whois.irts': typeof whoisIrts;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    whois: typeof whoisWords;
  }
}
