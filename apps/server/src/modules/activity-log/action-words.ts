import type { ActivityCategory } from '@portal/contract/activity-log/activity-log';
import { allEndpoints } from '@portal/contract/api';

/** What the actions of one part of the registry are about, and each in words that also fit an attempt that was refused. */
type Part = {
  category: ActivityCategory;
  actions: Record<string, string | { words: string; category: ActivityCategory }>;
  /** Work of the machine that changes nothing of an account; it stands in no account's log. */
  unlisted?: true;
};

/** Every action an activity can name: before the last dot the part, after it the act. One without words fails the tests. */
const parts: Record<string, Part> = {
  contacts: {
    category: 'contacts',
    actions: {
      inviteContact: 'Invite a contact',
      updateContact: 'Change a contact',
      removeContact: 'Remove a contact',
      resendInvitation: 'Send an invitation again',
      revokeInvitation: 'Withdraw an invitation',
      updateOwnDetails: 'Change one’s own contact details',
      confirmOwnDetails: 'Confirm one’s own contact details',
      leaveAccount: 'Leave the account',
      inviteHelper: 'Invite a helper',
      setHelperEnd: 'Change until when a helper acts for the account',
      warnOfHelperEnd: 'Warn that the time of a helper ends',
      endHelper: 'End the time of a helper',
      askForReview: 'Ask for a review of who acts for the account',
      changeContactEmail: 'Ask for another address of a contact',
      changeOwnEmail: 'Ask for another address of one’s own',
      confirmEmail: 'Confirm the new address of a contact',
      undoEmail: 'Take the new address of a contact back',
      confirmSecurityAddress: { words: 'Confirm the security address', category: 'account' },
      remindOfSecondFactor: { words: 'Remind of the second factor the account demands', category: 'account' },
      askForPermission: { words: 'Ask for a permission', category: 'permissions' },
      linkAccount: 'Link a login to the account',
      expireAccessRequest: 'Let an access request expire',
      remindOfAccessRequest: 'Remind of an access request',
      expireInvitation: 'Let an invitation expire',
      remindOfInvitation: 'Remind of an invitation',
      askForConfirmation: 'Ask a contact to confirm the details',
    },
  },
  'contacts.accessReviews': {
    category: 'contacts',
    actions: {
      reviewAccess: 'Review who acts for the account',
      handOver: 'Hand over what a contact held, and remove the contact',
    },
  },
  'contacts.accountSafety': {
    category: 'account',
    actions: {
      demandSecondFactor: 'Change whether contacts need a second factor',
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
      linkAccount: 'Ask to be linked to the account',
      cancelLinkRequest: 'Take back that one asked to be linked',
      cancelOwnRequest: 'Take a request back',
      resolveAccessRequest: 'Resolve an access request',
      requestContactChange: { words: 'Ask for a change of contacts', category: 'contacts' },
    },
  },
  'contacts.registryRequests': {
    category: 'contacts',
    actions: {
      approveRegistryRequest: 'Approve a change of corporate contacts',
      refuseRegistryRequest: 'Refuse a change of corporate contacts',
    },
  },
  elections: {
    category: 'system',
    unlisted: true,
    actions: {
      addElection: 'Add an election',
      changeElection: 'Change an election',
      publishElection: 'Publish an election',
      cancelElection: 'Cancel an election',
    },
  },
  'elections.conferences': {
    category: 'system',
    unlisted: true,
    actions: { addConference: 'Add a conference', importAttendance: 'Bring in who attended a conference' },
  },
  billing: {
    category: 'billing',
    actions: {
      openInvoice: 'Open an invoice',
      openStaffInvoice: 'Open an invoice',
      recordPayment: 'Record a payment',
      extendInvoice: 'Give more time for an invoice',
      cancelInvoice: 'Cancel an invoice',
      remindOfRenewal: 'Remind that the term ends',
      countHoldings: 'Count the number resources for the next invoice',
      issueInvoice: 'Issue an invoice',
      suspendAccount: 'Suspend the account: its renewal was not paid',
      remindAgain: 'Remind again of an invoice',
      warnOfClosing: 'Warn that the account closes',
      closeAccount: 'Close the account: its renewal was not paid',
    },
  },
  organisations: {
    category: 'account',
    actions: { updateOrganisation: 'Change the organisation details', setEconomy: 'Set the economy of the organisation' },
  },
  'organisations.changes': {
    category: 'account',
    actions: {
      requestOrganisationChange: 'Ask the registry to change the organisation',
      answerOrganisationChange: 'Answer the registry about a change of the organisation',
      withdrawOrganisationChange: 'Withdraw a change of the organisation',
      reviewOrganisationChange: 'Look into a change of the organisation',
      askAboutOrganisationChange: 'Ask about a change of the organisation',
      approveOrganisationChange: 'Approve a change of the organisation',
      refuseOrganisationChange: 'Refuse a change of the organisation',
    },
  },
  'organisations.closures': {
    category: 'account',
    actions: {
      requestAccountClosure: 'Ask the registry to close the account',
      withdrawAccountClosure: 'Withdraw the closing of the account',
      approveAccountClosure: 'Approve the closing of the account',
      refuseAccountClosure: 'Refuse the closing of the account',
      closeAccount: 'Close the account',
    },
  },
  proposals: {
    category: 'account',
    actions: {
      propose: 'Propose a change to a second person',
      setTwoPersonRule: 'Set whether a second person approves',
      approveProposal: 'Approve a change as the second person',
      rejectProposal: 'Reject a change as the second person',
      withdrawProposal: 'Take back a proposed change',
      approveStaffProposal: 'Approve a change as the second person',
      rejectStaffProposal: 'Reject a change as the second person',
      expire: 'Let a proposed change expire',
    },
  },
  'staff.desk': { category: 'system', actions: { findPeople: 'Look for a person' } },
  staff: {
    category: 'account',
    actions: {
      startVisit: 'Look at the account',
      endVisit: 'Stop looking at the account',
    },
  },
  applications: {
    category: 'account',
    actions: {
      startApplication: 'Begin a membership application',
      saveDraft: 'Save a membership application',
      submitApplication: 'Submit a membership application',
      answerApplication: 'Answer the registry about a membership application',
      withdrawApplication: 'Withdraw a membership application',
      reviewApplication: 'Look into a membership application',
      askAboutApplication: 'Ask about a membership application',
      approveApplication: 'Approve a membership application',
      refuseApplication: 'Refuse a membership application',
      remindOfDraft: 'Remind of a draft',
      expireDraft: 'Let a draft expire',
      remindOfReferral: 'Remind a customer of a referral',
      expireReferral: 'Let a referral expire',
    },
  },
  'applications.referrals': {
    category: 'account',
    actions: {
      referCustomer: 'Refer a customer to the registry',
      withdrawReferral: 'Withdraw a referral',
      acceptReferral: 'Agree to a referral',
      declineReferral: 'Decline a referral',
    },
  },
  'documents.files': { category: 'documents', actions: { uploadFile: 'Send a file', openOwnFile: 'Open a file' } },
  documents: {
    category: 'documents',
    actions: {
      addDocument: 'Add a document',
      openDocument: 'Open a document',
      signDocument: 'Sign a document',
      issueCertificate: 'Issue a certificate of membership',
      addStaffDocument: 'Add a document',
      openStaffDocument: 'Open a document',
      deleteDocument: 'Delete a document',
      scanFile: 'Check a file for viruses',
      sweep: 'Delete files nobody used',
    },
  },
  resources: { category: 'resources', actions: { importStatistics: 'Import a statistics file' } },
  whois: {
    category: 'whois',
    actions: {
      previewUpdates: 'Preview changes of whois objects',
      submitUpdates: 'Change whois objects',
      uploadText: 'Upload whois objects',
      changeAlike: 'Change whois objects alike',
      createMaintainer: 'Create a maintainer',
      askToLinkMaintainer: 'Ask to link a maintainer',
      linkMaintainer: 'Link a maintainer',
      unlinkMaintainer: 'Unlink a maintainer',
      choosePrincipalMaintainer: 'Choose the principal maintainer',
      grantMaintainer: { words: 'Change who may use a maintainer', category: 'permissions' },
      keepObjects: 'Bring whois objects in line with the ledger',
      modifyObjects: 'Change whois objects in a task',
      modify: 'Change whois objects alike in a task',
      workOnTask: 'Change whois objects in a task',
      echo: { words: 'Repeat a message', category: 'system' },
      loadDump: { words: 'Load whois objects from a file', category: 'system' },
      createMirrorKey: { words: 'Create the key that signs what mirrors read', category: 'system' },
      rotateMirrorKey: { words: 'Replace the key that signs what mirrors read', category: 'system' },
    },
  },
  customers: {
    category: 'whois',
    actions: {
      saveCustomer: 'Change a customer',
      addAssignment: 'Register an assignment',
      changeAssignment: 'Change an assignment',
      returnAssignment: 'Take an assignment back',
      importAssignments: 'Import assignments',
    },
  },
  'whois.consents': {
    category: 'whois',
    actions: {
      askForConsent: 'Ask for consent to a whois update',
      answerConsent: 'Agree to a whois update, or refuse it',
      withdrawConsent: 'Withdraw a whois update that waits for consent',
      attendToConsents: 'Remind of a whois update that waits for consent, or end it',
    },
  },
  'whois.maintainerUsers': {
    category: 'permissions',
    actions: {
      keepUsers: 'Keep the last users of a maintainer',
      endLastUsers: 'Take the last users off a maintainer',
    },
  },
  'whois.follows': {
    category: 'whois',
    actions: {
      follow: 'Follow whois objects',
      unfollow: 'Stop following whois objects',
      tellFollowers: { words: 'Tell those who follow whois objects', category: 'system' },
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
  tasks: {
    category: 'whois',
    actions: {
      cancelTask: 'Cancel a task',
      retryTask: 'Try the failed objects of a task again',
      revertTask: 'Revert a task',
      echo: { words: 'Send the task runner a message', category: 'system' },
    },
  },
  'identity.people': { category: 'sign-in', actions: { savePreferences: 'Change personal settings' } },
  identity: {
    category: 'sign-in',
    actions: {
      freezeLogin: 'Freeze a login by the link in an e-mail',
      changeNames: 'Change names',
      endSession: 'End a session',
      endOtherSessions: 'End all other sessions',
      switchCodesOff: 'Switch codes off after wrong ones',
      mintToken: 'Make a token for a demo person',
      askForEmailChange: 'Ask for another e-mail address',
      changeEmail: 'Change the e-mail address',
      undoEmailChange: 'Take a change of the e-mail address back',
      addPasskey: 'Add a passkey',
      addAuthenticator: 'Add an authenticator app',
      renameFactor: 'Rename a second factor',
      removePasskey: 'Remove a passkey',
      removeAuthenticator: 'Remove an authenticator app',
      replaceRecoveryCodes: 'Make new recovery codes',
      useRecoveryCode: 'Use a recovery code',
      firstSight: 'Meet a person of the OpenID provider',
      profileChanged: 'Take over what the OpenID provider says',
      forgetSessions: 'Forget old sessions',
      forgetLinks: 'Forget expired links',
      signIn: 'Sign in',
      signInFailed: 'Fail to sign in',
      signOut: 'Log out',
      codeReused: 'End a session whose code was used twice',
      changePassword: 'Change the password',
      setPassword: 'Set a password',
      removePassword: 'Remove the password',
      askForNewPassword: 'Ask for a new password',
      resetPassword: 'Choose a new password',
      askForRegistration: 'Ask for a login',
      register: 'Register',
      rehash: 'Keep the password in a stronger form',
      createKeys: 'Create the keys that sign tokens',
      rotateKeys: 'Replace the keys that sign tokens',
      mailEmailChange: 'Mail about a change of the e-mail address',
      mailPasswordReset: 'Mail about a new password',
      mailRegistration: 'Mail about a registration',
      tellOtherSystem: 'Tell another system that a session ended',
    },
  },
  operator: {
    category: 'system',
    actions: {
      addStaff: 'Add registry staff',
      disableLogin: 'Disable a login',
      thawLogin: 'Give a frozen login back',
      resetMfa: 'Remove second factors',
      rotateKeys: 'Replace the keys that sign tokens',
      resealSecrets: 'Seal the secrets at rest with a new key',
      beginBilling: 'Begin to bill memberships',
    },
  },
  'identity.notificationAddresses': {
    category: 'system',
    unlisted: true,
    actions: { setNotificationAddress: 'Choose the address for a topic' },
  },
  mail: {
    category: 'system',
    unlisted: true,
    actions: { forgetLinks: 'Forget the links of old e-mails', deliver: 'Deliver an e-mail', refused: 'Learn that an e-mail was refused' },
  },
  notifications: {
    category: 'system',
    unlisted: true,
    actions: {
      readNotification: 'Read a notification',
      readAllNotifications: 'Read all notifications',
      confirmAddress: 'Confirm the address for a topic',
      digest: 'Make a digest of notifications',
      unsubscribe: 'Stop the e-mails of a topic',
    },
  },
  'notifications.preferences': {
    category: 'system',
    unlisted: true,
    actions: { saveNotificationPreference: 'Choose how a topic is told' },
  },
  'identity.frozenLogins': { category: 'sign-in', actions: { thawLogin: 'Give a frozen login back' } },
  demo: {
    category: 'system',
    actions: {
      documents: { words: 'Take over documents', category: 'documents' },
      people: 'Create the demo people',
      tell: 'Tell the demo people something',
      whois: 'Write the demo whois objects',
      elections: 'Publish the demo elections',
      openAccount: { words: 'Open the account', category: 'account' },
      delegate: { words: 'Delegate resources', category: 'resources' },
      assign: { words: 'Register networks', category: 'resources' },
      lateAccount: { words: 'Set the end of the term', category: 'billing' },
      renewal: { words: 'Take over an invoice', category: 'billing' },
      beginBilling: { words: 'Begin to bill memberships', category: 'billing' },
    },
  },
};

type Action = { action: string; words: string; category: ActivityCategory };
const actions: readonly Action[] = Object.entries(parts).flatMap(([part, { category, actions: acts }]) =>
  Object.entries(acts).map(([act, given]) => ({
    action: `${part}.${act}`,
    ...(typeof given === 'string' ? { words: given, category } : given),
  })),
);
const byName = new Map(actions.map(action => [action.action, action]));

/** The words of an action; null for one nobody wrote any for. */
export const wordsOf = (action: string): string | null => byName.get(action)?.words ?? null;

export const categoryOf = (action: string): ActivityCategory =>
  byName.get(action)?.category ?? parts[action.slice(0, action.lastIndexOf('.'))]?.category ?? 'system';

/** The actions of a category: those named, and for actions without words the parts they begin with. */
export const actionsOf = (category: ActivityCategory): { named: string[]; parts: string[] } => ({
  named: actions.filter(action => action.category === category).map(({ action }) => action),
  parts: Object.keys(parts).filter(part => parts[part]!.category === category),
});
export const namedActions: readonly string[] = actions.map(({ action }) => action);

/** Patterns (LIKE) of the actions that stand in no account's log. */
export const unlistedActions: readonly string[] = Object.keys(parts).flatMap(part => (parts[part]!.unlisted ? [`${part}.%`] : []));

/** The actions whose words hold the text, whatever its case. */
export const actionsSaying = (text: string): string[] =>
  actions.filter(({ words }) => words.toLowerCase().includes(text.toLowerCase())).map(({ action }) => action);

/** What anybody with a login may do to an account they are no contact of: ask to join it. Everybody else who is no contact is registry staff. */
export const outsidersActions: readonly string[] = allEndpoints
  .filter(({ activity, access }) => activity !== undefined && access.who === 'signed-in')
  .map(({ id }) => id);
