import type { AnswerOf } from '@portal/contract';
import { isTicketOver, ticketDays, ticketQueueNames, ticketQueues, ticketStates, tieKindOf } from '@portal/contract/tickets/queues';
import type { StaffTicket, tickets } from '@portal/contract/tickets/tickets';
import { casePath } from '@portal/contract/staff/case-words';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { activeContacts, lockAccountIfAny, refuseClosedAccount } from '../accounts/index.ts';
import { notifyFormerHandler } from '../roles/index.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import {
  addMessage,
  linkNamed,
  moveTicket,
  readRows,
  readTicketRow,
  type StoredTicket,
  ticketWith,
  waitsForRegistry,
} from './ticket-row.ts';
import { filterOf, keepFiles, medianAnswerMinutes, type Opened } from './tickets.ts';
import { ticketsTexts } from './mail-texts.ts';

/** Tickets of all members: those waiting for the registry first, longest wait first. */
export async function listStaffTickets({
  read,
  caller,
  query,
  registry: { now },
}: Act<typeof tickets.listStaffTickets>): Promise<AnswerOf<typeof tickets.listStaffTickets>> {
  const filter = filterOf(query);
  const isMine = sql`coalesce(t.owner = ${caller.loginId}, false)`;
  const owned = { any: sql`true`, mine: isMine, none: sql`t.owner is null` }[query.owner];
  const where = sql`${filter} and ${owned}`;
  const order =
    query.state === 'open'
      ? sql`case when ${waitsForRegistry} then 0 else 1 end, t.waiting_since, t.ticket_id`
      : sql`t.updated_at desc, t.ticket_id desc`;
  const [rows, [counted], waiting, medians] = await Promise.all([
    readRows({ read, loginId: caller.loginId, where, order, page: query }),
    read.rows<{ total: number; all: number; mine: number; free: number }>(sql`
      select (count(*) filter (where ${owned}))::int as total, count(*)::int as all, (count(*) filter (where ${isMine}))::int as mine,
        (count(*) filter (where t.owner is null))::int as free from ticket t where ${filter}`),
    read.rows<{ queue: string; waiting: number }>(
      sql`select queue, count(*)::int as waiting from ticket t where ${waitsForRegistry} group by queue`,
    ),
    Promise.all(ticketQueueNames.map(queue => medianAnswerMinutes(read, queue, now))),
  ]);
  return {
    rows,
    total: counted!.total,
    owners: { any: counted!.all, mine: counted!.mine, none: counted!.free },
    queues: ticketQueueNames.map((queue, index) => ({
      queue,
      waiting: waiting.find(row => row.queue === queue)?.waiting ?? 0,
      medianAnswerMinutes: medians[index]!,
    })),
  };
}

const seen = (read: Read, row: StoredTicket, { loginId }: Caller, now: Date): Promise<StaffTicket> =>
  ticketWith(read, row, { loginId, writable: true, now, comments: true });

/** @throws Failure NOT_FOUND */
export const getStaffTicket = async ({
  read,
  caller,
  params: { ticketId },
  registry: { now },
}: Act<typeof tickets.getStaffTicket>): Promise<StaffTicket> => seen(read, await readTicketRow(read, ticketId), caller, now);

/**
 * Writes to contacts of an account: a ticket of the account that waits for its member. The first contact is its requestor, the others are copied in; contacts who see its queue read it too.
 * @throws Failure NOT_FOUND, ACCOUNT_CLOSED whose people could not answer, TICKET_TO for someone who isn't an active contact, FILE_UNUSABLE
 */
export async function openStaffTicket({
  change,
  caller,
  params: { accountName },
  body: { queue, subject, text, to, cc, asks, documentIds },
}: Act<typeof tickets.openStaffTicket>): Promise<StaffTicket> {
  const account = await lockAccountIfAny(change, accountName);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  await change.concerns(accountName);
  refuseClosedAccount(account);
  const contacts = await activeContacts(change, accountName);
  const known = (contactId: string, field: 'to' | 'cc') => {
    const found = contacts.find(contact => contact.contactId === contactId);
    if (!found) throw refuse('TICKET_TO', { what: 'The person you chose', account: accountName }).at(field);
    return found;
  };
  const first = known(to, 'to');
  const copied = [...new Set(cc)].filter(each => each !== to).map(each => known(each, 'cc'));
  const { ticketId: id } = await change
    .insertInto('ticket')
    .values({
      queue,
      subject,
      state: 'stalled',
      accountName,
      requestor: first.loginId,
      requestorName: first.fullName,
      requestorEmail: first.email,
      owner: caller.loginId,
      asks: asks || null,
      fromRegistry: true,
      createdAt: change.now,
      updatedAt: change.now,
      waitingSince: change.now,
    })
    .returning('ticketId')
    .executeTakeFirstOrThrow();
  const ticketId = String(id);
  const addresses = new Set([first.email.toLowerCase()]);
  for (const { email, fullName, loginId } of copied) {
    if (addresses.has(email.toLowerCase())) continue;
    addresses.add(email.toLowerCase());
    await change.insertInto('ticketCc').values({ ticketId: id, email, fullName, loginId }).execute();
  }
  const messageId = await addMessage(change, ticketId, {
    kind: 'message',
    by: 'staff',
    loginId: caller.loginId,
    author: caller.name,
    content: text,
  });
  await keepFiles({ change, loginId: caller.loginId, documentIds, ticketId, messageId });
  await linkNamed(change, ticketId, subject);
  await change.note({ ticket: ticketId, queue, subject });
  const row = await readTicketRow(change, ticketId);
  await notifyAboutTicket(change, row, {
    except: caller.loginId,
    text: ticketsTexts.written('answered', { words: text, markedAsSolved: '' }),
    act: 'Answer',
  });
  return seen(change, row, caller, new Date(change.now));
}

