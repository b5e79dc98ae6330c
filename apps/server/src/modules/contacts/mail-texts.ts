import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const contactsTexts = mailTexts('contacts', {
  asksChangeContacts: {
    topic: 'contacts.requests',
    subject: '{actor} asks to change contacts in {accountName}',
    body: [
      '{actor} ({actorEmail}) asks you to {what} in {accountName}.',
      '{note}',
      'Nothing changes unless you approve it. The request expires after 30 days.',
    ],
    says: { note: 'No reason given.' },
    samples: { what: 'add Tess Lindqvist as a technical contact' },
  },
  requestApproved: {
    topic: 'contacts.access',
    subject: 'Your request to {accountName} was approved',
    body: ['{actor} approved what you asked for in {accountName} on {requestedOn}.', '{details}', '{note}'],
    says: { details: 'Contact types: technical\nGranted: View resources', note: 'They write:\n\nThank you for the documents.' },
  },
  requestRejected: {
    topic: 'contacts.access',
    subject: 'Your request to {accountName} was rejected',
    body: ['{actor} rejected what you asked for in {accountName} on {requestedOn}.', '{details}', '{note}'],
    says: { details: 'Contact types: technical\nAsked for: View resources', note: 'They write:\n\nThank you for the documents.' },
  },
  contactLinked: {
    topic: 'contacts.access',
    subject: '{fullName} is now a contact of {accountName}',
    body: ['{actor} approved that {fullName} ({email}) be linked to {accountName}, as {contactTypes} contact.'],
  },
  accessReviewed: {
    topic: 'contacts.access',
    subject: '{actor} reviewed who acts for {accountName}',
    body: ['The yearly access review of {accountName} is complete.', '{details}'],
    says: { details: 'Tess Lindqvist: stays\nNadia Brandt: left' },
  },
  noLongerRequiresTwoFactor: {
    topic: 'contacts.access',
    subject: '{accountName} no longer requires two-factor',
    body: ['{actor} turned off the two-factor requirement for the contacts of {accountName}.', '{notSetUp}'],
    says: { notSetUp: 'Not set up yet: Tess Lindqvist. They got an e-mail.' },
  },
  requiresTwoFactor: {
    topic: 'contacts.access',
    subject: '{accountName} requires two-factor from {from}',
    body: ['{actor} requires two-factor authentication from all contacts of {accountName} from {from} (UTC).', '{notSetUp}'],
    says: { notSetUp: 'Not set up yet: Tess Lindqvist. They got an e-mail.' },
  },
  confirmSecurityAddress: {
    topic: 'account.security',
    subject: 'Confirm the security address of {accountName}',
    body: [
      '{actor} entered this address as the security address of {accountName}. Confirm it within {linkDays} days to get an e-mail about every change that needs a second factor, with a link to freeze the login that made it.',
      'If you don’t know {accountName}, ignore this e-mail.',
    ],
  },
  securityAddress: { topic: 'contacts.access', subject: 'The security address of {accountName}', body: ['{words}'] },
  formerSecurityAddress: {
    topic: 'account.security',
    subject: 'The security address of {accountName}',
    body: ['{email} is now the security address of {accountName} instead of this one.'],
  },
  invited: {
    topic: 'contacts.access',
    subject: '{fullName} was invited to {accountName}',
    body: ['{actor} invited {fullName} ({email}) to become a {contactTypes} contact of {accountName}.'],
  },
  permissionsChanged: {
    topic: 'contacts.access',
    subject: 'Permissions of {fullName} in {accountName} changed',
    body: ['{actor} changed the permissions of {fullName} ({email}) in {accountName}.', '{outcome}'],
    says: { outcome: 'Granted: View resources\nTaken away: none' },
  },
  detailsChanged: {
    topic: 'contacts.access',
    subject: 'Details of {fullName} in {accountName} changed',
    body: ['{outcome}.', 'Name: {fullName2}\nTelephone: {phone}\nPosition: {position}'],
    says: { outcome: 'Tess Lindqvist changed their own details' },
  },
  maintainersChanged: {
    topic: 'contacts.access',
    subject: 'Permissions of {fullName} in {accountName} changed',
    body: [
      '{actor} changed which whois maintainers {fullName} ({email}) may use in {accountName}.',
      'Maintainers: {maintainers} → {maintainers2}',
    ],
  },
  noLongerContact: {
    topic: 'contacts.access',
    subject: '{fullName} is no longer a contact of {accountName}',
    body: ['{details}', '{reasonGiven}', '{isClosedThey}'],
    says: {
      details: 'Tess Lindqvist (tess@example.net) left EXAMPLE-AU.',
      reasonGiven: 'Reason: The documents name another organisation.',
      isClosedThey:
        'EXAMPLE-AU is closed. They no longer see its invoices, can’t pay for it or ask for its reopening, and stay out if it’s opened again.',
    },
  },
  contactErased: {
    topic: 'contacts.access',
    subject: 'A contact of {accountName} was erased',
    body: [
      'As the law lets people ask, the registry erased the data of a person who was a contact of {accountName} ({contactTypes}). They no longer have access to it.',
      '{keys}',
    ],
    says: {
      contactTypes: 'technical and billing',
      keys: 'API keys of theirs that were revoked with it: 2. Programs that use them can’t log in any more.',
    },
  },
  invitationWithdrawn: {
    topic: 'contacts.access',
    subject: 'The invitation of {fullName} to {accountName} was withdrawn',
    body: ['{actor} withdrew the invitation of {fullName} ({email}) to {accountName}. Its link no longer works.'],
  },
  confirmAddress: {
    topic: 'contacts.access',
    subject: 'Confirm your address in {accountName}',
    body: [
      '{actor} entered this as the address of {fullName}, a contact of {accountName}. Open this link within {confirmDays} days to confirm it:',
      '{link}',
      'Until then {email} stays. If you don’t know {accountName}, ignore this e-mail.',
    ],
  },
  newEMailAddressRequested: {
    topic: 'contacts.access',
    subject: 'New e-mail address requested for {fullName} in {accountName}',
    body: ['{actor} asked to change the address of {fullName} from {email} to {email2}. Nothing changes until it is confirmed there.'],
  },
  addressChangedBack: {
    topic: 'contacts.access',
    subject: 'The address of {fullName} in {accountName} was changed back',
    body: ['{words}'],
    samples: { words: 'The change of address was undone.' },
  },
  changedSomething: {
    topic: 'account.security',
    subject: '{actor} changed something in {accountName}',
    body: [
      'The login of {actor} ({actorEmail}) made this change in {accountName}: {what}.',
      'If you expected this, you don’t need to do anything.',
    ],
    samples: { what: 'Changed ROAs' },
  },
  requestExpired: {
    topic: 'contacts.access',
    subject: 'Your request to {accountName} expired',
    body: ['No one at {accountName} answered your request of {requestedOn} within 30 days. You can ask again or contact registry staff.'],
  },
  requestStillOpen: {
    topic: 'contacts.reminders',
    subject: 'A request of {fullName} to {accountName} is still open',
    body: ['{fullName} asked on {requestedOn} and hasn’t had an answer. The request expires after 30 days.'],
  },
  invitationExpired: {
    topic: 'contacts.access',
    subject: 'The invitation of {fullName} to {accountName} expired',
    body: ['{fullName} ({email}) didn’t answer the invitation to {accountName}. You can resend or withdraw it.'],
  },
  invitationWaiting: {
    topic: 'contacts.access',
    subject: 'Your invitation to {accountName} is waiting',
    body: [
      'You were invited to become a contact of {accountName}. The link in the first e-mail works until {until} UTC.',
      'If you no longer have it, ask the person who invited you to resend it.',
    ],
  },
  accessReview: {
    topic: 'contacts.review',
    subject: 'Access review of {accountName}',
    body: [
      'Once a year, check who acts for {accountName}: who stays, who needs fewer permissions and who has left. It takes a few minutes.',
    ],
  },
  detailsStillCorrect: {
    topic: 'contacts.review',
    subject: 'Are your details in {accountName} still correct?',
    body: [
      'You’re a contact of {accountName}. Once a year we ask you to confirm your name, e-mail address, telephone number and position.',
      'Confirm or correct them.',
    ],
  },
  helpsUntil: {
    topic: 'contacts.access',
    subject: '{fullName} helps {accountName} until {until}',
    body: ['{actor} set the end date of {fullName} ({email}) as a helper of {accountName} to {until} (UTC).'],
  },
  helperEndsSoon: {
    topic: 'contacts.access',
    subject: '{fullName} helps {accountName} until {last}',
    body: ['The access of {fullName} ({email}) as a helper of {accountName} ends on {last} (UTC). A corporate contact can extend it.'],
  },
  noLongerHelps: {
    topic: 'contacts.access',
    subject: '{fullName} no longer helps {accountName}',
    body: ['The access of {fullName} ({email}) as a helper of {accountName} has ended, with all permissions.'],
  },
  invitation: {
    topic: 'contacts.access',
    subject: 'Invitation to {accountName}',
    body: [
      '{inviter} invites you to become a {contactTypes} contact of {accountName} ({orgName}).',
      'Open this link to accept or to decline. You need a login; if you have none you can register on the way:\n{link}',
      'The link works once. If you do not know what this is about, leave it: nothing happens then.',
    ],
  },
  invitationAccepted: {
    topic: 'contacts.access',
    subject: '{fullName} is now a contact of {accountName}',
    body: ['{fullName} ({email}) accepted the invitation of {inviter}{loginWords} and is now a {contactTypes} contact of {accountName}.'],
  },
  declinedInvitation: {
    topic: 'contacts.access',
    subject: '{fullName} declined the invitation to {accountName}',
    body: ['{fullName} ({email}) declined to become a contact of {accountName}.'],
  },
  nowLinked: {
    topic: 'contacts.access',
    subject: '{fullName} is now linked to {accountName}',
    body: [
      'The login of {fullName2} was linked to the {contactTypes} contact {fullName} ({email}) of {accountName} because their verified addresses match.',
    ],
  },
  linkRequested: {
    topic: 'contacts.requests',
    subject: '{fullName} asks to be linked to {accountName}',
    body: [
      '{fullName} ({email}, {outcome}) asks to become a contact of {accountName}.',
      'Nothing changes unless you approve it. If you don’t know this person, reject it.',
    ],
    says: { outcome: 'a verified address' },
  },
  permissionsRequested: {
    topic: 'contacts.requests',
    subject: '{actor} asks for {howMany} in {accountName}',
    body: [
      '{actor} ({actorEmail}) is a contact of {accountName} and asks for:\n{list}',
      '{note}',
      '{theyWereRefused}',
      'Nothing changes unless you approve it.',
    ],
    says: {
      howMany: 'a permission',
      note: 'They write:\n\nI need it for the renewal.',
      theyWereRefused: 'They were refused at https://portal.example.net/billing.',
    },
  },
  requestAboutCorporateContact: {
    topic: 'contacts.access',
    subject: 'Request about a corporate contact of {accountName}',
    body: [
      '{actor} asked that {fullName} ({email}) be {verbs}: {contactTypes}.',
      '{note}',
      'Nothing changes until registry staff approve it. If you didn’t expect this, reply to this e-mail immediately.',
    ],
    says: { note: 'No reason given.' },
  },
  requestAboutContact: {
    topic: 'contacts.access',
    subject: 'Request about a contact of {accountName}',
    body: [
      '{actor} asked that {fullName} ({email}) be {verbs}: {contactTypes}.',
      '{note}',
      'Nothing changes until registry staff approve it. If you didn’t expect this, reply to this e-mail immediately.',
    ],
    says: { note: 'No reason given.' },
  },
  registryApprovedChangeCorporateContacts: {
    topic: 'contacts.access',
    subject: 'The registry approved a change of corporate contacts of {accountName}',
    body: ['Registry staff approved what {requestedBy} asked for: {fullName} ({email}), {contactTypes}.', '{note}'],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  registryApprovedChangeContacts: {
    topic: 'contacts.access',
    subject: 'The registry approved a change of contacts of {accountName}',
    body: ['Registry staff approved what {requestedBy} asked for: {fullName} ({email}), {contactTypes}.', '{note}'],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  registryRefusedChangeCorporateContacts: {
    topic: 'contacts.access',
    subject: 'The registry refused a change of corporate contacts of {accountName}',
    body: ['Registry staff refused what {requestedBy} asked for: {fullName} ({email}), {contactTypes}.', '{note}'],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  registryRefusedChangeContacts: {
    topic: 'contacts.access',
    subject: 'The registry refused a change of contacts of {accountName}',
    body: ['Registry staff refused what {requestedBy} asked for: {fullName} ({email}), {contactTypes}.', '{note}'],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  canVote: {
    topic: 'contacts.access',
    subject: '{fullName} can vote for {accountName}',
    body: [
      '{actor} lets {fullName} ({email}) vote for {accountName} in all elections, until this is changed. Voting needs two-factor authentication.',
    ],
  },
  canNoLongerVote: {
    topic: 'contacts.access',
    subject: '{fullName} can no longer vote for {accountName}',
    body: ['{actor} withdrew the right of {fullName} ({email}) to vote for {accountName}. Votes already cast stand.'],
  },
  setUpTwoFactor: {
    topic: 'contacts.access',
    subject: 'Set up two-factor for {accountName} by {from}',
    body: [
      '{accountName} requires two-factor authentication from {from}. Your login doesn’t have it. From that day (UTC) you need it to open {accountName}.',
      'It takes two minutes: add a passkey or an authenticator app.',
    ],
  },
  addressChangedUndo: {
    topic: 'contacts.access',
    subject: 'The address of {fullName} in {accountName} was changed',
    body: [
      'The address of {fullName} in {accountName} was changed from {email} to {email2}. If this isn’t right, undo it within {undoHours} hours:',
      '{link}',
    ],
  },
  addressChanged: {
    topic: 'contacts.access',
    subject: 'The address of {fullName} in {accountName} was changed',
    body: ['The address of {fullName} in {accountName} was changed from {email} to {email2}.'],
  },
});
