import { isRowId } from '@portal/contract/row-ids';
import { DAY_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { ContactType } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import { isTicketOver, isWithRegistry, thingsNamedIn, type TicketState, ticketDays } from '@portal/contract/tickets/queues';
import type { StaffTicket, Ticket, TicketMessage, TicketRow } from '@portal/contract/tickets/tickets';
import { type RawBuilder, sql } from 'kysely';
import { type Change, frequent, type Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { activeContacts } from '../accounts/index.ts';
import { attachmentsOf } from '../documents/index.ts';
import { announceLive } from '../identity/index.ts';

/** A ticket for changes. */
export type StoredTicket = Omit<TicketRow, 'unread' | 'requestor'> & {
  requestor: string | null;
  requestorName: string;
  requestorEmail: string;
  tieKind: NonNullable<Ticket['tie']>['kind'] | null;
  tieText: string | null;
  owner: string | null;
  asks: string | null;
  secondsUs: number;
  secondsMember: number;
  firstAnswerAt: string | null;
  resolvedAt: string | null;
};

const columns = sql`ticket_id::text as ticket_id, queue, subject, state, account_name, requestor, requestor_name, requestor_email, tie_kind, tie_text, owner, asks,
  created_at, updated_at, waiting_since, seconds_us::float8 as seconds_us, seconds_member::float8 as seconds_member, first_answer_at, resolved_at, is_talk, from_registry`;

export const noTicket = () => refuse('NOT_FOUND', { what: 'The ticket' });

/** @throws Failure NOT_FOUND */
export async function readTicketRow(read: Read, ticketId: string, lock = sql``): Promise<StoredTicket> {
  if (!isRowId(ticketId)) throw noTicket();
  const [row] = await read.rows<StoredTicket>(sql`select ${columns} from ticket where ticket_id = ${Number(ticketId)} ${lock}`);
  if (!row) throw noTicket();
  return row;
}

/** SQL: someone has the next move in ticket `t`. */
export const isOpen = sql<boolean>`t.state in ('new', 'open', 'stalled')`;
/** SQL: the registry has the next move in ticket `t`. */
export const waitsForRegistry = sql<boolean>`t.state in ('new', 'open')`;

/** Locks a ticket. @throws Failure NOT_FOUND */
export const lockTicket = (change: Change, ticketId: string): Promise<StoredTicket> =>
  readTicketRow(change, ticketId, sql`for no key update`);

/** The reference under which files of a message are stored. */
export const fileReference = (ticketId: string, messageId: string): string => `TICKET-${ticketId}-${messageId}`;

/** Tickets of a list with whether a reader has read them. `where`: a condition on `t`. */
export function readRows({
  read,
  loginId,
  where,
  order,
  page: { offset, limit },
}: {
  read: Read;
  loginId: string;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  page: { offset: number; limit: number };
}): Promise<TicketRow[]> {
  return read.rows<TicketRow>(
    frequent(sql`
    select t.ticket_id::text as ticket_id, t.queue, t.subject, t.state, t.account_name, t.requestor_name as requestor, t.created_at, t.updated_at,
      t.waiting_since, t.is_talk, t.from_registry, ${isUnread(loginId)} as unread
    from ticket t where ${where} order by ${order} limit ${limit} offset ${offset}`),
  );
}

/** SQL: whether ticket `t` has messages of others newer than the person's last visit. */
export const isUnread = (
  loginId: string,
): RawBuilder<boolean> => sql<boolean>`exists (select from ticket_message m where m.ticket_id = t.ticket_id
  and m.kind <> 'comment' and m.login_id is distinct from ${loginId}
  and m.at > coalesce((select r.read_at from ticket_read r where r.ticket_id = t.ticket_id and r.login_id = ${loginId}), '-infinity'::timestamptz))`;

const tieLinks: Record<NonNullable<StoredTicket['tieKind']>, (text: string) => string | null> = {
  prefix: recordAddress,
  asn: text => recordAddress(text.toUpperCase()),
  invoice: text => `/member-account-settings/billing?invoice=${encodeURIComponent(text.toUpperCase())}`,
  request: () => null,
};

type MessageRow = Omit<TicketMessage, 'files' | 'contactTypes'> & { loginId: string | null };

/** Minutes after which a message not passed on to Request Tracker counts as delayed. */
const DELAYED_MINUTES = 3;

/**
 * A ticket with its messages. @param comments includes those of registry staff; never for a member
 */
export async function ticketWith(
  read: Read,
  row: StoredTicket,
  reader: { loginId: string; writable: boolean; now: Date; comments: boolean },
): Promise<StaffTicket> {
  const { ticketId, requestorName, tieKind, tieText, state, resolvedAt } = row;
  const id = Number(ticketId);
  const [messages, cc, [facts], contacts] = await Promise.all([
    read.rows<MessageRow>(sql`select ticket_message_id::text as message_id, kind, by, author, by_mail, sender_unverified, content as text, at, login_id,
      (passed_on_at is null and coalesce(passing_since < ${instantBefore(reader.now, DELAYED_MINUTES * MINUTE_MS)}::timestamptz, false)) as delayed
      from ticket_message
      where ticket_id = ${id} ${reader.comments ? sql`` : sql`and kind <> 'comment'`} order by ticket_message_id`),
    read.rows<{ name: string; email: string }>(sql`select full_name as name, email from ticket_cc where ticket_id = ${id} order by email`),
    read.rows<{ unread: boolean; owner: string | null }>(sql`select ${isUnread(reader.loginId)} as unread,
      (select full_name from login where login_id = t.owner) as owner from ticket t where t.ticket_id = ${id}`),
    row.accountName === null ? [] : activeContacts(read, row.accountName),
  ]);
  // Never by name: anyone can put a contact's name into an e-mail.
  const typesOf = ({ by, loginId, senderUnverified }: MessageRow): ContactType[] =>
    by !== 'member' || loginId === null || senderUnverified
      ? []
      : [...(contacts.find(each => each.loginId === loginId)?.contactTypes ?? [])];
  const files = await attachmentsOf(
    read,
    messages.map(({ messageId }) => fileReference(ticketId, messageId)),
  );
  const waiting = isTicketOver(state) ? 0 : Math.max(0, (reader.now.getTime() - Date.parse(row.waitingSince)) / 1000);
  const isWithUs = isWithRegistry(state);
  return {
    ticketId,
    queue: row.queue,
    subject: row.subject,
    state,
    accountName: row.accountName,
    requestor: requestorName,
    requestorEmail: row.requestorEmail,
    unverified: row.accountName === null,
    owner: facts!.owner,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    waitingSince: row.waitingSince,
    unread: facts!.unread,
    isTalk: row.isTalk,
    fromRegistry: row.fromRegistry,
    cc,
    tie: tieKind && tieText ? { kind: tieKind, text: tieText, link: tieLinks[tieKind](tieText) } : null,
    firstAnswerAt: row.firstAnswerAt,
    resolvedAt,
    minutesWithUs: Math.round((row.secondsUs + (isWithUs ? waiting : 0)) / 60),
    minutesWithYou: Math.round((row.secondsMember + (state === 'stalled' ? waiting : 0)) / 60),
    messages: messages.map(message => {
      const { loginId: _loginId, ...shown } = message;
      return { ...shown, contactTypes: typesOf(message), files: files.get(fileReference(ticketId, message.messageId)) ?? [] };
    }),
    asks: state === 'stalled' ? row.asks : null,
    writable: reader.writable && (state !== 'rejected' || reader.comments),
    reopenableUntil: resolvedAt === null ? null : instantAfter(Date.parse(resolvedAt), ticketDays.reopen * DAY_MS),
  };
}

/**
 * Sets a ticket's state, and adds the elapsed time to the side whose turn it was.
 * @param asks what the member is asked for, where they have the next move
 */
export async function moveTicket(
  change: Change,
  row: StoredTicket,
  state: TicketState,
  answered = false,
  asks: string | null = null,
): Promise<StoredTicket> {
  const waited = isTicketOver(row.state) ? 0 : Math.max(0, Math.round((Date.parse(change.now) - Date.parse(row.waitingSince)) / 1000));
  const wasWithUs = isWithRegistry(row.state);
  const isWithUs = isWithRegistry(state);
  const sameMove = wasWithUs === isWithUs && isTicketOver(row.state) === isTicketOver(state);
  const next = {
    state,
    asks: state === 'stalled' ? asks : null,
    updatedAt: change.now,
    waitingSince: sameMove ? row.waitingSince : change.now,
    secondsUs: row.secondsUs + (wasWithUs && !sameMove ? waited : 0),
    secondsMember: row.secondsMember + (row.state === 'stalled' && !sameMove ? waited : 0),
    // Where the registry wrote first, a member waited for no first answer.
    firstAnswerAt: row.firstAnswerAt ?? (answered && !row.fromRegistry ? change.now : null),
    resolvedAt: isTicketOver(state) ? (row.resolvedAt ?? change.now) : null,
  };
  await change
    .updateTable('ticket')
    .set({ ...next, remindedAt: null })
    .where('ticketId', '=', Number(row.ticketId))
    .execute();
  return { ...row, ...next };
}

/** Maximum number of things that a ticket is linked to. */
export const MAX_LINKS = 20;

/** Links a ticket to the prefixes, AS numbers, invoices and requests that a text names, up to the maximum. */
export async function linkNamed(change: Change, ticketId: string, text: string): Promise<void> {
  const named = thingsNamedIn(text).slice(0, MAX_LINKS);
  if (named.length === 0) return;
  await change.rows(sql`insert into ticket_link (ticket_id, kind, content, at)
    select ${Number(ticketId)}, kind, content, ${change.now}::timestamptz
    from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(each => each.text)}::text[]) as n (kind, content)
    where (select count(*) from ticket_link where ticket_id = ${Number(ticketId)}) + ${named.length} <= ${MAX_LINKS} on conflict do nothing`);
}

type NewMessage = {
  kind: TicketMessage['kind'];
  by: TicketMessage['by'];
  loginId: string | null;
  author: string;
  content: string;
  byMail?: boolean;
  mailId?: string | null;
};

/** Writes a message of a ticket; returns its number. */
export async function addMessage(change: Change, ticketId: string, message: NewMessage): Promise<string> {
  const { ticketMessageId } = await change
    .insertInto('ticketMessage')
    .values({ ...message, ticketId: Number(ticketId), at: change.now })
    .returning('ticketMessageId')
    .executeTakeFirstOrThrow();
  // Comments name what only registry staff may read.
  if (message.kind === 'message') await linkNamed(change, ticketId, message.content);
  const people = await change.rows<{
    loginId: string;
  }>(sql`select requestor as login_id from ticket where ticket_id = ${Number(ticketId)} and requestor is not null
    union select login_id from ticket_cc where ticket_id = ${Number(ticketId)} and login_id is not null`);
  const logins = message.kind === 'comment' ? [] : people.map(({ loginId }) => loginId);
  await announceLive(change, { what: 'ticket', id: ticketId, logins });
  return String(ticketMessageId);
}
