import { accountTickets } from '@portal/contract/tickets/account-tickets';
import { talks } from '@portal/contract/tickets/talks';
import { tickets } from '@portal/contract/tickets/tickets';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { answerAccountTicket, closeAccountTicket, getAccountTicket, listAccountTickets, openAccountTicket } from './account-tickets.ts';
import { answerStaffTicket, changeStaffTicket, getStaffTicket, listStaffTickets } from './staff-tickets.ts';
import { getTalk, sendTalk } from './talks.ts';
import { answerTicket, closeTicket, getTicket, listTickets, openTicket, openTicketFile, readTicket } from './tickets.ts';

export const ticketRoutes = ({ clock, config, profile }: Pick<RouteContext, 'clock' | 'config' | 'profile'>): Implementation[] => [
  implement(accountTickets, {
    listAccountTickets: ({ read, query, ...acting }) => listAccountTickets(read, acting, query),
    getAccountTicket: ({ read, params, ...acting }) => getAccountTicket(read, acting, params.ticketId, clock()),
    openAccountTicket: ({ change, body, ...acting }) => openAccountTicket(change, acting, body),
    answerAccountTicket: ({ change, params, body, ...acting }) => answerAccountTicket(change, acting, params.ticketId, body.text),
    closeAccountTicket: ({ change, params, ...acting }) => closeAccountTicket(change, acting, params.ticketId),
  }),
  implement(tickets, {
    listTickets,
    getTicket,
    openTicket: ({ change, caller, body }) => openTicket(change, caller, body),
    answerTicket: ({ change, caller, params, body }) => answerTicket(change, caller, params.ticketId, body),
    closeTicket,
    readTicket,
    openTicketFile,
    listStaffTickets,
    getStaffTicket,
    answerStaffTicket,
    changeStaffTicket,
  }),
  implement(talks, {
    getTalk: ({ read, caller, query }) =>
      getTalk(read, caller, query.account ?? null, clock(), { hours: config.supportHours.hours, timeZone: profile.timeZone }),
    sendTalk: ({ change, caller, body }) =>
      sendTalk(change, caller, body, { hours: config.supportHours.hours, timeZone: profile.timeZone }),
  }),
];
