import { tickets } from '@portal/contract/tickets/tickets';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import { answerStaffTicket, changeStaffTicket, getStaffTicket, listStaffTickets } from './staff-tickets.ts';
import { answerTicket, closeTicket, getTicket, listTickets, openTicket, openTicketFile, readTicket } from './tickets.ts';

export const ticketRoutes = ({ clock, config }: { clock: () => Date; config: Secrets }): Implementation[] => [
  implement(tickets, {
    listTickets: ({ read, caller, query }) => listTickets(read, caller, query, clock()),
    getTicket: ({ read, caller, params }) => getTicket(read, caller, params.ticketId, clock()),
    openTicket: ({ change, caller, body }) => openTicket(change, caller, body),
    answerTicket: ({ change, caller, params, body }) => answerTicket(change, caller, params.ticketId, body),
    closeTicket: ({ change, caller, params }) => closeTicket(change, caller, params.ticketId),
    readTicket: ({ change, caller, params }) => readTicket(change, caller, params.ticketId),
    openTicketFile: ({ change, caller, params }) => openTicketFile(change, config, caller, params),
    listStaffTickets: ({ read, caller, query }) => listStaffTickets(read, caller, query, clock()),
    getStaffTicket: ({ read, caller, params }) => getStaffTicket(read, caller, params.ticketId, clock()),
    answerStaffTicket: ({ change, caller, params, body }) => answerStaffTicket(change, caller, params.ticketId, body),
    changeStaffTicket: ({ change, caller, params, body }) => changeStaffTicket(change, caller, params.ticketId, body),
  }),
];
