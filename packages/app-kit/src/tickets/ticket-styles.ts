/** The look of tickets, which members and registry staff see alike. */
export { default as ticketStyles } from './Tickets.module.css';
