import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const requestsTexts = mailTexts('requests', {
  transferHold: {
    topic: 'resources.requests',
    subject: '{caseReference}: the transfer is on hold',
    body: ['The fee is paid, but the transfer can’t be completed now:', '{why}', 'Registry staff look into it. No changes were made.'],
  },
  transferCompleted: {
    topic: 'resources.requests',
    subject: '{caseReference}: completed: {resources}',
    body: [
      '{resources} moved from {accountName} to {recipient}.',
      '{roasHandedOver}',
      '{objectsAreHanded}',
      '{somethingChangedSince}',
      'The transfer of {resources2} × /24 is in the public transfer log from today.',
      '{isClosedAs}',
    ],
    says: {
      roasHandedOver: 'AS64500 192.0.2.0/24 ROAs were handed over and are published together with the change.',
      objectsAreHanded: '2 objects are handed over until 22 December 2026. SAMPLE-NZ can keep them on the page of the transfer.',
      somethingChangedSince:
        'Something changed since the plan was acknowledged. Completion followed what was there:\n\nROA AS64500 192.0.2.0/24',
      isClosedAs: 'EXAMPLE-AU is closed, as it asked. It can no longer be used in the portal.',
    },
  },
  weHaveQuestion: {
    topic: 'resources.requests',
    subject: '{caseReference}: we have a question',
    body: [
      'Registry staff reviewed {outcome} and ask:',
      '{question}',
      'Answer within {answerDays} days. Without an answer the request expires.',
      '{bothPartiesWere}',
    ],
    says: { outcome: 'your request', bothPartiesWere: 'Both parties were asked. Each sees only its own answer.' },
  },
  messageRegistry: {
    topic: 'resources.requests',
    subject: '{caseReference}: a message from the registry',
    body: ['{words}'],
    samples: { words: 'We still look at the documents.' },
  },
  notDelegated: {
    topic: 'resources.requests',
    subject: '{caseReference}: not delegated: {numbers}',
    body: ['The registry doesn’t delegate these numbers. Reason:', '{reason}', 'Nothing changes for you.'],
  },
  rejected: {
    topic: 'resources.requests',
    subject: '{caseReference}: rejected: {numbers}',
    body: ['The request was rejected. Reason:', '{reason}', 'You can send another one once this is resolved.'],
  },
  approvedInvoiceTransferFeeFollows: {
    topic: 'resources.requests',
    subject: '{caseReference}: approved: the invoice of the transfer fee follows',
    body: [
      'The transfer of {resources} is approved. It completes when the fee of {currency} {fee} is paid.',
      'The invoice is sent within minutes, with how to pay it. Without payment the transfer expires after {outcome} days.',
    ],
    says: { outcome: '30' },
  },
  delegated: {
    topic: 'resources.requests',
    subject: '{caseReference}: delegated: {resources}',
    body: ['{details}', '{note}'],
    says: { details: '192.0.2.0/24 is delegated to EXAMPLE-AU.', note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  returned: {
    topic: 'resources.requests',
    subject: '{caseReference}: returned: {resources}',
    body: ['{details}', '{note}'],
    says: { details: '192.0.2.0/24 went back to the registry.', note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  approved: {
    topic: 'resources.requests',
    subject: '{caseReference}: approved: {resources}',
    body: ['{details}', '{note}'],
    says: { details: '192.0.2.0/24 is approved for EXAMPLE-AU.', note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  registryWantsDelegateYou: {
    topic: 'resources.requests',
    subject: '{caseReference}: the registry wants to delegate {resource} to you',
    body: [
      'Registry staff opened a delegation of {resource} to {accountName}, without a request of yours. Reason:',
      '{reason}',
      'Two people of the registry decide it. Your annual fee follows what you hold: the page of the case says what it would be. If you don’t want the numbers, decline them there before they are delegated.',
    ],
  },
  transferWithdrawn: {
    topic: 'resources.requests',
    subject: '{caseReference}: the transfer was withdrawn',
    body: ['{accountName} withdrew: {numbers}. Nothing changes for you.'],
  },
  eventSpaceEnds: {
    topic: 'resources.requests',
    subject: '{caseReference}: {resource} ends on {endsOn}',
    body: [
      '{resource} was delegated for an event, until {endsOn}. Stop {outcome} it by then. You can return it earlier.',
      'On the day after, its return starts automatically, and {resource2} are deleted when it’s confirmed.',
    ],
    says: { outcome: 'using' },
  },
  returnStarted: {
    topic: 'resources.requests',
    subject: '{caseReference}: the return of {resource} has started',
    body: [
      '{resource} was delegated for an event that ended on {endsOn}. The registry takes it back: {resource2} are deleted when the return is confirmed.',
      'Write to us on the page of the request if it’s still {outcome}.',
    ],
    says: { outcome: 'used' },
  },
  nowEnds: {
    topic: 'resources.requests',
    subject: '{caseReference}: {resource} now ends on {until}',
    body: ['The last day of {resource} is now {until} instead of {endsOn}. Reason:', '{reason}', '{itsReturnWas}'],
    says: { itsReturnWas: 'Its return CHANGE-7 was closed, so you can go on using it.' },
  },
  transferIn: {
    topic: 'resources.requests',
    subject: '{caseReference}: completed: {resources}',
    body: [
      '{resources} moved from {sender} to {accountName}.',
      'Whois and RDAP follow within seconds. Add ROAs and reverse DNS now: those of the other registry end with its record.',
    ],
  },
  listingEnded: {
    topic: 'resources.requests',
    subject: 'your listing of {listing} ended',
    body: ['It isn’t listed any more. You can list it again at any time.'],
  },
  listingEnds: {
    topic: 'resources.requests',
    subject: 'your listing of {listing} ends on {expiresOn}',
    body: ['Renew it to keep it listed.'],
  },
  listedTransfer: {
    topic: 'resources.requests',
    subject: '{listing} is listed for transfer',
    body: [
      'It stays there until {expiresOn}. You can renew or withdraw it at any time.',
      'Messages of other account holders reach you by e-mail. Your address isn’t shown to them.',
    ],
  },
  messageAboutListing: {
    topic: 'resources.requests',
    subject: 'a message about your listing of {listing}',
    body: [
      '{sender} of {accountName} writes:',
      '{words}',
      'Answer to {senderEmail}. Your own address was not shared; it is when you answer.',
      'The registry doesn’t check what other account holders write. Report a message that doesn’t belong here to us.',
    ],
    samples: { words: 'Is it routed?' },
  },
  registryRemovedListing: {
    topic: 'resources.requests',
    subject: 'the registry removed your listing of {listing}',
    body: ['Reason:', '{reason}'],
  },
  approvedInOneClick: {
    topic: 'resources.requests',
    subject: '{caseReference}: approved: {resource}',
    body: ['{resource} is delegated to {accountName}. Whois, RDAP and RPKI show it within seconds.'],
  },
  registryTakesBack: {
    topic: 'account.security',
    subject: '{reference}: the registry takes back {resources} on {noticeUntil}',
    body: [
      'The registry takes back {resources2}. {ground}:',
      '{reason}',
      'It’s carried out on {noticeUntil} at the earliest. Until then nothing changes, and the numbers can’t be transferred. The page of the case lists what ends with them: whois objects, reverse DNS, routes and ROAs.',
      'To object, write on that page before then. Registry staff read it before they decide.',
    ],
  },
  takenBack: {
    topic: 'account.security',
    subject: '{reference}: taken back: {resources}',
    body: [
      '{resources2} went back to the registry. {ground}. Their whois objects, reverse DNS, routes and ROAs are gone.',
      'No one else gets them before {restsUntil}. To object, write on the page of the case before then.',
    ],
  },
  requestExpired: {
    topic: 'resources.requests',
    subject: '{caseReference}: expired: {numbers}',
    body: ['{why}', '{nothingChangesFor}'],
    says: { nothingChangesFor: 'Nothing changes for you.' },
    samples: { why: 'Our question was not answered in 30 days.' },
  },
  otherPartyClosed: {
    topic: 'resources.requests',
    subject: '{caseReference}: ended: {numbers}',
    body: ['The account of the other party was closed. The space stays where it is, and is unlocked.'],
  },
  wereWaitingAnswer: {
    topic: 'resources.requests',
    subject: '{caseReference}: we’re waiting for your answer',
    body: ['{question}', 'Without an answer the request expires on {until}.'],
  },
  offerEndsSoon: {
    topic: 'resources.requests',
    subject: '{caseReference}: the offer ends soon',
    body: ['{numbers} has to be acknowledged by {until}.'],
  },
  preApprovalEndsSoon: {
    topic: 'resources.requests',
    subject: '{caseReference}: your pre-approval ends soon',
    body: ['{remaining} × /24 of your pre-approval can be used until {expiresOn}. You can ask for a new one at any time.'],
  },
  offerSent: {
    topic: 'resources.requests',
    subject: '{caseReference}: received: {numbers}',
    body: ['The offer is with {recipientName}. It has {acknowledgeDays} days to acknowledge it. Until then you can withdraw it.'],
  },
  requestReceived: {
    topic: 'resources.requests',
    subject: '{caseReference}: received: {numbers}',
    body: [
      'We received your request: {numbers}. It’s number {place} in the queue. You’ll get an e-mail when it’s decided or we have a question.',
    ],
  },
  offersYouTransfer: {
    topic: 'resources.requests',
    subject: '{caseReference}: {orgName} offers you a transfer',
    body: [
      '{accountName} wants to transfer {resources} to {recipientName}.',
      'Acknowledge or decline it within {acknowledgeDays} days. Without an answer the offer expires.',
    ],
  },
  acknowledgedTransfer: {
    topic: 'resources.requests',
    subject: '{caseReference}: {accountName} acknowledged the transfer',
    body: ['The registry reviews it now. It can’t be withdrawn any more.'],
  },
  declinedTransfer: {
    topic: 'resources.requests',
    subject: '{caseReference}: {accountName} declined the transfer',
    body: ['{resources} stays with you and is unlocked.', '{details}'],
    says: { details: 'They write:\n\nWe need another size.' },
  },
  whatTransferHeldEnded: {
    topic: 'resources.requests',
    subject: '{caseReference}: what the transfer held has ended',
    body: ['No one kept it: {ended}{howMany}.'],
    says: { howMany: ' and 3 more' },
  },
  approvedWaitingList: {
    topic: 'resources.requests',
    subject: '{caseReference}: approved: you’re on the waiting list',
    body: [
      '{numbers} is approved, and no block of this size is free now. You’re number {place} on the waiting list.',
      'Blocks that come back are delegated in the order of the list, without another request. You can withdraw at any time.',
    ],
  },
  transferWaits: {
    topic: 'resources.requests',
    subject: '{caseReference} waits: {numbers}',
    body: [
      'It can’t be carried out at the moment. You don’t need to do anything, and no time limit runs out while it waits. We write again when it goes on.',
    ],
  },
  transferGoesOn: {
    topic: 'resources.requests',
    subject: '{caseReference} goes on: {numbers}',
    body: ['It can be carried out again. If it waited for you, you have at least 14 days from today.'],
  },
});
