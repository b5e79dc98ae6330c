export { takeMail } from './mail-in.ts';
export { ticketsModule } from './module.ts';
export { memberOf } from './ticket-access.ts';
