import type { accessRequests } from '@portal/contract/contacts/access-requests';
import type { accessReviews } from '@portal/contract/contacts/access-reviews';
import type { accountSafety } from '@portal/contract/contacts/account-safety';
import type { contacts } from '@portal/contract/contacts/contacts';
import type { invitations } from '@portal/contract/contacts/invitations';
import type { registryRequests } from '@portal/contract/contacts/registry-requests';
import {
  text,
  word,
  yesNo,
  list,
  permissionsOf,
  permissionOf,
  contact,
  time,
  type ModuleWords,
  stateWord,
} from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const contactsWords = {
  activities: {
    contacts: {
      category: 'contacts',
      actions: {
        inviteContact: 'Invite a contact',
        updateContact: 'Change a contact',
        removeContact: 'Remove a contact',
        resendInvitation: 'Resend an invitation',
        revokeInvitation: 'Withdraw an invitation',
        updateOwnDetails: 'Change own contact details',
        confirmOwnDetails: 'Confirm own contact details',
        leaveAccount: 'Leave the account',
        inviteHelper: 'Invite a helper',
        setHelperEnd: 'Change a helper’s end date',
        warnOfHelperEnd: 'Warn that a helper’s access ends',
        endHelper: 'End a helper’s access',
        askForReview: 'Request an access review',
        changeContactEmail: 'Request a new e-mail address for a contact',
        changeOwnEmail: 'Request a new e-mail address',
        confirmEmail: 'Confirm the new address of a contact',
        undoEmail: 'Undo the new address of a contact',
        confirmSecurityAddress: { words: 'Confirm the security address', category: 'account' },
        remindOfSecondFactor: { words: 'Send a reminder of required two-factor', category: 'account' },
        askForPermission: { words: 'Request a permission', category: 'permissions' },
        linkAccount: 'Link a login to the account',
        expireAccessRequest: 'Expire an access request',
        remindOfAccessRequest: 'Send a reminder of an access request',
        expireInvitation: 'Expire an invitation',
        remindOfInvitation: 'Send a reminder of an invitation',
        askForConfirmation: 'Ask a contact to confirm the details',
        endErasedContact: 'End the access of a contact who was erased',
      },
    },
    'contacts.accessReviews': {
      category: 'contacts',
      actions: {
        reviewAccess: 'Review access',
        handOver: 'Replace and remove a contact',
      },
    },
    'contacts.accountSafety': {
      category: 'account',
      actions: {
        demandSecondFactor: 'Change the two-factor requirement',
        setSecurityAddress: 'Change the security address',
      },
    },
    'contacts.invitations': {
      category: 'contacts',
      actions: {
        acceptInvitation: 'Accept an invitation',
        declineInvitation: 'Decline an invitation',
        acceptOwnInvitation: 'Accept an invitation',
        declineOwnInvitation: 'Decline an invitation',
      },
    },
    'contacts.accessRequests': {
      category: 'permissions',
      actions: {
        linkAccount: 'Request to be linked to the account',
        cancelLinkRequest: 'Withdraw a request to be linked',
        cancelOwnRequest: 'Withdraw a request',
        resolveAccessRequest: 'Resolve an access request',
        requestContactChange: { words: 'Request a change of contacts', category: 'contacts' },
      },
    },
    'contacts.registryRequests': {
      category: 'contacts',
      actions: {
        approveRegistryRequest: 'Approve a change of corporate contacts',
        refuseRegistryRequest: 'Reject a change of corporate contacts',
      },
    },
  },
  rows: {
    permission_decision: {
      what: 'Decision on a permission',
      key: ['contact_id', 'permission'],
      owner: 'contact_id',
      needs: 'users-privileges-view',
      name: ['contact_id'],
      columns: {
        permission: permissionOf('Permission'),
        granted: yesNo('Granted'),
        decided_by: contact('Decided by'),
        decided_at: time('Decided'),
      },
      unsaid: ['contact_id'],
    },
    invitation: {
      what: 'Invitation',
      key: ['invitation_id'],
      owner: 'contact_id',
      needs: 'contacts-details-view',
      name: ['contact_id'],
      columns: {
        state: stateWord('State'),
        invited_by: contact('Invited by'),
        sent_at: time('Sent'),
        expires_at: time('Expires'),
        reminded_at: time('Reminded'),
        ended_at: time('Ended'),
      },
      unsaid: ['invitation_id', 'contact_id', 'link_id'],
    },
    access_request: {
      what: 'Access request',
      key: ['access_request_id'],
      owner: 'account_name',
      needs: 'users-approve',
      name: ['full_name', 'subject_id', 'requested_by'],
      columns: {
        kind: word('Asks to'),
        status: stateWord('Status'),
        outcome: word('Why it ended'),
        requested_by: contact('Asked by'),
        subject_id: contact('About'),
        full_name: text('Name'),
        email: text('E-mail'),
        contact_types: list('Contact types'),
        permissions: permissionsOf('Permissions'),
        reason: text('Reason'),
        expires_at: time('Expires'),
        resolved_by: contact('Resolved by'),
        resolved_at: time('Resolved'),
        note: text('Note'),
        granted_types: list('Contact types given'),
        granted_permissions: permissionsOf('Permissions given'),
      },
      unsaid: ['access_request_id', 'account_name', 'login_id', 'page', 'requested_at', 'notified_at', 'reminders'],
    },
    registry_request: {
      what: 'Request to the registry',
      key: ['registry_request_id'],
      owner: 'account_name',
      needs: 'contacts-details-view',
      name: ['contact_id'],
      columns: {
        kind: word('Asks to'),
        status: stateWord('Status'),
        contact_types: list('Contact types'),
        permissions: permissionsOf('Permissions', 'users-privileges-view'),
        reason: text('Reason'),
        requested_by: contact('Asked by'),
        resolved_at: time('Resolved'),
        note: text('Note'),
      },
      unsaid: ['registry_request_id', 'account_name', 'contact_id', 'requested_at', 'resolved_by'],
    },
    access_review: {
      what: 'Access review',
      key: ['access_review_id'],
      owner: 'account_name',
      needs: 'users-privileges-view',
      name: ['reviewed_by'],
      columns: { reviewed_by: contact('Reviewed by'), reviewed_at: time('Reviewed') },
      unsaid: ['access_review_id', 'account_name'],
    },
    access_review_line: {
      what: 'Decision of an access review',
      key: ['access_review_id', 'contact_id'],
      owner: 'contact_id',
      needs: 'users-privileges-view',
      name: ['contact_id'],
      columns: { decision: word('Decision'), reason: text('Reason'), permissions: permissionsOf('Permissions taken away') },
      unsaid: ['access_review_id', 'contact_id'],
    },
  },
  unshown: {
    link_attempt: 'what a person tried, whether or not such an account exists',
  },
} satisfies ModuleWords<{
  contacts: typeof contacts;
  'contacts.accessReviews': typeof accessReviews;
  'contacts.accountSafety': typeof accountSafety;
  'contacts.invitations': typeof invitations;
  'contacts.accessRequests': typeof accessRequests;
  'contacts.registryRequests': typeof registryRequests;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    contacts: typeof contactsWords;
  }
}
