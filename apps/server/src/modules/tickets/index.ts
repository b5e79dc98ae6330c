export { takeMail } from './mail-in.ts';
export { ticketsModule } from './module.ts';
export { openOutsideTicket } from './outside-ticket.ts';
export { memberOf } from './ticket-access.ts';
