import { isTicketOver, type TicketState } from '@portal/contract/tickets/queues';
import type { Module } from '../../platform/module.ts';
import { printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { writtenQueues, visibleTickets } from './ticket-access.ts';
import { isOpen } from './ticket-row.ts';

type Row = { ticketId: string; queue: string; subject: string; state: TicketState; updatedAt: string };

/** Tickets about exactly these numbers that the caller sees, on their page: those that are open, else the last one. */
export const ticketRecords: NonNullable<Module['records']>[number] = {
  id: 'tickets',
  describe: async ({ read, account, caller, byProgram, resource, own, on }) => {
    if (!own || on !== null || account.asStaff || byProgram) return {};
    const text = printResource(resource);
    const rows = await read.rows<Row>(sql`select t.ticket_id::text, t.queue, t.subject, t.state, t.updated_at from ticket t
      where t.account_name = ${account.accountName} and t.tie_kind in ('prefix', 'asn') and lower(t.tie_text) = ${text.toLowerCase()}
        and ${visibleTickets(caller, account)} order by ${isOpen} desc, t.updated_at desc limit 20`);
    const open = rows.filter(({ state }) => !isTicketOver(state));
    const waiting = open.filter(({ state }) => state === 'stalled');
    const queues = writtenQueues(account);
    const queue = queues.includes('resources') ? 'resources' : queues[0];
    const [last] = rows;
    return {
      health: {
        about: 'tickets',
        mark: waiting.length > 0 ? 'warning' : open.length > 0 ? 'info' : 'valid',
        word:
          waiting.length > 0
            ? `${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'} for you`
            : open.length > 0
              ? `${open.length} open`
              : 'None open',
        facts: (open.length > 0 ? open.slice(0, 3) : last ? [last] : []).flatMap(row => [
          {
            label: open.length > 0 ? `Ticket ${row.ticketId}` : 'Last',
            text: row.subject,
            at: null,
            link: `/contact/${row.queue}/ticket/${row.ticketId}`,
            mono: false,
          },
          { label: open.length > 0 ? 'Updated' : 'Closed', text: '', at: row.updatedAt, link: null, mono: false },
        ]),
        actions: queue
          ? [
              {
                label: 'Ask about it',
                link: `/contact/${queue}/rt-tickets?${new URLSearchParams({ new: 'yes', about: text }).toString()}`,
              },
            ]
          : [],
      },
    };
  },
};
