import { accountTickets } from '@portal/contract/tickets/account-tickets';
import { talks } from '@portal/contract/tickets/talks';
import { tickets } from '@portal/contract/tickets/tickets';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import {
  accountTicketCases,
  answerAccountTicket,
  closeAccountTicket,
  getAccountTicket,
  listAccountTickets,
  openAccountTicket,
} from './account-tickets.ts';
import { answerStaffTicket, changeStaffTicket, getStaffTicket, listStaffTickets, openStaffTicket } from './staff-tickets.ts';
import { copyTicket, getTicketContext, linkTicket } from './ticket-context.ts';
import { getTalk, sendTalk } from './talks.ts';
import { answerTicket, closeTicket, getTicket, listTickets, openTicket, openTicketFile, readTicket, ticketCases } from './tickets.ts';

export const ticketRoutes: readonly Implementation[] = [
  implement(
    accountTickets,
    { listAccountTickets, getAccountTicket, openAccountTicket, answerAccountTicket, closeAccountTicket },
    accountTicketCases,
  ),
  implement(
    tickets,
    {
      listTickets,
      getTicket,
      getTicketContext,
      openTicket,
      answerTicket,
      closeTicket,
      linkTicket,
      copyTicket,
      readTicket,
      openTicketFile,
      listStaffTickets,
      getStaffTicket,
      openStaffTicket,
      answerStaffTicket,
      changeStaffTicket,
    },
    ticketCases,
  ),
  implement(talks, { getTalk, sendTalk }),
];
