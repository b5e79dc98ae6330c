import * as z from 'zod/mini';
import { AttachedIds, Attachment, FileAddress, openErrors } from '../documents/documents.ts';
import { Email } from '../email.ts';
import { endpoint, group, signedIn, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { contactTypes } from '../permissions.ts';
import { severalLines } from '../several-lines.ts';
import { ticketLife } from './life.ts';
import { ticketQueueNames, ticketStateNames, tieKindOf, tieKinds } from './queues.ts';

const Queue = z.enum(ticketQueueNames);
const Tie = z.object({ kind: z.enum(tieKinds), text: z.string(), link: z.nullable(z.string()) });

/** A ticket in a list. */
export const TicketRow = z.object({
  ticketId: z.string(),
  queue: Queue,
  subject: z.string(),
  state: z.enum(ticketStateNames),
  accountName: z.nullable(z.string()),
  requestor: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Since when the current party has the next move. */
  waitingSince: z.iso.datetime(),
  /** Something in it is newer than the reader's last look. */
  unread: z.boolean(),
  /** It is a conversation in the panel “Talk to us”: the person may be waiting there. */
  isTalk: z.boolean(),
  /** The registry wrote first: `requestor` is the contact it wrote to. */
  fromRegistry: z.boolean(),
});
export type TicketRow = z.infer<typeof TicketRow>;

export const TicketMessage = z.object({
  messageId: z.string(),
  /** `comment` is between registry staff and never leaves the desk; `event` says what happened to the ticket. */
  kind: z.enum(['message', 'comment', 'event']),
  by: z.enum(['member', 'staff', 'system']),
  author: z.string(),
  /** Contact types of its author at the ticket's account today; empty for the registry, and for a sender who isn't known to be a contact. */
  contactTypes: z.array(z.enum(contactTypes)),
  /** It came by e-mail. */
  byMail: z.boolean(),
  /** The mail server didn’t say that the e-mail is from its sender: anyone can write an address into one. */
  senderUnverified: z.boolean(),
  text: z.string(),
  at: z.iso.datetime(),
  /** It is stored, but the registry’s ticket system hasn’t been reachable for minutes. */
  delayed: z.boolean(),
  files: z.array(Attachment),
});
export type TicketMessage = z.infer<typeof TicketMessage>;

/** A ticket with everything the reader may see of it, oldest first. */
export const Ticket = z.object({
  ...TicketRow.shape,
  cc: z.array(z.object({ name: z.string(), email: z.string() })),
  tie: z.nullable(Tie),
  firstAnswerAt: z.nullable(z.iso.datetime()),
  resolvedAt: z.nullable(z.iso.datetime()),
  /** Minutes that the registry and the member had the next move. */
  minutesWithUs: z.int(),
  minutesWithYou: z.int(),
  messages: z.array(TicketMessage),
  /** The registry's need from the member, in a line; null where it did not say, or has the next move itself. */
  asks: z.nullable(z.string()),
  /** The reader may answer, close and reopen. */
  writable: z.boolean(),
  reopenableUntil: z.nullable(z.iso.datetime()),
});
export type Ticket = z.infer<typeof Ticket>;

/** A prefix, AS number, invoice or request that a ticket is about, with its state now. */
export const TicketLink = z.object({
  kind: z.enum(tieKinds),
  text: z.string(),
  /** Its page; null where the reader may not open it. */
  link: z.nullable(z.string()),
  mark: z.nullable(z.object({ state: z.enum(['valid', 'invalid', 'warning', 'pending', 'info']), words: z.string() })),
  /** A line about it: `Renewal, AUD 6 427.31`; empty where nothing is known. */
  words: z.string(),
  /** It was linked by a person, who can remove it; otherwise it is named in the messages. */
  isManual: z.boolean(),
});
export type TicketLink = z.infer<typeof TicketLink>;

/** Hours until the first answer that are counted one by one; longer ones are counted together. */
export const answerHours = 12;
/** Days of answers that are counted. */
export const answerDays = 30;

/** How long first answers took in a queue in the last days. */
export const AnswerTimes = z.object({
  queue: Queue,
  count: z.int(),
  /** Half, and nine of ten, came within so many minutes; null without any. */
  medianMinutes: z.nullable(z.int()),
  ninthMinutes: z.nullable(z.int()),
  /** Number of answers by the hour after the ticket: the first 12 hours, then all later ones. */
  byHour: z.array(z.int()),
});
export type AnswerTimes = z.infer<typeof AnswerTimes>;

/** Everything around a ticket: linked things, who had the next move, who reads it, and how long answers take. */
export const TicketContext = z.object({
  links: z.array(TicketLink),
  /** Who had the next move since when, oldest first: the registry, the member, or neither of them. */
  moves: z.array(z.object({ who: z.enum(['us', 'you', 'none']), from: z.iso.datetime() })),
  owner: z.nullable(z.string()),
  /** Contacts who can read it; null for a ticket of one person. */
  readers: z.nullable(z.int()),
  answers: AnswerTimes,
  /** Medians of other queues with answers. */
  otherMedians: z.array(z.object({ queue: Queue, medianMinutes: z.int() })),
  /** Whether support is staffed now, and when that changes; null where the registry doesn't say. */
  hours: z.nullable(z.object({ staffed: z.boolean(), until: z.iso.datetime() })),
  /** Contacts of the account who can be copied in. */
  colleagues: z.array(z.object({ name: z.string(), email: z.string() })),
});
export type TicketContext = z.infer<typeof TicketContext>;

/** A ticket as registry staff see it. */
export const StaffTicket = z.extend(Ticket, {
  requestorEmail: z.string(),
  /** The requestor is no contact of an account, so account matters are not answered. */
  unverified: z.boolean(),
  owner: z.nullable(z.string()),
});
export type StaffTicket = z.infer<typeof StaffTicket>;

/** Filters of a list of tickets, and its page. */
export const ticketFilters = {
  state: z._default(z.enum(['open', 'closed', 'all']), 'open'),
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
};
/** Choices of an owner in the tickets of registry staff: `mine` are those that the caller has taken, `none` those that no one has. */
export const ticketOwners = ['any', 'mine', 'none'] as const;
const text = severalLines(20_000, 1);
export const AboutWhat = z.string().check(
  z.trim(),
  z.maxLength(60),
  z.refine(about => about === '' || tieKindOf(about) !== null, {
    error: 'Enter a prefix, an AS number, an invoice or a request, such as 198.51.100.0/24, AS64500, INV-2026-000388 or ORG-12',
  }),
);
const shut = ['NOT_FOUND', 'SECOND_FACTOR_DEMANDED'] as const;

/** Support tickets, of an account and of a person. Which the reader sees and writes follows from the permissions of the queue. */
export const tickets = group('tickets', {
  listTickets: endpoint({
    method: 'GET',
    path: '/api/tickets',
    summary: 'Tickets the caller may see: their own, and those of the account in the queues of their permissions; last changed first.',
    access: signedIn,
    query: z.object({ account: z.optional(z.string()), queue: z.optional(Queue), ...ticketFilters }),
    answer: z.object({
      rows: z.array(TicketRow),
      total: z.int(),
      unread: z.int(),
      /** Half of the tickets of the queue were first answered within so many minutes, in the last 90 days; null without any. */
      medianAnswerMinutes: z.nullable(z.int()),
      /** Queues in which the caller writes for the account. */
      writes: z.array(Queue),
    }),
    errors: ['ACCOUNT_NOT_FOUND', 'SECOND_FACTOR_DEMANDED'],
  }),
  getTicket: endpoint({
    method: 'GET',
    path: '/api/tickets/:ticketId',
    summary: 'A ticket with its messages, oldest first. One that the caller may not see looks non-existent.',
    access: signedIn,
    answer: Ticket,
    errors: shut,
  }),
  getTicketContext: endpoint({
    method: 'GET',
    path: '/api/tickets/:ticketId/context',
    summary: 'What a ticket is linked to, who had the next move, who reads it, and how long answers take.',
    access: signedIn,
    answer: TicketContext,
    errors: shut,
  }),
  openTicket: endpoint({
    method: 'POST',
    path: '/api/tickets',
    summary: 'Write to the registry, for an account or for oneself.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({
      queue: Queue,
      account: z.nullable(z.string()),
      subject: oneLine(200, 3, 'Enter a subject of at least 3 characters'),
      text,
      about: z._default(AboutWhat, ''),
      cc: z._default(z.array(Email).check(z.maxLength(5, { error: 'Add at most 5 people' })), []),
      documentIds: AttachedIds,
    }),
    answer: Ticket,
    errors: [
      'ACCOUNT_NOT_FOUND',
      'SECOND_FACTOR_DEMANDED',
      'TICKET_ACCOUNT',
      'TICKET_COPY',
      'TOO_MANY_REQUESTS',
      'NOT_FOUND',
      'FILE_UNUSABLE',
    ],
    activity: 'Opened a ticket',
  }),
  answerTicket: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/messages',
    moves: ticketLife.write,
    summary: 'Answer in a ticket. It is with the registry from then on, also if it was solved; or it is solved with the answer.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({
      text,
      /** The answer solves it: the registry has nothing left to do. */
      solved: z._default(z.boolean(), false),
      documentIds: AttachedIds,
    }),
    answer: Ticket,
    errors: [...shut, 'NO_PERMISSION', 'TICKET_CLOSED', 'FILE_UNUSABLE', 'TOO_MANY_REQUESTS'],
    activity: 'Answered in a ticket',
  }),
  closeTicket: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/close',
    summary: 'Mark a ticket as solved.',
    moves: ticketLife.close,
    access: signedIn,
    effect: 'conversation',
    answer: Ticket,
    errors: [...shut, 'NO_PERMISSION', 'TICKET_STATE'],
    activity: 'Solved a ticket',
  }),
  linkTicket: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/links',
    summary: 'Link a ticket to a prefix, AS number, invoice or request, or remove such a link.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({
      about: AboutWhat.check(z.minLength(1, { error: 'Enter a prefix, an AS number, an invoice or a request' })),
      linked: z._default(z.boolean(), true),
    }),
    answer: TicketContext,
    errors: [...shut, 'NO_PERMISSION', 'NOTHING_TO_DO', 'TOO_MANY_LINKS'],
    activity: 'Linked a ticket',
  }),
  copyTicket: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/copies',
    summary: 'Copy a contact of the account in: they get the answers from then on.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({ email: Email }),
    answer: Ticket,
    errors: [...shut, 'NO_PERMISSION', 'TICKET_COPY', 'NOTHING_TO_DO'],
    activity: 'Copied a person in a ticket',
  }),
  readTicket: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/read',
    summary: 'Record that the caller has read a ticket up to now.',
    access: signedIn,
    effect: 'own settings',
    errors: shut,
    activity: 'Read a ticket',
  }),
  openTicketFile: endpoint({
    method: 'POST',
    path: '/api/tickets/:ticketId/files/:documentId',
    summary: 'An address for a minute of a file in a ticket, for the caller only.',
    access: signedIn,
    effect: 'reading',
    answer: FileAddress,
    errors: [...openErrors, 'SECOND_FACTOR_DEMANDED'],
    activity: 'Opened a file of a ticket',
  }),
  listStaffTickets: endpoint({
    method: 'GET',
    path: '/api/staff/tickets',
    summary: 'Tickets of all members, those that wait longest for the registry first.',
    access: staff('support'),
    query: z.object({ queue: z.optional(Queue), owner: z._default(z.enum(ticketOwners), 'any'), ...ticketFilters }),
    answer: z.object({
      rows: z.array(TicketRow),
      total: z.int(),
      /** How many tickets each choice of an owner would show, with the other filters as they are. */
      owners: z.record(z.enum(ticketOwners), z.int()),
      /** By queue: how many wait for the registry, and the median of first answers in minutes. */
      queues: z.array(z.object({ queue: Queue, waiting: z.int(), medianAnswerMinutes: z.nullable(z.int()) })),
    }),
  }),
  getStaffTicket: endpoint({
    method: 'GET',
    path: '/api/staff/tickets/:ticketId',
    summary: 'A ticket with its messages and the comments of registry staff.',
    access: staff('support'),
    answer: StaffTicket,
    errors: ['NOT_FOUND'],
  }),
  openStaffTicket: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/tickets',
    summary: 'Write to contacts of an account as the registry: a ticket of the account that waits for their answer.',
    access: staff('support'),
    effect: 'conversation',
    body: z.object({
      queue: Queue,
      subject: oneLine(200, 3, 'Enter a subject of at least 3 characters'),
      text,
      /** The contact it is written to, and others who are copied in. */
      to: z.string().check(z.minLength(1, { error: 'Choose a contact' }), z.maxLength(100)),
      cc: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(5, { error: 'Copy in at most 5 people' })), []),
      /** The need from the member, in a line at the head of the ticket. */
      asks: z._default(oneLine(160), ''),
      documentIds: AttachedIds,
    }),
    answer: StaffTicket,
    errors: ['NOT_FOUND', 'ACCOUNT_CLOSED', 'TICKET_TO', 'FILE_UNUSABLE'],
    activity: 'Wrote to the account',
  }),
  answerStaffTicket: endpoint({
    method: 'POST',
    path: '/api/staff/tickets/:ticketId/messages',
    moves: ticketLife.sort,
    summary: 'Answer the member, or comment among registry staff.',
    access: staff('support'),
    effect: 'conversation',
    body: z.object({
      text,
      /** Must be given explicitly: a comment never leaves the desk, an answer is sent to the member. */
      comment: z.boolean({ error: 'Say who reads it: true for a comment among registry staff, false for an answer to the member' }),
      /** Who has the next move after the answer. */
      next: z._default(z.enum(['open', 'stalled', 'resolved']), 'stalled'),
      /** The need from the member, in a line at the head of the ticket; only with the next move. */
      asks: z._default(oneLine(160), ''),
      documentIds: AttachedIds,
    }),
    answer: StaffTicket,
    errors: ['NOT_FOUND', 'FILE_UNUSABLE'],
    activity: 'Answered a ticket of a member',
  }),
  changeStaffTicket: endpoint({
    method: 'POST',
    path: '/api/staff/tickets/:ticketId',
    moves: ticketLife.sort,
    summary: 'Move a ticket to another queue, take it, say what it is about, or end it.',
    access: staff('support'),
    effect: 'conversation',
    body: z.object({
      queue: z.optional(Queue),
      about: z.optional(AboutWhat),
      state: z.optional(z.enum(ticketStateNames)),
      take: z.optional(z.boolean()),
    }),
    answer: StaffTicket,
    errors: ['NOT_FOUND', 'NOTHING_TO_DO'],
    activity: 'Changed a ticket',
  }),
});
