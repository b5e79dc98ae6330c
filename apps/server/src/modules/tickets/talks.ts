import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { isTicketOver, writesQueue } from '@portal/contract/tickets/queues';
import type { talks } from '@portal/contract/tickets/talks';
import { sql } from 'kysely';
import { beginningOf } from '../../platform/beginning-of.ts';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { staffedAt } from '../../platform/support-hours.ts';
import { memberOf } from './ticket-access.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import { isOpen, readTicketRow, type StoredTicket, ticketWith } from './ticket-row.ts';
import { answerElsewhere, medianAnswerMinutes, openTicket } from './tickets.ts';
import { ticketsTexts } from './mail-texts.ts';

type Talk = AnswerOf<typeof talks.getTalk>;

/** Time after which an answer unread in the panel is mailed. */
const UNREAD_MINUTES = 3;

/** The account a person writes for: the selected one, if the permissions of the queue allow it. */
async function writesFor(read: Read, caller: Caller, account: string | null, now: Date): Promise<string | null> {
  const member = account === null ? null : await memberOf(read, caller, account, now);
  return member && writesQueue(member, 'helpdesk') ? member.accountName : null;
}

/** The latest conversation of a person for an account, if it is open or ended within a day. */
async function latestTalk(read: Read, { loginId }: Caller, account: string | null, now: Date): Promise<StoredTicket | null> {
  const [row] = await read.rows<{ ticketId: string }>(sql`select ticket_id::text as ticket_id from ticket t
    where requestor = ${loginId} and is_talk and account_name is not distinct from ${account}::text and queue = 'helpdesk'
      and (${isOpen} or updated_at > ${instantBefore(now, DAY_MS)}::timestamptz)
    order by updated_at desc limit 1`);
  return row ? readTicketRow(read, row.ticketId) : null;
}

async function talkWith(
  read: Read,
  caller: Caller,
  { account, row, now }: { account: string | null; row: StoredTicket | null; now: Date },
  { config, profile }: PolicyAndSettings,
): Promise<Talk> {
  const { hours } = config.supportHours;
  const reader = { loginId: caller.loginId, writable: true, now, comments: false };
  const [ticket, median] = await Promise.all([
    row === null ? null : ticketWith(read, row, reader),
    medianAnswerMinutes(read, 'helpdesk', now),
  ]);
  return { ticket, writesFor: account, hours: hours && staffedAt(hours, profile.timeZone, now), medianAnswerMinutes: median };
}

/** The conversation of a person with support. @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function getTalk({ read, caller, query, registry }: Act<typeof talks.getTalk>): Promise<Talk> {
  const { now } = registry;
  const account = await writesFor(read, caller, query.account ?? null, now);
  return talkWith(read, caller, { account, row: await latestTalk(read, caller, account, now), now }, registry);
}

/**
 * Writes in the open conversation, or starts one.
 * @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED, TOO_MANY_REQUESTS
 */
export async function sendTalk({ change, caller, body, registry }: Act<typeof talks.sendTalk>): Promise<Talk> {
  const now = new Date(change.now);
  const { text } = body;
  const account = await writesFor(change, caller, body.account, now);
  // Two first messages from two tabs make one conversation.
  await change.rows(sql`select 1 from login where login_id = ${caller.loginId} for no key update`);
  const open = await latestTalk(change, caller, account, now);
  const { ticketId } =
    open && !isTicketOver(open.state)
      ? await answerElsewhere(change, caller, open.ticketId, { text, documentIds: [] })
      : await openTicket({
          change,
          caller,
          body: { queue: 'helpdesk', account, subject: subjectOf(text), text, about: '', cc: [], documentIds: [] },
          source: { isTalk: true },
        });
  return talkWith(change, caller, { account, row: await readTicketRow(change, ticketId), now }, registry);
}

/** The beginning of what was written, as the subject of its ticket. */
function subjectOf(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words.length < 3 ? 'Talk to us' : beginningOf(words, 80);
}

/** Mails answers that were not read in the panel within three minutes. Safe to run again. */
export async function mailUnreadTalks(db: Database, now: Date): Promise<void> {
  const unread = sql`select m.author, m.content from ticket_message m
    where m.ticket_id = t.ticket_id and m.kind = 'message' and m.by = 'staff'
      and m.at > greatest(coalesce(t.talk_mailed_at, '-infinity'::timestamptz),
        coalesce((select r.read_at from ticket_read r where r.ticket_id = t.ticket_id and r.login_id = t.requestor), '-infinity'::timestamptz))`;
  const before = instantBefore(now, UNREAD_MINUTES * MINUTE_MS);
  const due = await db.read.rows<{ ticketId: string }>(sql`select t.ticket_id::text as ticket_id from ticket t
    where t.is_talk and t.updated_at > ${instantBefore(now, DAY_MS)}::timestamptz and exists (${unread} and m.at <= ${before}::timestamptz) limit 500`);
  await eachAlone(
    due,
    ({ ticketId }) => `ticket ${ticketId}`,
    ({ ticketId }) =>
      db.change(ownActivity('tickets.mailUnreadTalks', 'Mailed answers that were not read in the portal'), async change => {
        const row = await readTicketRow(change, ticketId, sql`for no key update`);
        const answers = await change.rows<{ author: string; content: string }>(
          sql`select a.* from ticket t, lateral (${unread} order by m.ticket_message_id) a where t.ticket_id = ${Number(ticketId)}`,
        );
        if (answers.length === 0) return;
        await change.updateTable('ticket').set({ talkMailedAt: now.toISOString() }).where('ticketId', '=', Number(ticketId)).execute();
        await change.note({ ticket: ticketId, answers: answers.length });
        await notifyAboutTicket(change, row, {
          except: null,
          act: 'Answer',
          text: ticketsTexts.written('talkAnswered', { words: answers.map(({ content }) => content).join('\n\n') }),
        });
      }),
  );
}
