import type { AnswerOf } from '@portal/contract';
import type { accountTickets } from '@portal/contract/tickets/account-tickets';
import { seesQueue, writesQueue } from '@portal/contract/tickets/queues';
import type { Ticket } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { accountQueues } from './ticket-access.ts';
import { noTicket, readRows, readTicketRow, type StoredTicket, ticketWith } from './ticket-row.ts';
import { answerIn, closeIn, filterOf, openFor, type Opened, ticketCases, writableOnly } from './tickets.ts';

/** Tickets of the account in the queues shown by these permissions, without people's personal tickets. */
export async function listAccountTickets({
  read,
  account,
  caller,
  query,
}: Act<typeof accountTickets.listAccountTickets>): Promise<AnswerOf<typeof accountTickets.listAccountTickets>> {
  const where = sql<boolean>`t.account_name = ${account.accountName} and t.queue = any (${accountQueues(account)}::text[]) and ${filterOf(query)}`;
  const [rows, [counted]] = await Promise.all([
    readRows({ read, loginId: caller.loginId, where, order: sql`t.updated_at desc, t.ticket_id desc`, page: query }),
    read.rows<{ total: number }>(sql`select count(*)::int as total from ticket t where ${where}`),
  ]);
  return { rows, total: counted!.total };
}

/** @throws Failure NOT_FOUND */
export async function getAccountTicket({
  read,
  account,
  caller,
  params: { ticketId },
  registry: { now },
}: Act<typeof accountTickets.getAccountTicket>): Promise<Ticket> {
  const row = await rowOf(read, account, ticketId);
  return ticketWith(read, row, { loginId: caller.loginId, writable: writesQueue(account, row.queue), now, comments: false });
}

/** Opens a ticket for the account. @throws Failure TICKET_ACCOUNT, TICKET_COPY, TOO_MANY_REQUESTS */
export const openAccountTicket = ({ change, account, caller, body }: Act<typeof accountTickets.openAccountTicket>): Promise<Ticket> =>
  openFor({ change, account, caller, body: { ...body, documentIds: [] } });

/** Answers in a ticket of the account. @throws Failure TOO_MANY_REQUESTS */
export const answerAccountTicket = ({
  change,
  caller,
  row,
  body: { text },
}: CaseAct<typeof accountTickets.answerAccountTicket, Opened>): Promise<Ticket> => answerIn(change, caller, row, { text, documentIds: [] });

/** Marks a ticket of the account as solved. */
export const closeAccountTicket = ({ change, caller, row }: CaseAct<typeof accountTickets.closeAccountTicket, Opened>): Promise<Ticket> =>
  closeIn(change, caller, row);

/** Tickets of an account that a contact moves who may write in their queue. */
export const accountTicketCases: CasesOf<Opened> = {
  ...ticketCases,
  lock: async ({ change, account, params: { ticketId } }) => {
    const row = await rowOf(change, account!, ticketId!, sql`for no key update`);
    return writableOnly({ row, writable: writesQueue(account!, row.queue) });
  },
};

/** @throws Failure NOT_FOUND for one of another account, or of a hidden queue */
async function rowOf(read: Read, account: AdmittedAccount, ticketId: string, lock = sql``): Promise<StoredTicket> {
  const row = await readTicketRow(read, ticketId, lock);
  if (row.accountName !== account.accountName || !seesQueue(account, row.queue)) throw noTicket();
  return row;
}
