import { life } from '../life.ts';
import { openTicketStates, ticketStateNames } from './queues.ts';

const all = ticketStateNames;

/** The life of a ticket. Where Request Tracker keeps the tickets, it may move one in any way. */
export const ticketLife = life(
  { title: 'Tickets', table: 'ticket', column: 'state', states: ticketStateNames },
  {
    write: {
      from: [...openTicketStates, 'resolved'],
      to: ['new', 'open', 'resolved'],
      who: 'member',
      does: 'writes; a solved ticket is open again, within its days, or an answer solves one',
      by: ['tickets.talks.sendTalk', 'tickets.takeMail'],
    },
    close: { from: openTicketStates, to: ['resolved'], who: 'member', does: 'marks it as solved' },
    sort: { from: all, to: all, who: 'staff', does: 'answer, mark or open it again' },
    lapse: {
      from: ['stalled'],
      to: ['resolved'],
      who: 'registry',
      does: 'closes one that waited long for the member',
      by: ['tickets.solveWaiting'],
    },
    follow: { from: all, to: all, who: 'registry', does: 'follows the tracker', by: ['tickets.takeFromTracker'] },
  },
);
