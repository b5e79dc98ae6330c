import type { Attention } from '@portal/contract/home/home';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import { visibleTickets } from './ticket-access.ts';
import { frequent } from '../../platform/database/index.ts';
import { ticketPath } from './ticket-notices.ts';
import type { StoredTicket } from './ticket-row.ts';

/** Tickets that wait for an answer of the account. */
export async function ticketsAttention({ read, caller, account }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff || account.contactId === null) return [];
  const rows = await read.rows<Pick<StoredTicket, 'ticketId' | 'queue' | 'subject' | 'requestor'>>(
    frequent(sql`
    select t.ticket_id::text as ticket_id, t.queue, t.subject, t.requestor from ticket t where t.state = 'stalled' and ${visibleTickets(caller, account)}
    order by t.waiting_since limit 5`),
  );
  return rows.map(({ ticketId, queue, subject, requestor }) => ({
    attentionId: `ticket-${ticketId}`,
    urgency: 'soon',
    due: null,
    title: `Ticket ${ticketId} needs your reply`,
    detail: subject,
    action: { label: 'Answer', link: ticketPath(queue, ticketId) },
    forWhom: requestor === caller.loginId ? 'me' : 'account',
  }));
}
