import type { tickets } from '@portal/contract/tickets/tickets';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const ticketsWords = {
  activities: {
    tickets: {
      category: 'account',
      actions: {
        openTicket: 'Open a ticket',
        answerTicket: 'Answer in a ticket',
        closeTicket: 'Mark a ticket as solved',
        readTicket: 'Read a ticket',
        openTicketFile: { words: 'Open a file of a ticket', category: 'documents' },
        answerStaffTicket: 'Answer a ticket of a member',
        changeStaffTicket: 'Change a ticket',
        remind: 'Send a reminder of a ticket',
        solveWaiting: 'Mark a ticket as solved: no answer',
      },
    },
  },
  unshown: {
    ticket: 'who sees a ticket follows from its queue: the tickets themselves show it',
    ticket_cc: 'the ticket shows them',
    ticket_message: 'the ticket shows them, and comments are the registry’s',
    ticket_read: 'a person’s',
  },
} satisfies ModuleWords<{ tickets: typeof tickets }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    tickets: typeof ticketsWords;
  }
}
