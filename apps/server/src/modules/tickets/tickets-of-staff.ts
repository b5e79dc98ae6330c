import { sql } from 'kysely';
import { heldCases, type StaffCases } from '../roles/index.ts';
import { ticketLife } from '@portal/contract/tickets/life';
import { ticketCases } from './tickets.ts';

const isOpen = sql<boolean>`state not in ('resolved', 'rejected')`;

/** Open cases that someone has taken. */
export const ticketsOfStaff: StaffCases = {
  beforeOpening: { never: 'a ticket is a conversation, and decides nothing about the account' },
  open: read =>
    read.rows(
      sql`select 'tickets' as kind, owner as login_id, ticket_id::text as case_id from ticket where owner is not null and ${isOpen} order by ticket_id`,
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
