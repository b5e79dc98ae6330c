import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const organisationsTexts = mailTexts('organisations', {
  requestClose: {
    topic: 'organisation.changes',
    subject: 'Request to close {accountName}',
    body: [
      '{actor} ({actorEmail}) asked to close the account of {orgName} on {closeOn}.',
      'Reason: {reason}',
      '{handlingWords}',
      '{attachments}',
      'Nothing changes until registry staff approve it, and the account stays open until that day. A corporate contact can withdraw the request. If you didn’t expect this, reply to this e-mail immediately.',
    ],
    says: { attachments: 'Attached: certificate.pdf.' },
  },
  closureWithdrawn: {
    topic: 'organisation.changes',
    subject: '{reference}: {accountName} stays open',
    body: ['{actor} withdrew the request to close the account on {closeOn}. Nothing changes.'],
  },
  accountCloses: {
    topic: 'organisation.changes',
    subject: '{reference}: {accountName} closes on {closeOn}',
    body: [
      'Registry staff approved closing the account of {orgName}. It closes on {closeOn}. Until then a corporate contact can withdraw the request.',
      '{handlingWords}',
      '{note}',
    ],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  closureRejected: {
    topic: 'organisation.changes',
    subject: '{reference}: {accountName} stays open',
    body: ['Registry staff rejected closing the account of {orgName} on {closeOn}. Nothing changes.', '{note}'],
    says: { note: 'They write:\n\nThank you for the documents.' },
  },
  accountClosed: {
    topic: 'organisation.changes',
    subject: '{accountName} is closed',
    body: ['The account of {orgName} was closed, as its corporate contacts asked. It can no longer be used in the portal.', '{ifThisIs}'],
    says: { ifThisIs: 'If this is a mistake, write to us within three months.' },
  },
  closureEnded: { topic: 'organisation.changes', subject: 'CLOSE-{reference}: {accountName} stays open', body: ['{note}'] },
  requestChange: {
    topic: 'organisation.changes',
    subject: '{reference}: request to change the {field} of {accountName}',
    body: [
      '{actor} ({actorEmail}) asked to change the {field}: {valueNow} → {value}.',
      '{reasonGiven}',
      '{attachments}',
      'Nothing changes until registry staff approve it. If you didn’t expect this, reply to this e-mail immediately.',
    ],
    says: { reasonGiven: 'Reason: The documents name another organisation.', attachments: 'Attached: certificate.pdf.' },
  },
  answerAbout: {
    topic: 'organisation.changes',
    subject: '{reference}: answer about {accountName}',
    body: ['{actor} answered the question about the {field}:', '{answer}', '{attachments}'],
    says: { attachments: 'Attached: certificate.pdf.' },
  },
  requestAboutWithdrawn: {
    topic: 'organisation.changes',
    subject: '{reference}: request about {accountName} withdrawn',
    body: ['{actor} withdrew the request to change the {field} to {wantedValue}. Nothing changes.'],
  },
  questionAboutChange: {
    topic: 'organisation.changes',
    subject: '{reference}: question about your change of {accountName}',
    body: [
      'Before changing the {field} to {wantedValue}, registry staff ask:',
      '{question}',
      'Answer on the organisation details page. You can add documents there.',
    ],
  },
  registryApprovedChange: {
    topic: 'organisation.changes',
    subject: '{reference}: the registry approved a change of {accountName}',
    body: ['The {field} is now {wantedValue}. It was {valueNow}.', '{note}'],
    says: { note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  registryRefusedChange: {
    topic: 'organisation.changes',
    subject: '{reference}: the registry refused a change of {accountName}',
    body: ['The {field} stays {valueNow}. {requestedBy} asked for {wantedValue}.', '{note}'],
    says: { note: 'Registry staff write:\n\nThank you for the documents.' },
  },
  organisationDetailsChanged: {
    topic: 'organisation.changes',
    subject: 'Organisation details of {accountName} changed',
    body: [
      '{actor} ({actorEmail}) changed the details of {orgName}.',
      '{fields}',
      'If you didn’t expect this, ask the person who changed it or contact us.',
    ],
  },
  economyChanged: {
    topic: 'organisation.changes',
    subject: 'The economy of {accountName} changed',
    body: [
      'Registry staff changed the economy of {orgName}: {economy} → {economy2}.',
      'They write:',
      '{reason}',
      'Taxes and discounts change from the next invoice.',
    ],
  },
});
