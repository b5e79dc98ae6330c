import type { CasesOf } from '../../platform/http/cases.ts';
import type { AnswerOf, BodyOf } from '@portal/contract';
import { DAY_MS, HOUR_MS, instantBefore } from '@portal/contract/days';
import type { FileAddress } from '@portal/contract/documents/documents';
import {
  type TicketQueue,
  type TicketState,
  ticketDays,
  ticketQueues,
  ticketStates,
  tieKindOf,
  writesQueue,
} from '@portal/contract/tickets/queues';
import { ticketLife } from '@portal/contract/tickets/life';
import type { Ticket, tickets } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { type Failure, refuse } from '../../platform/failure.ts';
import { activeContacts } from '../accounts/index.ts';
import { attach, openAttachment } from '../documents/index.ts';
import { memberOf, ticketFor, visibleTickets, writtenQueues } from './ticket-access.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import {
  addMessage,
  fileReference,
  isOpen,
  isUnread,
  linkNamed,
  lockTicket,
  moveTicket,
  readRows,
  readTicketRow,
  type StoredTicket,
  ticketWith,
} from './ticket-row.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { ticketsTexts } from './mail-texts.ts';

/** Maximum number of tickets that one person opens in a day. */
const MAX_TICKETS_A_DAY = 20;
const MAX_MESSAGES_A_DAY = 200;
/** Number of days of answer times counted. */
const MEDIAN_DAYS = 90;

