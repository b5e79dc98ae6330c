import { text, word, yesNo, list, permissionsOf, time, date, type ModuleWords, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const accountsWords = {
  rows: {
    account: {
      what: 'Account',
      key: ['account_name'],
      owner: 'account_name',
      name: ['account_name'],
      columns: {
        account_status: word('Status'),
        account_type: word('Type'),
        nir: yesNo('National internet registry'),
        org_name: text('Organisation'),
        economy: text('Economy'),
        member_since: date('Member since'),
        expiry_date: date('Term ends'),
      },
      unsaid: ['account_name', 'statistics_id', 'created_at'],
    },
    contact: {
      what: 'Contact',
      key: ['contact_id'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['full_name'],
      columns: {
        full_name: text('Name'),
        email: text('E-mail'),
        phone: text('Telephone'),
        position: text('Position'),
        contact_types: list('Contact types'),
        permissions: permissionsOf('Permissions', 'users-privileges-view'),
        maintainers: list('Maintainers', 'users-privileges-view'),
        status: stateWord('State'),
        confirmed_at: time('Details confirmed'),
        removed_at: time('Removed'),
        helper_until: time('Helper until'),
      },
      unsaid: ['contact_id', 'account_name', 'login_id', 'version', 'created_at', 'confirmation_asked_at', 'helper_warned_at'],
    },
    account_safety: {
      what: 'Account security',
      key: ['account_name'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['account_name'],
      columns: { security_email: text('Security address'), second_factor_from: date('Second factor demanded from') },
      unsaid: ['account_name', 'version', 'reminded_at', 'review_asked_at'],
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    accounts: typeof accountsWords;
  }
}
