import type { whoisConsents } from '@portal/contract/whois/consents';
import type { whoisFollows } from '@portal/contract/whois/follows';
import type { whoisIrts } from '@portal/contract/whois/irts';
import type { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
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
        bulkChange: 'Change whois objects alike',
        createMaintainer: 'Create a maintainer',
        askToLinkMaintainer: 'Ask to link a maintainer',
        linkMaintainer: 'Link a maintainer',
        unlinkMaintainer: 'Unlink a maintainer',
        choosePrincipalMaintainer: 'Choose the principal maintainer',
        grantMaintainer: { words: 'Change who may use a maintainer', category: 'permissions' },
        syncRegistryObjects: 'Bring whois objects in line with the ledger',
        modifyObjects: 'Change whois objects in a task',
        modify: 'Change whois objects alike in a task',
        workOnTask: 'Change whois objects in a task',
        echo: { words: 'Repeat a message', category: 'system' },
      },
    },
    'whois.consents': {
      category: 'whois',
      actions: {
        askForConsent: 'Ask for consent to a whois update',
        answerConsent: 'Agree to a whois update, or refuse it',
        withdrawConsent: 'Withdraw a whois update that waits for consent',
        expireConsents: 'Remind of a whois update that waits for consent, or end it',
      },
    },
    'whois.maintainerUsers': {
      category: 'permissions',
      actions: {
        keepMaintainerUsers: 'Keep the last users of a maintainer',
        removeDueUsers: 'Take the last users off a maintainer',
      },
    },
    'whois.follows': {
      category: 'whois',
      actions: {
        follow: 'Follow whois objects',
        unfollow: 'Stop following whois objects',
        notifyFollowers: { words: 'Tell those who follow whois objects', category: 'system' },
      },
    },
    'whois.irts': {
      category: 'whois',
      actions: {
        sendCode: 'Mail a code to the mailbox of an irt',
        enterCode: 'Enter the code of an irt mailbox',
        enterMailedCode: 'Enter the code of an irt mailbox without signing in',
        attachIrt: 'Name an irt in resources',
        validateMailboxes: 'Ask the mailboxes of irts, and mark those that do not answer',
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
    whois_follow: 'a person’s',
    irt_contact: 'an irt’s, whoever’s resources name it',
    whois_consent: 'what waits for somebody’s word; the lines of asking and answering say what it is',
    maintainer_code: 'what waits for a code; the link it becomes is shown',
    maintainer_last_user: 'what waits for a day; that somebody lost a maintainer is shown',
  },
} satisfies ModuleWords<{
  whois: typeof whois;
  'whois.consents': typeof whoisConsents;
  'whois.maintainerUsers': typeof whoisMaintainerUsers;
  'whois.follows': typeof whoisFollows;
  'whois.irts': typeof whoisIrts;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    whois: typeof whoisWords;
  }
}
