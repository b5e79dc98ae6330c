import { sql } from 'kysely';
import { backlogOf } from '../../platform/backlogs.ts';
import { ticketsOfStaff } from './tickets-of-staff.ts';
import type { Module } from '../../platform/module.ts';
import { ticketsWords } from './activity-words.ts';
import { ticketsAttention } from './attention.ts';
import { runTicketDeadlines } from './deadlines.ts';
import { ticketRoutes } from './routes.ts';
import { ticketRecords } from './ticket-records.ts';
import { mailUnreadTalks } from './talks.ts';
import { findTickets, findTicketsEverywhere } from './ticket-finder.ts';
import { workWithTracker } from './tracker-sync.ts';
import { ticketsPersonal } from './personal-data.ts';
import { ticketsTexts } from './mail-texts.ts';
import { ticketServiceFacts } from './board-facts.ts';

export const ticketsModule: Module = {
  name: 'tickets',
  boardFacts: { service: ticketServiceFacts },
  mailTexts: ticketsTexts,
  tables: ['ticket', 'ticketCc', 'ticketLink', 'ticketMessage', 'ticketMove', 'ticketRead', 'ticketTracking'],
  personal: ticketsPersonal,
  routes: () => ticketRoutes,
  backlogs: [
    backlogOf(
      'tickets.tracker',
      sql`ticket_message where passed_on_at is null and passing_since is not null and kind <> 'event'`,
      sql`passing_since`,
    ),
  ],
  schedule: [
    { name: 'tickets.runTicketDeadlines', every: 60, run: ({ db, clock }) => runTicketDeadlines(db, clock()) },
    { name: 'tickets.mailUnreadTalks', every: 1, run: ({ db, clock }) => mailUnreadTalks(db, clock()) },
    { name: 'tickets.workWithTracker', every: 1, run: workWithTracker },
  ],
  records: [ticketRecords],
  attention: ticketsAttention,
  find: findTickets,
  findEverywhere: findTicketsEverywhere,
  staffCases: ticketsOfStaff,
  words: ticketsWords,
  demo: () => import('./demo.ts'),
  keeps: [
    {
      of: 'writer',
      data: 'Your name, e-mail address and messages. Files are kept as documents',
      purpose: 'To answer you, and to know later what was said',
      from: 'after the ticket was resolved',
      ends: 'tickets',
      tables: ['ticket', 'ticketCc', 'ticketMessage', 'ticketRead'],
      over: [
        {
          table: 'ticket',
          after: 'updatedAt',
          only: { state: ['resolved', 'rejected'] },
          with: [
            { table: 'ticketCc', by: 'ticketId' },
            { table: 'ticketMessage', by: 'ticketId' },
            { table: 'ticketRead', by: 'ticketId' },
            { table: 'ticketTracking', by: 'ticketId' },
            { table: 'ticketMove', by: 'ticketId' },
            { table: 'ticketLink', by: 'ticketId' },
          ],
        },
      ],
    },
  ],
};
