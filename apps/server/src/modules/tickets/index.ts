export { memberOf } from './ticket-access.ts';
export { answerStaffTicket } from './staff-tickets.ts';
export { answerTicket, closeTicket, openTicket } from './tickets.ts';
export { ticketsModule } from './module.ts';
