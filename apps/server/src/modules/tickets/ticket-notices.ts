import type { StaffTicket } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { notifyPeople } from '../identity/index.ts';
import type { StoredTicket } from './ticket-row.ts';

/** Prefix of a subject, as Request Tracker writes it, so that mail programs keep a ticket together. */
const subjectTag = (ticketId: string): string => `[registry #${ticketId}]`;

/** Writes to everybody a ticket concerns but the author: the requestor and those copied in. Comments are never handed to it. */
export async function notifyAboutTicket(
  change: Change,
  ticket: Pick<StoredTicket, 'ticketId' | 'queue' | 'subject' | 'accountName' | 'requestor' | 'requestorName' | 'requestorEmail'>,
  { body, except, act = 'View the ticket' }: { body: readonly string[]; except: string | null; act?: string },
): Promise<void> {
  const { ticketId, queue, subject, accountName, requestor, requestorName, requestorEmail } = ticket;
  const copied = await change.rows<{ fullName: string; email: string; loginId: string | null }>(
    sql`select full_name, email, login_id from ticket_cc where ticket_id = ${Number(ticketId)} order by email`,
  );
  const people = [{ fullName: requestorName, email: requestorEmail, loginId: requestor }, ...copied];
  await notifyPeople(
    change,
    {
      topic: 'tickets.answers',
      accountName,
      subject: `${subjectTag(ticketId)} ${subject}`.slice(0, 250),
      body,
      path: ticketPath(queue, ticketId),
      act,
    },
    people.filter(({ loginId }) => loginId === null || loginId !== except),
  );
}

export const ticketPath = (queue: StaffTicket['queue'], ticketId: string): string => `/contact/${queue}/ticket/${ticketId}`;
