import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const whoisTexts = mailTexts('whois', {
  consentRequested: {
    topic: 'whois.objects',
    subject: 'Your consent is requested: {title}',
    body: [
      '{words} to a change in the {source} database. {why}.',
      '{text}',
      'Contacts who may use {maintainers} can agree to it or refuse it, until {until}. Without an answer nothing changes.',
    ],
    samples: { words: 'EXAMPLE-AU asks for your consent', why: 'The route is of your AS number' },
  },
  approvedSending: {
    topic: 'whois.objects',
    subject: 'Approved by sending it: {title}',
    body: ['{askedBy} of {accountName} requested your consent to this change. It’s saved as {accountName} asked for it:', '{text}'],
  },
  consentAnswered: {
    topic: 'whois.objects',
    subject: '{outcome}: {title}',
    body: ['You asked {maintainers} for consent.', '{words}'],
    says: { outcome: 'Approved' },
  },
  followedObjects: {
    topic: 'whois.follows',
    subject: '{howMany}',
    body: ['{details}', '{details2}'],
    says: {
      howMany: 'Whois: route 192.0.2.0/24AS64500',
      details: 'route 192.0.2.0/24AS64500 was changed.',
      details2: 'person EX1-TEST was changed.',
    },
  },
  mailbox: {
    topic: 'whois.irt',
    subject: '{outcome}: mailbox {mailbox} of {irts}',
    body: [
      '{mailbox} is named by {irts} in the {source} whois database, where abuse of networks is reported to.',
      '{aCodeWas}',
      'Show that it is read: go to {appUrl}/irt-validation, write the mailbox and this code. You need no login.',
      'Code: {link}',
    ],
    says: { outcome: 'Code', aCodeWas: 'A code was asked for again; earlier ones count no more.' },
  },
  restrictedMailbox: {
    topic: 'whois.irt',
    subject: 'Restricted: mailbox {mailbox} of {irts}',
    body: [
      'No one has shown that {mailbox} of {irts} is read.',
      '{what}',
      'The code is in the mailbox. You can have it sent again, or put another mailbox into the irt.',
    ],
    samples: { what: 'The mailbox abuse@example.net was not validated in time.' },
  },
  noAnswerMailbox: {
    topic: 'whois.irt',
    subject: 'No answer: mailbox {mailbox} of {irts}',
    body: [
      'No one has shown that {mailbox} of {irts} is read.',
      '{what}',
      'The code is in the mailbox. You can have it sent again, or put another mailbox into the irt.',
    ],
    samples: { what: 'The mailbox abuse@example.net was not validated yet.' },
  },
  validatedMailbox: {
    topic: 'whois.irt',
    subject: 'Validated: mailbox {mailbox} of {irts}',
    body: ['Thank you. {mailbox} is validated for {irts}. We’ll ask again after {nextOn}.'],
  },
  aboutHaveNoUsers: {
    topic: 'whois.objects',
    subject: '{maintainer} is about to have no users',
    body: [
      '{actor} takes the last {howMany} off {maintainer} in {accountName}: {names}. Then only corporate contacts of the account change its objects.',
      'That happens {lastUserHours} hours after it was asked for. If it is right, do nothing. If not, open this link while signed in to {accountName}, or hand it to someone who is:\n{link}',
    ],
    says: { howMany: 'user' },
  },
  noUsers: {
    topic: 'whois.objects',
    subject: '{name} has no users',
    body: [
      '{users} of {accountName} can no longer use {name}, as requested {lastUserHours} hours ago. Corporate contacts of the account still can.',
    ],
    samples: { name: 'MAINT-EXAMPLE-AU' },
  },
  codeLink: {
    topic: 'whois.objects',
    subject: 'Code to link {shown} to {accountName}',
    body: [
      '{actor} asks to change the objects of {shown} through the account {accountName}.',
      'If that is right, open this link while signed in to that account, or hand it to them:\n{link}',
      'It counts for {codeHours} hours. If you did not expect this, do nothing: without the link nothing changes.',
    ],
  },
  routeNumber: {
    topic: 'whois.objects',
    subject: 'Route from your AS number: {howMany}',
    body: [
      '{actor} added {howMany2} that name your AS number as origin to the {source} database. The holder of the addresses agreed. If you don’t announce {howMany3}, write to {supportEmail}.',
      '{details}',
      '{andMore}',
    ],
    says: {
      howMany: '2 route objects',
      howMany2: 'a route object',
      howMany3: 'it',
      details: 'route: 192.0.2.0/24',
      andMore: 'And 2 more: route 192.0.2.0/24AS64500.',
    },
  },
  deletedHolderNumbers: {
    topic: 'whois.objects',
    subject: 'Deleted by the holder of its numbers: {name}',
    body: [
      '{accountName} holds the numbers of {name} and deleted it.',
      '{reasonGiven}',
      'This is the object as it was:',
      '{text}',
      'If you should write it, ask the holder to name your maintainer.',
    ],
    says: { reasonGiven: 'Its reason: The documents name another organisation.' },
    samples: { name: 'route 192.0.2.0/24AS64500' },
  },
  takenOverHolderNumbers: {
    topic: 'whois.objects',
    subject: 'Taken over by the holder of its numbers: {name}',
    body: [
      '{accountName} holds the numbers of {name} and maintains it from now on.',
      '{reasonGiven}',
      'This is the object as it was:',
      '{text}',
      'If you should write it, ask the holder to name your maintainer.',
    ],
    says: { reasonGiven: 'Its reason: The documents name another organisation.' },
    samples: { name: 'route 192.0.2.0/24AS64500' },
  },
  changeRefused: {
    topic: 'whois.objects',
    subject: 'Refused: a change of {objects}',
    body: [
      'You get this because objects in the {source} whois database, or their maintainers, list your address.',
      'Change requested from: {who}',
      '{text}',
    ],
  },
  objectsChanged: {
    topic: 'whois.objects',
    subject: 'Changed in the {source} database: {objects}',
    body: [
      'You get this because objects in the {source} whois database, or their maintainers, list your address.',
      'Change requested from: {who}',
      '{text}',
    ],
  },
});
