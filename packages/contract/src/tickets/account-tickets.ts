import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, contact } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { ticketQueueNames } from './queues.ts';
import { AboutWhat, Ticket, ticketFilters, TicketRow } from './tickets.ts';
import { ticketLife } from './life.ts';

const Queue = z.enum(ticketQueueNames);
const text = severalLines(20_000, 1);

/** All tickets of an account, for programs: those in the queues of the caller's permissions, without personal ones. */
export const accountTickets = group('tickets.accountTickets', {
  listAccountTickets: endpoint({
    method: 'GET',
    path: '/api/:account/tickets',
    publicApi: { path: '/tickets', scope: 'tickets:read' },
    summary: 'Support tickets of the account in the queues of the caller’s permissions, last changed first, a page at a time.',
    access: { ...contact, staff: 'support' },
    query: z.object({ queue: z.optional(Queue), ...ticketFilters }),
    answer: z.object({ rows: z.array(TicketRow), total: z.int() }),
  }),
  getAccountTicket: endpoint({
    method: 'GET',
    path: '/api/:account/tickets/:ticketId',
    publicApi: { path: '/tickets/:ticketId', scope: 'tickets:read' },
    summary: 'A ticket of the account with its messages, oldest first. One of another queue looks non-existent.',
    access: { ...contact, staff: 'support' },
    answer: Ticket,
    errors: ['NOT_FOUND'],
  }),
  openAccountTicket: endpoint({
    method: 'POST',
    path: '/api/:account/tickets',
    publicApi: { path: '/tickets', scope: 'tickets:write' },
    summary: 'Write to the registry for the account. Answers come to the person whose key it is, and to those copied in.',
    access: contact,
    effect: 'conversation',
    body: z.object({
      queue: Queue,
      subject: oneLine(200, 3, 'Enter a subject of at least 3 characters'),
      text,
      about: z._default(AboutWhat, ''),
      /** Contacts of the account. */
      cc: z._default(z.array(Email).check(z.maxLength(5, { error: 'Add at most 5 people' })), []),
    }),
    answer: Ticket,
    errors: ['TICKET_ACCOUNT', 'TICKET_COPY', 'TOO_MANY_REQUESTS'],
    activity: 'Opened a ticket',
  }),
  answerAccountTicket: endpoint({
    method: 'POST',
    path: '/api/:account/tickets/:ticketId/messages',
    publicApi: { path: '/tickets/:ticketId/messages', scope: 'tickets:write' },
    moves: ticketLife.write,
    summary: 'Answer in a ticket of the account. It is with the registry from then on, also if it was solved.',
    access: contact,
    effect: 'conversation',
    body: z.object({ text }),
    answer: Ticket,
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'TICKET_CLOSED', 'TOO_MANY_REQUESTS'],
    activity: 'Answered in a ticket',
  }),
  closeAccountTicket: endpoint({
    method: 'POST',
    path: '/api/:account/tickets/:ticketId/close',
    publicApi: { path: '/tickets/:ticketId/close', scope: 'tickets:write' },
    moves: ticketLife.close,
    summary: 'Mark a ticket of the account as solved.',
    access: contact,
    effect: 'conversation',
    answer: Ticket,
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'TICKET_STATE'],
    activity: 'Solved a ticket',
  }),
});
