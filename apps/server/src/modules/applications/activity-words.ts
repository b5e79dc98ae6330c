import type { applications } from '@portal/contract/applications/applications';
import type { referrals } from '@portal/contract/applications/referrals';
import { text, yesNo, list, contact, time, type ModuleWords, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const applicationsWords = {
  activities: {
    applications: {
      category: 'account',
      actions: {
        startApplication: 'Start a membership application',
        saveDraft: 'Save a membership application',
        submitApplication: 'Submit a membership application',
        answerApplication: 'Answer the registry about a membership application',
        withdrawApplication: 'Withdraw a membership application',
        reviewApplication: 'Review a membership application',
        askAboutApplication: 'Ask about a membership application',
        approveApplication: 'Approve a membership application',
        refuseApplication: 'Reject a membership application',
        remindOfDraft: 'Send a reminder of a draft',
        expireDraft: 'Expire a draft',
        remindOfReferral: 'Remind a customer of a referral',
        expireReferral: 'Expire a referral',
      },
    },
    'applications.referrals': {
      category: 'account',
      actions: {
        referCustomer: 'Refer a customer to the registry',
        withdrawReferral: 'Withdraw a referral',
        acceptReferral: 'Accept a referral',
        declineReferral: 'Decline a referral',
      },
    },
  },
  rows: {
    referral: {
      what: 'Referral',
      key: ['referral_id'],
      owner: 'account_name',
      needs: 'tickets-resources-update',
      name: ['org_name'],
      columns: {
        state: stateWord('State'),
        org_name: text('Customer'),
        economy: text('Economy'),
        contact_name: text('Name'),
        contact_email: text('E-mail'),
        phone: text('Telephone'),
        resources: list('Resources'),
        note: text('Note'),
        technical_contact: yesNo('Referrer as technical contact'),
        referred_by: contact('Referred by'),
        expires_at: time('Expires'),
      },
      unsaid: ['referral_id', 'account_name', 'link_id', 'sent_at', 'reminded_at', 'since', 'membership_application_id'],
    },
  },
  unshown: {
    membership_application: 'an applicant’s, who has no account yet',
    application_event: 'an applicant’s',
    reserved_account_name: 'an applicant’s',
  },
} satisfies ModuleWords<{ applications: typeof applications; 'applications.referrals': typeof referrals }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    applications: typeof applicationsWords;
  }
}
