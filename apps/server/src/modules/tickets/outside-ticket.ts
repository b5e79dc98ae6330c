import { type TicketQueue, tieKindOf } from '@portal/contract/tickets/queues';
import type { Change } from '../../platform/database/index.ts';
import { senderAt } from '../identity/index.ts';
import { notifyAboutTicket } from './ticket-notices.ts';
import { addMessage, linkNamed, readTicketRow } from './ticket-row.ts';
import { ticketsTexts } from './mail-texts.ts';

type OutsideTicket = {
  queue: TicketQueue;
  subject: string;
  text: string;
  /** The prefix or AS number that it is about; anything else isn’t linked. */
  about: string;
  /** Who wrote, at a mailbox that was proven in this change. */
  from: { name: string; email: string };
  /** For registry staff only. */
  comment: string;
};

/**
 * Opens a ticket of a person who isn't signed in, whose mailbox the caller has proven. It belongs to no account. If the mailbox is that of a login, it is that person's
 * ticket, as if it had come by e-mail; otherwise only the desk shows it, answers go to the mailbox, and what the person answers by e-mail comes back. Returns its number.
 */
export async function openOutsideTicket(
  change: Change,
  { queue, subject, text, about, from: { name, email }, comment }: OutsideTicket,
): Promise<string> {
  const tieKind = tieKindOf(about);
  const loginId = (await senderAt(change, email))?.loginId ?? null;
  const { ticketId: id } = await change
    .insertInto('ticket')
    .values({
      queue,
      subject,
      accountName: null,
      requestor: loginId,
      requestorName: name,
      requestorEmail: email,
      tieKind,
      tieText: tieKind && about,
      createdAt: change.now,
      updatedAt: change.now,
      waitingSince: change.now,
    })
    .returning('ticketId')
    .executeTakeFirstOrThrow();
  const ticketId = String(id);
  await addMessage(change, ticketId, { kind: 'message', by: 'member', loginId, author: name, content: text });
  await addMessage(change, ticketId, { kind: 'comment', by: 'system', loginId: null, author: 'Registry', content: comment });
  await linkNamed(change, ticketId, subject);
  await change.note({ ticket: ticketId, queue, subject });
  const row = await readTicketRow(change, ticketId);
  await notifyAboutTicket(change, row, { except: null, text: ticketsTexts.written('receivedFromOutside', { ticket: ticketId }) });
  return ticketId;
}
