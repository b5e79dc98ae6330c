import type { accountTickets } from '@portal/contract/tickets/account-tickets';
import type { talks } from '@portal/contract/tickets/talks';
import type { tickets } from '@portal/contract/tickets/tickets';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const ticketsWords = {
  activities: {
    'tickets.accountTickets': {
      category: 'account',
      actions: {
        openAccountTicket: 'Open a ticket',
        answerAccountTicket: 'Answer in a ticket',
        closeAccountTicket: 'Mark a ticket as solved',
      },
    },
    tickets: {
      category: 'account',
      actions: {
        openTicket: 'Open a ticket',
        answerTicket: 'Answer in a ticket',
        closeTicket: 'Mark a ticket as solved',
        linkTicket: 'Link a ticket, or remove a link',
        copyTicket: 'Copy a person in a ticket',
        readTicket: 'Read a ticket',
        openTicketFile: { words: 'Open a file of a ticket', category: 'documents' },
        openStaffTicket: 'Write to the account',
        answerStaffTicket: 'Answer a ticket of a member',
        changeStaffTicket: 'Change a ticket',
        takeMail: 'Take in an e-mail to a ticket',
        passOn: 'Pass a ticket on to Request Tracker',
        takeFromTracker: 'Take in an answer from Request Tracker',
        remind: 'Send a reminder of a ticket',
        solveWaiting: 'Mark a ticket as solved: no answer',
        mailUnreadTalks: 'Mail answers of “Talk to us” that were not read',
      },
    },
    'tickets.talks': { category: 'account', actions: { sendTalk: 'Write to support' } },
  },
  unshown: {
    ticket: 'who sees a ticket follows from its queue: the tickets themselves show it',
    ticket_cc: 'the ticket shows them',
    ticket_link: 'the ticket shows them',
    ticket_move: 'the ticket shows them',
    ticket_message: 'the ticket shows them, and comments are the registry’s',
    ticket_read: 'a person’s',
    ticket_tracking: 'its number in Request Tracker, which members don’t use',
  },
} satisfies ModuleWords<{ tickets: typeof tickets; 'tickets.accountTickets': typeof accountTickets; 'tickets.talks': typeof talks }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    tickets: typeof ticketsWords;
  }
}
