import { sql } from 'kysely';
import { heldCases, type StaffCases } from '../roles/index.ts';
import { ticketLife } from '@portal/contract/tickets/life';
import { isOpen } from './ticket-row.ts';
import { ticketCases } from './tickets.ts';

/** Open cases that someone has taken. */
export const ticketsOfStaff: StaffCases = {
  beforeOpening: { never: 'a ticket is a conversation, and decides nothing about the account' },
  open: read =>
    read.rows(
      sql`select 'tickets' as kind, t.owner as login_id, t.ticket_id::text as case_id from ticket t where t.owner is not null and ${isOpen} order by t.ticket_id`,
    ),
  held: {
    tickets: heldCases({
      cases: ticketCases,
      as: ticketLife.sort,
      param: 'ticketId',
      nameOf: ({ row }) => `Ticket ${row.ticketId}`,
      handlerOf: ({ row }) => row.owner,
      give: async (change, { row }, to) => {
        await change.updateTable('ticket').set({ owner: to }).where('ticketId', '=', Number(row.ticketId)).execute();
      },
      // A conversation decides nothing: who is a contact of the account can answer it too.
      ownersOf: async () => [],
    }),
  },
};
