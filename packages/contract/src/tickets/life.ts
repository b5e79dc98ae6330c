import { life } from '../life.ts';
import { ticketStateNames } from './queues.ts';

const all = ticketStateNames;

/** The life of a ticket. Where Request Tracker keeps the tickets, it may move one in any way. */
export const ticketLife = life(
  { title: 'Tickets', table: 'ticket', column: 'state', states: ticketStateNames },
  {
    write: {
      from: ['new', 'open', 'stalled', 'resolved'],
      to: ['new', 'open'],
      who: 'member',
      does: 'writes; a solved ticket is open again',
    },
    close: { from: ['new', 'open', 'stalled'], to: ['resolved'], who: 'member', does: 'marks it as solved' },
    reopen: { from: ['resolved'], to: ['open'], who: 'member', does: 'opens it again, within its days' },
    sort: { from: all, to: all, who: 'staff', does: 'answer, mark or open it again' },
    lapse: { from: ['stalled'], to: ['resolved'], who: 'registry', does: 'closes one that waited long for the member' },
    follow: { from: all, to: all, who: 'registry', does: 'follows the tracker' },
  },
);
