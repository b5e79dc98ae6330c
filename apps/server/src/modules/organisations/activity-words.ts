import type { organisationChanges } from '@portal/contract/organisations/changes';
import type { accountClosures } from '@portal/contract/organisations/closures';
import type { organisations } from '@portal/contract/organisations/organisations';
import { contact, date, list, type ModuleWords, text, time, word, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const organisationsWords = {
  activities: {
    organisations: {
      category: 'account',
      actions: { updateOrganisation: 'Change the organisation details', setEconomy: 'Set the economy of the organisation' },
    },
    'organisations.changes': {
      category: 'account',
      actions: {
        requestOrganisationChange: 'Request a change of the organisation',
        answerOrganisationChange: 'Answer the registry about a change of the organisation',
        withdrawOrganisationChange: 'Withdraw a change of the organisation',
        reviewOrganisationChange: 'Review a change of the organisation',
        askAboutOrganisationChange: 'Ask about a change of the organisation',
        approveOrganisationChange: 'Approve a change of the organisation',
        refuseOrganisationChange: 'Reject a change of the organisation',
      },
    },
    'organisations.closures': {
      category: 'account',
      actions: {
        requestAccountClosure: 'Request to close the account',
        withdrawAccountClosure: 'Withdraw closing the account',
        approveAccountClosure: 'Approve closing the account',
        refuseAccountClosure: 'Reject closing the account',
        closeAccount: 'Close the account',
        keepOpen: 'Keep the account open',
      },
    },
  },
  rows: {
    organisation: {
      what: 'Organisation',
      key: ['account_name'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['account_name'],
      columns: {
        registration_number: text('Registration number'),
        organisation_type: word('Organisation type'),
        postal_address: list('Postal address'),
        city: text('City'),
        region: text('Region'),
        postcode: text('Postcode'),
        phone: text('Telephone'),
        fax: text('Fax'),
        website: text('Website'),
        abuse_email: text('Abuse e-mail'),
        billing_address: list('Billing address'),
        billing_email: text('Billing e-mail'),
        po_number: text('Purchase order number'),
      },
      unsaid: ['account_name', 'version'],
    },
    organisation_change: {
      what: 'Request to change the organisation',
      key: ['organisation_change_id'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['wanted_value'],
      columns: {
        present_value: text('Present value'),
        wanted_value: text('Wanted value'),
        reason: text('Reason'),
        state: stateWord('State'),
        requested_by: contact('Asked by'),
        question: text('Question of the registry'),
        answer: text('Answer'),
        withdrawn_by: contact('Withdrawn by'),
        resolved_at: time('Resolved'),
        note: text('Note'),
      },
      unsaid: ['organisation_change_id', 'account_name', 'field', 'requested_at', 'reviewer', 'resolved_by'],
    },
    account_closure_request: {
      what: 'Request to close the account',
      key: ['account_closure_request_id'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['close_on'],
      columns: {
        reason: text('Reason'),
        close_on: date('Closes on'),
        resources: word('Resources'),
        state: stateWord('State'),
        requested_by: contact('Asked by'),
        withdrawn_by: contact('Withdrawn by'),
        resolved_at: time('Resolved'),
        ended_at: time('Ended'),
        note: text('Note'),
      },
      unsaid: ['account_closure_request_id', 'account_name', 'requested_at', 'resolved_by'],
    },
  },
} satisfies ModuleWords<{
  organisations: typeof organisations;
  'organisations.changes': typeof organisationChanges;
  'organisations.closures': typeof accountClosures;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    organisations: typeof organisationsWords;
  }
}
