import { seesQueue, tieKindOf } from '@portal/contract/tickets/queues';
import type { Ticket, TicketContext, tickets } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { staffedAt } from '../../platform/support-hours.ts';
import { activeContacts, membershipOf } from '../accounts/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { answerTimes } from './answer-times.ts';
import { ticketFor } from './ticket-access.ts';
import { ticketLinks } from './ticket-links.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import { MAX_LINKS, type StoredTicket, ticketWith } from './ticket-row.ts';
import { noteEvent, openedFor } from './tickets.ts';
import { ticketsTexts } from './mail-texts.ts';

/** @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function getTicketContext({
  read,
  caller,
  params: { ticketId },
  registry,
}: Act<typeof tickets.getTicketContext>): Promise<TicketContext> {
  const { row } = await ticketFor({ read, caller, ticketId, now: registry.now });
  return contextOf(read, caller, row, registry);
}

const sides = { new: 'us', open: 'us', stalled: 'you', resolved: 'none', rejected: 'none' } as const;

async function contextOf(
  read: Read,
  caller: Caller,
  row: StoredTicket,
  { now, today, config, profile }: Pick<Registry, 'now' | 'today' | 'config' | 'profile'>,
): Promise<TicketContext> {
  const { ticketId, accountName, queue } = row;
  const id = Number(ticketId);
  const account = accountName === null ? null : await membershipOf(read, caller, accountName);
  const [links, moves, times, [owner], people] = await Promise.all([
    ticketLinks(read, row, account, today),
    read.rows<{ state: keyof typeof sides; at: string }>(
      sql`select state, at from ticket_move where ticket_id = ${id} order by ticket_move_id`,
    ),
    answerTimes(read, queue, now),
    read.rows<{ fullName: string }>(sql`select full_name from login where login_id = ${row.owner}`),
    accountName === null ? null : readersOf(read, row),
  ]);
  const { hours } = config.supportHours;
  const turns = moves.map(({ state, at }) => ({ who: sides[state], from: at }));
  return {
    links,
    moves: turns.filter(({ who }, index) => who !== turns[index - 1]?.who),
    owner: owner?.fullName ?? null,
    readers: people?.readers ?? null,
    colleagues: people?.colleagues ?? [],
    ...times,
    hours: hours && staffedAt(hours, profile.timeZone, now),
  };
}

/** How many contacts of the account can read a ticket, and who else could be copied in. */
async function readersOf(
  read: Read,
  { ticketId, accountName, queue, requestor }: StoredTicket,
): Promise<{ readers: number; colleagues: { name: string; email: string }[] }> {
  const [contacts, copied] = await Promise.all([
    activeContacts(read, accountName!),
    read.rows<{ email: string; loginId: string | null }>(
      sql`select lower(email) as email, login_id from ticket_cc where ticket_id = ${Number(ticketId)}`,
    ),
  ]);
  const isIn = ({ loginId, email }: (typeof contacts)[number]): boolean =>
    (loginId !== null && (loginId === requestor || copied.some(each => each.loginId === loginId))) ||
    copied.some(each => each.email === email.toLowerCase());
  const reads = contacts.filter(
    contact =>
      isIn(contact) ||
      (contact.loginId !== null && seesQueue({ contactTypes: contact.contactTypes, permissions: new Set(contact.permissions) }, queue)),
  );
  return {
    readers: reads.length,
    colleagues: contacts.filter(contact => !isIn(contact)).map(({ fullName, email }) => ({ name: fullName, email })),
  };
}

/** Links a ticket to something, or removes a link. @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED, NO_PERMISSION, NOTHING_TO_DO, TOO_MANY_LINKS */
export async function linkTicket({
  change,
  caller,
  params: { ticketId },
  body: { about, linked },
  registry,
}: Act<typeof tickets.linkTicket>): Promise<TicketContext> {
  const { row, writable } = await openedFor(change, caller, ticketId);
  if (!writable) throw refuse('NO_PERMISSION');
  const id = Number(row.ticketId);
  const text = /^[a-z]{2,5}-?\d/i.test(about) ? about.toUpperCase() : about.toLowerCase();
  const same = sql`ticket_id = ${id} and lower(content) = ${text.toLowerCase()}`;
  if (linked) {
    const [counted] = await change.rows<{ links: number }>(sql`select count(*)::int as links from ticket_link where ticket_id = ${id}`);
    if (counted!.links >= MAX_LINKS) throw refuse('TOO_MANY_LINKS', { most: String(MAX_LINKS) });
    const added = await change.rows(sql`insert into ticket_link (ticket_id, kind, content, is_manual, at)
      values (${id}, ${tieKindOf(text)}, ${text}, true, ${change.now}::timestamptz)
      on conflict (ticket_id, content) do update set is_manual = true where not ticket_link.is_manual returning 1`);
    if (added.length === 0 || text === row.tieText?.toUpperCase())
      throw refuse('NOTHING_TO_DO', { why: `it is linked to ${text} already` });
  } else {
    const removed = await change.rows(sql`delete from ticket_link where ${same} returning 1`);
    if (removed.length === 0) throw refuse('NOTHING_TO_DO', { why: `it isn’t linked to ${text}, or is about it` });
  }
  await noteEvent(change, caller, row.ticketId, linked ? `Linked to ${text}` : `Link to ${text} removed`);
  await change.note({ ticket: row.ticketId, subject: row.subject, [linked ? 'linked' : 'unlinked']: text });
  return contextOf(change, caller, row, registry);
}

/** Copies a contact of the account in. @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED, NO_PERMISSION, TICKET_COPY, NOTHING_TO_DO */
export async function copyTicket({
  change,
  caller,
  params: { ticketId },
  body: { email },
  registry: { now },
}: Act<typeof tickets.copyTicket>): Promise<Ticket> {
  const { row, writable } = await openedFor(change, caller, ticketId);
  if (!writable) throw refuse('NO_PERMISSION');
  const colleagues = row.accountName === null ? [] : await activeContacts(change, row.accountName);
  const known = colleagues.find(contact => contact.email.toLowerCase() === email.toLowerCase());
  // Otherwise a ticket could send its text to any address in the registry's name.
  if (!known) throw refuse('TICKET_COPY', { email, account: row.accountName ?? 'an account that this ticket is for' });
  const added = await change.rows(sql`insert into ticket_cc (ticket_id, email, full_name, login_id)
    values (${Number(row.ticketId)}, ${known.email.toLowerCase()}, ${known.fullName}, ${known.loginId}) on conflict do nothing returning 1`);
  if (added.length === 0 || (known.loginId !== null && known.loginId === row.requestor))
    throw refuse('NOTHING_TO_DO', { why: `${known.fullName} gets the answers already` });
  await noteEvent(change, caller, row.ticketId, `${known.fullName} copied in`);
  await change.note({ ticket: row.ticketId, subject: row.subject, copied: known.fullName });
  await notifyAboutTicket(change, row, {
    except: caller.loginId,
    only: known.email.toLowerCase(),
    text: ticketsTexts.written('copiedIn', { actor: caller.name }),
  });
  return ticketWith(change, row, { loginId: caller.loginId, writable, now, comments: false });
}