/** SQL: the condition of a list's filter. */
export const filterOf = ({ state, q, queue }: { state: 'open' | 'closed' | 'all'; q: string; queue?: TicketQueue | undefined }) => {
  const number = /^#?(\d{1,15})$/.exec(q)?.[1];
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${queue ? sql`t.queue = ${queue}` : sql`true`}
    and ${state === 'all' ? sql`true` : state === 'open' ? isOpen : sql`not ${isOpen}`}
    and ${q === '' ? sql`true` : number ? sql`(t.ticket_id = ${Number(number)} or t.subject ilike ${like})` : sql`(t.subject ilike ${like} or t.requestor_name ilike ${like} or t.tie_text ilike ${like} or t.account_name ilike ${like})`}`;
};

/** Returns the median minutes to the first answer in a queue recently, or null. */
export async function medianAnswerMinutes(read: Read, queue: TicketQueue | undefined, now: Date): Promise<number | null> {
  const since = instantBefore(now.getTime(), MEDIAN_DAYS * DAY_MS);
  const [row] = await read.rows<{ seconds: number | null }>(sql`
    select percentile_cont(0.5) within group (order by extract(epoch from first_answer_at - created_at)::float8) as seconds
    from ticket where first_answer_at > ${since}::timestamptz ${queue ? sql`and queue = ${queue}` : sql``}`);
  return row?.seconds == null ? null : Math.round(row.seconds / 60);
}

/** Tickets the caller may see. @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function listTickets({
  read,
  caller,
  query,
  registry: { now },
}: Act<typeof tickets.listTickets>): Promise<AnswerOf<typeof tickets.listTickets>> {
  const account = query.account === undefined ? null : await memberOf(read, caller, query.account, now);
  const visible = visibleTickets(caller, account);
  const where = sql<boolean>`${visible} and ${filterOf(query)}`;
  const [rows, [counted], median] = await Promise.all([
    readRows({ read, loginId: caller.loginId, where, order: sql`t.updated_at desc, t.ticket_id desc`, page: query }),
    read.rows<{ total: number; unread: number }>(sql`select (select count(*)::int from ticket t where ${where}) as total,
      (select count(*)::int from ticket t where ${visible} and ${isOpen} and ${isUnread(caller.loginId)}) as unread`),
    medianAnswerMinutes(read, query.queue, now),
  ]);
  return { rows, ...counted!, medianAnswerMinutes: median, writes: account ? writtenQueues(account) : [] };
}

/** @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function getTicket({ read, caller, params: { ticketId }, registry: { now } }: Act<typeof tickets.getTicket>): Promise<Ticket> {
  const { row, writable } = await ticketFor({ read, caller, ticketId, now });
  return ticketWith(read, row, { loginId: caller.loginId, writable, now, comments: false });
}

async function mayWriteMore(change: Change, { loginId }: Caller, what: 'ticket' | 'message'): Promise<void> {
  const { since, until } = theLast(DAY_MS, change.now);
  if (what === 'ticket')
    await refuseBeyond(change, {
      of: `tickets.opened-by-${loginId}`,
      counted: sql`select count(*) as count from ticket where requestor = ${loginId} and not from_registry and created_at between ${since}::timestamptz and ${until}::timestamptz`,
      limit: MAX_TICKETS_A_DAY,
      seconds: HOUR_MS / 1000,
    });
  await refuseBeyond(change, {
    of: `tickets.written-by-${loginId}`,
    counted: sql`select count(*) as count from ticket_message where login_id = ${loginId} and at between ${since}::timestamptz and ${until}::timestamptz`,
    limit: MAX_MESSAGES_A_DAY,
    seconds: HOUR_MS / 1000,
  });
}

/**
 * Opens a ticket, for an account where the permissions of the queue allow it, or for the person.
 * @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED, TICKET_ACCOUNT, TICKET_COPY, TOO_MANY_REQUESTS, NOT_FOUND and FILE_UNUSABLE for a file
 */
export async function openTicket({
  change,
  caller,
  body: { account: accountName, ...body },
  source = {},
}: {
  change: Change;
  caller: Caller;
  body: BodyOf<typeof tickets.openTicket>;
  source?: TicketSource;
}): Promise<Ticket> {
  const account = accountName === null ? null : await memberOf(change, caller, accountName, new Date(change.now));
  if (account) await change.concerns(account.accountName);
  return openFor({ change, account, caller, body, source });
}

/** The origin of a ticket: a mail, or a conversation in the panel; otherwise a form. */
type TicketSource = { mailId?: string | null; isTalk?: boolean };

/** Opens a ticket with the permissions that the caller has in the account. @throws Failure as `openTicket` */
export async function openFor({
  change,
  account,
  caller,
  body: { queue, subject, text, about, cc, documentIds },
  source: { mailId = null, isTalk = false } = {},
}: {
  change: Change;
  account: AdmittedAccount | null;
  caller: Caller;
  body: Omit<BodyOf<typeof tickets.openTicket>, 'account'>;
  source?: TicketSource;
}): Promise<Ticket> {
  const now = new Date(change.now);
  if (account && queue !== 'events' && !writesQueue(account, queue))
    throw refuse('TICKET_ACCOUNT', {
      queue: ticketQueues[queue].label,
      account: account.accountName,
      why: 'you don’t have the permission. Write for yourself, or ask a corporate contact',
    });
  if (!account && queue === 'ecsubmission')
    throw refuse('TICKET_ACCOUNT', {
      queue: ticketQueues[queue].label,
      account: 'yourself',
      why: 'only members put something before the council',
    });
  await mayWriteMore(change, caller, 'ticket');
  const tieKind = about === '' ? null : tieKindOf(about);
  const { ticketId: id } = await change
    .insertInto('ticket')
    .values({
      queue,
      subject,
      accountName: account?.accountName ?? null,
      requestor: caller.loginId,
      requestorName: caller.name,
      requestorEmail: caller.email,
      tieKind,
      tieText: tieKind && about,
      isTalk,
      createdAt: change.now,
      updatedAt: change.now,
      waitingSince: change.now,
    })
    .returning('ticketId')
    .executeTakeFirstOrThrow();
  const ticketId = String(id);
  const colleagues = account ? await activeContacts(change, account.accountName) : [];
  for (const email of new Set(cc.map(each => each.toLowerCase()))) {
    if (email === caller.email.toLowerCase()) continue;
    const known = colleagues.find(contact => contact.email.toLowerCase() === email);
    // Otherwise a ticket could send any text to any address in the registry's name.
    if (!known) throw refuse('TICKET_COPY', { email, account: account?.accountName ?? 'an account that this ticket is for' });
    const { fullName, loginId } = known;
    await change.insertInto('ticketCc').values({ ticketId: id, email, fullName, loginId }).execute();
  }
  const messageId = await addMessage(change, ticketId, {
    kind: 'message',
    by: 'member',
    loginId: caller.loginId,
    author: caller.name,
    content: text,
    byMail: mailId !== null,
    mailId,
  });
  await linkNamed(change, ticketId, subject);
  await keepFiles({ change, loginId: caller.loginId, documentIds, ticketId, messageId });
  await change.note({ ticket: ticketId, queue, subject });
  const row = await readTicketRow(change, ticketId);
  // The panel already shows it.
  if (!isTalk)
    await notifyAboutTicket(change, row, {
      except: null,
      text: ticketsTexts.written('received', { ticket: ticketId, queue: ticketQueues[queue].label }),
    });
  return ticketWith(change, row, { loginId: caller.loginId, writable: true, now, comments: false });
}

/** Attaches uploaded files to a message of a ticket. They belong to the ticket, not to the account's documents. */
export async function keepFiles({
  change,
  loginId,
  documentIds,
  ticketId,
  messageId,
}: {
  change: Change;
  loginId: string;
  documentIds: readonly string[];
  ticketId: string;
  messageId: string;
}): Promise<void> {
  if (documentIds.length === 0) return;
  const reference = fileReference(ticketId, messageId);
  await attach(change, loginId, documentIds, { reference, accountName: null, type: 'correspondence', visibility: 'all-contacts' });
}

const forChange = sql`for no key update`;

/** The states in which a member can write in a ticket: not any more after the days in which a solved one is opened again. */
const writtenIn = ({ resolvedAt }: StoredTicket, now: Date): readonly TicketState[] =>
  resolvedAt !== null && now.getTime() > Date.parse(resolvedAt) + ticketDays.reopen * DAY_MS ? [] : ticketLife.write.from;

const closedTicket = ({ state }: StoredTicket): Failure => refuse('TICKET_CLOSED', { state: ticketStates[state].toLowerCase() });

/** @throws Failure TICKET_CLOSED */
export function refuseClosed(row: StoredTicket, now: Date): void {
  if (!writtenIn(row, now).includes(row.state)) throw closedTicket(row);
}

/** Answers in a ticket; a solved one is opened again within 30 days. @throws Failure FILE_UNUSABLE, TOO_MANY_REQUESTS */
export const answerTicket = ({
  change,
  caller,
  row,
  body,
}: CaseAct<typeof tickets.answerTicket, Opened, 'profile' | 'now'>): Promise<Ticket> => answerIn(change, caller, row, body);

/**
 * Answers in a ticket like `answerTicket`, by mail or in the panel.
 * @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED, NO_PERMISSION, TICKET_CLOSED, FILE_UNUSABLE, TOO_MANY_REQUESTS
 */
export async function answerElsewhere(change: Change, caller: Caller, ticketId: string, answer: Answer): Promise<Ticket> {
  const opened = writableOnly(await openedFor(change, caller, ticketId));
  refuseClosed(opened.row, new Date(change.now));
  return answerIn(change, caller, opened, answer);
}

/** A ticket that is locked, and whether the caller may write in it. */
export type Opened = { row: StoredTicket; writable: boolean };

/** Locks a ticket that the caller may see, for a call whose path names no account. @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function openedFor(change: Change, caller: Caller, ticketId: string): Promise<Opened> {
  const opened = await ticketFor({ read: change, caller, ticketId, now: new Date(change.now), lock: forChange });
  if (opened.row.accountName) await change.concerns(opened.row.accountName);
  return opened;
}

/** An answer of a member; `solved` says that the registry has nothing left to do. */
type Answer = Omit<BodyOf<typeof tickets.answerTicket>, 'solved'> & { solved?: boolean; mailId?: string | null };

/** Answers in a ticket in which it is possible. @throws Failure FILE_UNUSABLE, TOO_MANY_REQUESTS */
export async function answerIn(
  change: Change,
  caller: Caller,
  { row, writable }: Opened,
  { text, documentIds, solved = false, mailId = null }: Answer,
): Promise<Ticket> {
  const now = new Date(change.now);
  await mayWriteMore(change, caller, 'message');
  const messageId = await addMessage(change, row.ticketId, {
    kind: 'message',
    by: 'member',
    loginId: caller.loginId,
    author: caller.name,
    content: text,
    byMail: mailId !== null,
    mailId,
  });
  await keepFiles({ change, loginId: caller.loginId, documentIds, ticketId: row.ticketId, messageId });
  if (solved) await noteSolved(change, caller, row.ticketId);
  const after = await moveTicket(change, row, solved ? 'resolved' : row.state === 'new' ? 'new' : 'open');
  await change.note({ ticket: row.ticketId, subject: row.subject, ...(solved && { solved }) });
  await notifyAboutTicket(change, row, {
    except: caller.loginId,
    text: ticketsTexts.written('wrote', { writer: caller.name, words: text }),
  });
  return ticketWith(change, after, { loginId: caller.loginId, writable, now, comments: false });
}

/** Tickets that a person who may write in them moves, or staff, in a call whose path names no account. */
export const ticketCases: CasesOf<Opened> = {
  stateOf: ({ row }) => row.state,
  lock: async ({ change, caller, params: { ticketId } }, { who }) => {
    if (who === 'staff') return { row: await lockTicket(change, ticketId!), writable: true };
    return writableOnly(await openedFor(change, caller, ticketId!));
  },
  within: ({ row }, { name, from }, { change }) => (name === ticketLife.write.name ? writtenIn(row, new Date(change.now)) : from),
  refusal: async ({ row }, _moving, { name }) =>
    name === ticketLife.write.name ? closedTicket(row) : refuse('TICKET_STATE', { state: ticketStates[row.state].toLowerCase() }),
};

/** @throws Failure NO_PERMISSION */
export function writableOnly(opened: Opened): Opened {
  if (!opened.writable) throw refuse('NO_PERMISSION');
  return opened;
}

/** Marks a ticket as solved for the member. */
export const closeTicket = ({ change, caller, row }: CaseAct<typeof tickets.closeTicket, Opened, 'profile' | 'now'>): Promise<Ticket> =>
  closeIn(change, caller, row);

const noteSolved = (change: Change, caller: Caller, ticketId: string): Promise<string> =>
  noteEvent(change, caller, ticketId, 'Marked as solved');

/** Writes what a member did to a ticket between its messages. */
export const noteEvent = (change: Change, { loginId, name }: Caller, ticketId: string, content: string): Promise<string> =>
  addMessage(change, ticketId, { kind: 'event', by: 'member', loginId, author: name, content });

/** Marks a ticket as solved that isn’t over. */
export async function closeIn(change: Change, caller: Caller, { row, writable }: Opened): Promise<Ticket> {
  const now = new Date(change.now);
  await noteSolved(change, caller, row.ticketId);
  const after = await moveTicket(change, row, 'resolved');
  await change.note({ ticket: row.ticketId, subject: row.subject });
  return ticketWith(change, after, { loginId: caller.loginId, writable, now, comments: false });
}

/** Records that a person has read a ticket. @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function readTicket({ change, caller, params: { ticketId } }: Act<typeof tickets.readTicket>): Promise<void> {
  const { row } = await ticketFor({ read: change, caller, ticketId, now: new Date(change.now) });
  await change.rows(sql`insert into ticket_read (ticket_id, login_id, read_at) values (${Number(row.ticketId)}, ${caller.loginId}, ${change.now}::timestamptz)
    on conflict (ticket_id, login_id) do update set read_at = excluded.read_at`);
}

/** Opens a file of a message that the caller may read. @throws Failure NOT_FOUND, BEING_CHECKED, FILE_UNUSABLE, SECOND_FACTOR_DEMANDED */
export async function openTicketFile({
  change,
  caller,
  params: { ticketId, documentId },
  registry: { config: secrets },
}: Act<typeof tickets.openTicketFile>): Promise<FileAddress> {
  const { row } = await ticketFor({ read: change, caller, ticketId, now: new Date(change.now) });
  const shown = await change.rows<{ messageId: string }>(sql`select ticket_message_id::text as message_id from ticket_message
    where ticket_id = ${Number(row.ticketId)} and kind <> 'comment'`);
  return openAttachment({
    change,
    secrets,
    caller,
    documentId,
    references: shown.map(({ messageId }) => fileReference(row.ticketId, messageId)),
  });
}
