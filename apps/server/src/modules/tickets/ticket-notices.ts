import type { StaffTicket } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople, loginById } from '../identity/index.ts';
import type { StoredTicket } from './ticket-row.ts';
import { type MailText, withWords } from '../mail/index.ts';

/** Prefix of a subject, as Request Tracker writes it, so that mail programs keep a ticket together. */
const subjectTag = (ticketId: string): string => `[registry #${ticketId}]`;

/**
 * Mails everyone concerned by a ticket except the author: the requestor and people copied in, at their login's present address. For a ticket of an
 * account only logins that still act for it; with `only`, the one who was copied in under this address. Never called with comments.
 */
export async function notifyAboutTicket(
  change: Change,
  ticket: Pick<StoredTicket, 'ticketId' | 'queue' | 'subject' | 'accountName' | 'requestor' | 'requestorName' | 'requestorEmail'>,
  {
    text,
    except,
    exceptEmail = '',
    only,
    act = 'View the ticket',
  }: { text: MailText<'ticketSubject' | 'ticketTag'>; except: string | null; exceptEmail?: string; only?: string; act?: string },
): Promise<void> {
  const { ticketId, queue, subject, accountName, requestor, requestorName, requestorEmail } = ticket;
  const copied = await change.rows<{ fullName: string; email: string; loginId: string | null }>(
    sql`select c.full_name, coalesce(l.email, c.email) as email, c.login_id from ticket_cc c left join login l using (login_id)
      where c.ticket_id = ${Number(ticketId)} order by c.email`,
  );
  const login = requestor === null ? null : await loginById(change, requestor);
  const all = [{ fullName: requestorName, email: login?.email ?? requestorEmail, loginId: requestor as string | null }, ...copied];
  const acting = accountName === null ? null : new Set((await activeContacts(change, accountName)).map(contact => contact.loginId));
  const people = all.filter(({ loginId }) => loginId === null || acting === null || acting.has(loginId));
  const told = people
    .filter(({ email }) => only === undefined || email.toLowerCase() === only)
    .filter(({ loginId, email }) => (loginId === null ? email.toLowerCase() !== exceptEmail : loginId !== except));
  const news = {
    topic: 'tickets.answers',
    accountName,
    text: withWords(text, { ticketTag: subjectTag(ticketId), ticketSubject: subject }, 250),
    thread: `ticket-${ticketId}`,
  } as const;
  const [outside, members] = [told.filter(({ loginId }) => loginId === null), told.filter(({ loginId }) => loginId !== null)];
  await notifyPeople(change, { ...news, path: ticketPath(queue, ticketId), act }, members);
  // Without a login no page of the portal shows it: they answer by e-mail.
  await notifyPeople(change, news, outside);
}

export const ticketPath = (queue: StaffTicket['queue'], ticketId: string): string => `/contact/${queue}/ticket/${ticketId}`;
