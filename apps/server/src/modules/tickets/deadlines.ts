import { DAY_MS, instantBefore } from '@portal/contract/days';
import { ticketDays } from '@portal/contract/tickets/queues';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import { addMessage, lockTicket, moveTicket } from './ticket-row.ts';
import { ticketsTexts } from './mail-texts.ts';

/** Tickets waiting for the member: sends a reminder after 7 days, and marks them as solved after 14. Safe to run again. */
export async function runTicketDeadlines(db: Database, now: Date): Promise<void> {
  const ago = (days: number): string => instantBefore(now.getTime(), days * DAY_MS);
  const due = await db.read.rows<{ ticketId: string; isOver: boolean }>(sql`
    select ticket_id::text as ticket_id, waiting_since <= ${ago(ticketDays.solve)}::timestamptz as is_over from ticket
    where state = 'stalled' and waiting_since <= ${ago(ticketDays.remind)}::timestamptz
      and (reminded_at is null or waiting_since <= ${ago(ticketDays.solve)}::timestamptz) order by waiting_since limit 500`);
  await eachAlone(
    due,
    ({ ticketId }) => `ticket ${ticketId}`,
    async ({ ticketId, isOver }) => {
      const activity = isOver
        ? ownActivity('tickets.solveWaiting', 'Solved a ticket that waited for the member')
        : ownActivity('tickets.remind', 'Sent a reminder of a ticket');
      await db.change(activity, async change => {
        const row = await lockTicket(change, ticketId);
        if (row.state !== 'stalled' || Date.parse(row.waitingSince) > now.getTime() - ticketDays.remind * DAY_MS) return;
        if (isOver) {
          await addMessage(change, ticketId, {
            kind: 'event',
            by: 'system',
            loginId: null,
            author: 'System',
            content: `Marked as solved after ${ticketDays.solve} days without an answer`,
          });
          await moveTicket(change, row, 'resolved');
        } else await change.updateTable('ticket').set({ remindedAt: now.toISOString() }).where('ticketId', '=', Number(ticketId)).execute();
        await notifyAboutTicket(change, row, {
          except: null,
          act: 'Answer',
          text: isOver
            ? ticketsTexts.written('solvedWithoutAnswer', { solveDays: ticketDays.solve, reopenDays: ticketDays.reopen })
            : ticketsTexts.written('waitsForAnswer', { remindDays: ticketDays.remind, leftDays: ticketDays.solve - ticketDays.remind }),
        });
      });
    },
  );
}
