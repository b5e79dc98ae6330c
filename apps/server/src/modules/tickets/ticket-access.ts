import { dayIn } from '@portal/contract/days';
import { seesQueue, ticketQueueNames, type TicketQueue, writesQueue } from '@portal/contract/tickets/queues';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { membershipOf } from '../accounts/index.ts';
import { noTicket, readTicketRow, type StoredTicket } from './ticket-row.ts';

/** The caller's membership of an account that a call names. @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function memberOf(read: Read, caller: Caller, accountName: string, now: Date): Promise<AdmittedAccount> {
  const account = await membershipOf(read, caller, accountName);
  if (!account || account.accountStatus === 'closed') throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  if (account.secondFactorFrom && account.secondFactorFrom <= dayIn('UTC', now) && !caller.mfa)
    throw refuse('SECOND_FACTOR_DEMANDED', { account: accountName });
  return account;
}

/** Queues whose tickets of the account a contact sees. */
export const accountQueues = (account: AdmittedAccount): TicketQueue[] => ticketQueueNames.filter(queue => seesQueue(account, queue));
export const writtenQueues = (account: AdmittedAccount): TicketQueue[] => ticketQueueNames.filter(queue => writesQueue(account, queue));

/** SQL: the person wrote ticket `t` or is copied in. */
const isOwn = (loginId: string): RawBuilder<boolean> =>
  sql<boolean>`(t.requestor = ${loginId} or exists (select from ticket_cc c where c.ticket_id = t.ticket_id and c.login_id = ${loginId}))`;

/** SQL: tickets `t` that a person sees, of an account or without one. */
export const visibleTickets = (caller: Pick<Caller, 'loginId'>, account: AdmittedAccount | null): RawBuilder<boolean> =>
  account
    ? sql<boolean>`(t.account_name = ${account.accountName} and (t.queue = any (${accountQueues(account)}::text[]) or ${isOwn(caller.loginId)})
        or t.account_name is null and ${isOwn(caller.loginId)})`
    : sql<boolean>`(t.account_name is null and ${isOwn(caller.loginId)})`;

/**
 * A ticket that the caller may see, and whether they may write in it: tickets they wrote or are copied in while they act for its account, and those
 * shown by their queue permissions. Any other looks non-existent.
 * @throws Failure NOT_FOUND, SECOND_FACTOR_DEMANDED
 */
export async function ticketFor({
  read,
  caller,
  ticketId,
  now,
  lock,
}: {
  read: Read;
  caller: Caller;
  ticketId: string;
  now: Date;
  lock?: RawBuilder<unknown>;
}): Promise<{ row: StoredTicket; writable: boolean }> {
  const row = await readTicketRow(read, ticketId, lock as never);
  const { accountName, queue } = row;
  const [own] = await read.rows<{ own: boolean }>(
    sql`select coalesce(${isOwn(caller.loginId)}, false) as own from ticket t where t.ticket_id = ${Number(row.ticketId)}`,
  );
  if (accountName === null) {
    if (!own!.own) throw noTicket();
    return { row, writable: true };
  }
  const account = await membershipOf(read, caller, accountName);
  if (!account || !(own!.own || seesQueue(account, queue))) throw noTicket();
  await memberOf(read, caller, accountName, now);
  return { row, writable: own!.own || writesQueue(account, queue) };
}
