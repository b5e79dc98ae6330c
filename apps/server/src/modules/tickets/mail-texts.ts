import { mailTexts } from '../mail/index.ts';

/** The texts of the mails of this module, unless registry staff change them. */
export const ticketsTexts = mailTexts('tickets', {
  solvedWithoutAnswer: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: [
      'We marked this ticket as solved, because we had no answer for {solveDays} days. Answer within {reopenDays} days to open it again.',
    ],
  },
  waitsForAnswer: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['This ticket has waited for your answer for {remindDays} days. Without one we mark it as solved in another {leftDays} days.'],
  },
  wroteByMail: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{writer} wrote by e-mail:', '{words}'],
    samples: { words: 'Where do I find my invoices?' },
  },
  wrote: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{writer} wrote:', '{words}'],
    samples: { words: 'Where do I find my invoices?' },
  },
  received: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['We received “{ticketSubject}” as ticket {ticket} ({queue}). We answer in the portal and by e-mail.'],
  },
  receivedFromOutside: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['We received “{ticketSubject}” as ticket {ticket}. We answer by e-mail.'],
  },
  answered: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{words}', '{markedAsSolved}'],
    says: { markedAsSolved: 'We marked this ticket as solved. Answer within 14 days to open it again.' },
    samples: { words: 'You find your invoices under Billing.' },
  },
  talkAnswered: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{words}'],
    samples: { words: 'You find your invoices under Billing.' },
  },
  trackerAnswered: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{words}'],
    samples: { words: 'You find your invoices under Billing.' },
  },
  copiedIn: {
    topic: 'tickets.answers',
    subject: '{ticketTag} {ticketSubject}',
    body: ['{actor} copied you in. You get the answers from now on.'],
  },
});