/** Answers a member, or comments among staff. @throws Failure FILE_UNUSABLE */
export async function answerStaffTicket({
  change,
  caller,
  row: { row },
  body: { text, comment, next, asks, documentIds },
}: CaseAct<typeof tickets.answerStaffTicket, Opened, 'profile' | 'now'>): Promise<StaffTicket> {
  if (row.accountName) await change.concerns(row.accountName);
  const messageId = await addMessage(change, row.ticketId, {
    kind: comment ? 'comment' : 'message',
    by: 'staff',
    loginId: caller.loginId,
    author: caller.name,
    content: text,
  });
  await keepFiles({ change, loginId: caller.loginId, documentIds, ticketId: row.ticketId, messageId });
  await change.note({ ticket: row.ticketId, ...(comment && { comment: true }) });
  if (comment) return seen(change, row, caller, new Date(change.now));
  const after = await moveTicket(change, row, next, true, asks || null);
  if (row.owner === null)
    await change.updateTable('ticket').set({ owner: caller.loginId }).where('ticketId', '=', Number(row.ticketId)).execute();
  // Messages unread in the panel are mailed: see `mailUnreadTalks`.
  if (!row.isTalk)
    await notifyAboutTicket(change, row, {
      except: caller.loginId,
      text: ticketsTexts.written('answered', {
        words: text,
        markedAsSolved:
          next === 'resolved' ? `We marked this ticket as solved. Answer within ${ticketDays.reopen} days to open it again.` : '',
      }),
      act: next === 'stalled' ? 'Answer' : 'View the ticket',
    });
  return seen(change, after, caller, new Date(change.now));
}

/** Sorts a ticket. @throws Failure NOTHING_TO_DO */
export async function changeStaffTicket({
  change,
  caller,
  row: { row: before },
  body: { queue, about, state, take },
}: CaseAct<typeof tickets.changeStaffTicket, Opened>): Promise<StaffTicket> {
  let row = before;
  const { ticketId } = before;
  const done: string[] = [];
  const tieKind = about ? tieKindOf(about) : null;
  if (queue && queue !== row.queue) done.push(`Moved to ${ticketQueues[queue].label}`);
  if (about !== undefined && (about || null) !== row.tieText) done.push(about ? `About ${about}` : 'About nothing in particular');
  if (take !== undefined && take !== (row.owner === caller.loginId))
    done.push(take ? `Taken by ${caller.name}` : `Given back by ${caller.name}`);
  const isNew = state && ticketStates[state] !== ticketStates[row.state] ? state : null;
  if (isNew) done.push(isTicketOver(isNew) ? `Marked as ${ticketStates[isNew].toLowerCase()}` : ticketStates[isNew]);
  if (done.length === 0) throw refuse('NOTHING_TO_DO', { why: 'the ticket is like this already' });
  await change
    .updateTable('ticket')
    .set({
      ...(queue && { queue }),
      ...(about !== undefined && { tieKind, tieText: tieKind && about }),
      ...(take !== undefined && { owner: take ? caller.loginId : null }),
      updatedAt: change.now,
    })
    .where('ticketId', '=', Number(row.ticketId))
    .execute();
  if (take) {
    const path = casePath({ kind: 'tickets', caseId: ticketId });
    await notifyFormerHandler(change, caller, { formerId: before.owner, name: `Ticket ${ticketId}`, path });
  }
  row = await readTicketRow(change, ticketId);
  if (isNew) row = await moveTicket(change, row, isNew);
  if (about) await linkNamed(change, ticketId, about);
  // Members don't see which member of staff has it.
  for (const content of done)
    await addMessage(change, row.ticketId, {
      kind: /^(Taken|Given back)/.test(content) ? 'comment' : 'event',
      by: 'staff',
      loginId: caller.loginId,
      author: caller.name,
      content,
    });
  await change.note({ ticket: row.ticketId, done });
  return seen(change, row, caller, new Date(change.now));
}
