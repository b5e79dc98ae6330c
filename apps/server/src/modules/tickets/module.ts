import type { Module } from '../../platform/module.ts';
import { ticketsWords } from './activity-words.ts';
import { ticketsAttention } from './attention.ts';
import { runTicketDeadlines } from './deadlines.ts';
import { ticketRoutes } from './routes.ts';
import { findTickets, findTicketsEverywhere } from './ticket-finder.ts';

export const ticketsModule: Module = {
  name: 'tickets',
  tables: ['ticket', 'ticketCc', 'ticketMessage', 'ticketRead'],
  routes: ticketRoutes,
  schedule: [{ name: 'tickets.runTicketDeadlines', every: 60, run: ({ db, clock }) => runTicketDeadlines(db, clock()) }],
  attention: ticketsAttention,
  find: findTickets,
  findEverywhere: findTicketsEverywhere,
  words: ticketsWords,
};
