import { rowNumber } from '@portal/contract/row-ids';
import type { BodyOf } from '@portal/contract';
import { DAY_MS, dayIn } from '@portal/contract/days';
import type { AccountClosure, accountClosures, StaffAccountClosure } from '@portal/contract/organisations/closures';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import { Accepted } from '../../platform/http/accepted.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { actorOf, lockOwnAccount, refuseClosedAccount } from '../accounts/index.ts';
import { attach, attachedTo } from '../documents/index.ts';
import { countDelegations, lockedResources } from '../resources/index.ts';
import { refuseRestrainedChange } from '../restraints/index.ts';
import { notifyCorporateContacts } from './organisation-notices.ts';
import { organisationsTexts } from './mail-texts.ts';

export type Row = Omit<StaffAccountClosure, 'closureId' | 'reference'> & { id: number; withdrawnBy: string | null; endedAt: string | null };

export const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select r.account_closure_request_id as id, r.account_name, r.reason, r.close_on, r.resources, r.state, asker.full_name as requested_by,
    asker.email as requester_email, r.requested_at, staff.full_name as resolved_by, gone.full_name as withdrawn_by, r.resolved_at, r.ended_at,
    ${attachedTo(sql`'CLOSE-' || r.account_closure_request_id`)} as papers, r.note, a.org_name, a.account_status,
    (select count(*)::int from delegation d where d.account_name = r.account_name and d.status <> 'closed') as delegations
  from account_closure_request r join account a using (account_name) join contact asker on asker.contact_id = r.requested_by
    left join contact gone on gone.contact_id = r.withdrawn_by left join login staff on staff.login_id = r.resolved_by
  where ${where}`;

const referenceOf = (id: number): string => `CLOSE-${id}`;

/** As members see it: the name of the staff member who decided is left out. */
export const forMembers = (row: Row): AccountClosure => ({
  closureId: String(row.id),
  reference: referenceOf(row.id),
  accountName: row.accountName,
  reason: row.reason,
  closeOn: row.closeOn,
  resources: row.resources,
  papers: row.papers,
  state: row.state,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  resolvedBy: row.withdrawnBy ?? (row.resolvedBy === null ? null : 'Registry staff'),
  resolvedAt: row.endedAt ?? row.resolvedAt,
  note: row.note,
});

export const forStaff = (row: Row): StaffAccountClosure => ({
  ...forMembers(row),
  resolvedBy: row.withdrawnBy ?? row.resolvedBy,
  orgName: row.orgName,
  accountStatus: row.accountStatus,
  requesterEmail: row.requesterEmail,
  delegations: row.delegations,
});

export const byId = async (read: Read, id: number): Promise<Row> =>
  (await read.rows(rowsWhere(sql`r.account_closure_request_id = ${id}`)))[0]!;
/** One request, as registry staff read it. @throws Failure NOT_FOUND */
export async function getStaffAccountClosure({
  read,
  params: { closureId },
}: Act<typeof accountClosures.getStaffAccountClosure>): Promise<StaffAccountClosure> {
  const id = rowNumber(closureId);
  const row = id === null ? undefined : await byId(read, id);
  if (!row) throw refuse('NOT_FOUND', { what: 'The request' });
  return forStaff(row);
}

/** Closure requests as rows of the desk's queue; an approved one waits only for its day. */
export const closureQueue = sql`select 'closures' as kind, r.account_closure_request_id::text as request_id, r.account_closure_request_id as case_number,
  'CLOSE-' || r.account_closure_request_id as reference, r.account_name, a.org_name, 'Close the account on ' || to_char(r.close_on::date, 'FMDD Mon YYYY') as asked,
  case r.state when 'closed' then 'approved' else r.state end as state,
  asker.full_name as requested_by, r.requested_at, coalesce(gone.full_name, staff.full_name) as resolved_by,
  coalesce(r.ended_at, r.resolved_at) as resolved_at
  from account_closure_request r join account a using (account_name) join contact asker on asker.contact_id = r.requested_by
    left join contact gone on gone.contact_id = r.withdrawn_by left join login staff on staff.login_id = r.resolved_by`;

/** The latest request to end an account; null when there never was one. */
export async function latestClosure(read: Read, accountName: string): Promise<AccountClosure | null> {
  const [row] = await read.rows(rowsWhere(sql`r.account_name = ${accountName} order by r.account_closure_request_id desc limit 1`));
  return row ? forMembers(row) : null;
}

const handlingWords = {
  return: 'Number resources are returned to the registry.',
  transfer: 'Number resources are transferred before.',
  none: 'The account holds no number resources.',
} as const;

/** How far ahead, in days, a closure can be requested. */
const LONGEST_AHEAD = 366;

/**
 * Requests closing an account on a day. Nothing changes until then.
 * @throws Failure INVALID_REQUEST, RESOURCE_LOCKED, REGISTRY_DECIDES with the open request, NOT_FOUND, FILE_UNUSABLE
 */
export async function requestAccountClosure({
  change,
  account,
  caller: { loginId },
  body: { reason, closeOn, resources, confirmation, documentIds },
  registry: {
    profile: { timeZone },
  },
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Pick<Caller, 'loginId'>;
  body: BodyOf<typeof accountClosures.requestAccountClosure>;
  registry: { profile: Pick<Registry['profile'], 'timeZone'> };
}): Promise<Accepted<AccountClosure>> {
  const { accountName } = account;
  const { orgName } = await lockOwnAccount(change, account);
  const actor = await actorOf(change, account);
  if (confirmation !== accountName) throw refuseField('confirmation', `Enter the account name, ${accountName}`);
  const today = dayIn(timeZone, new Date(change.now));
  if (closeOn < today) throw refuseField('closeOn', `The earliest day is today, ${today} in ${timeZone.replaceAll('_', ' ')}`);
  if (Date.parse(closeOn) - Date.parse(today) > LONGEST_AHEAD * DAY_MS) throw refuseField('closeOn', 'Choose a date within a year');
  const delegations = await countDelegations(change, accountName);
  if (resources === 'none' && delegations > 0)
    throw refuseField(
      'resources',
      `${accountName} holds ${delegations === 1 ? 'a delegation' : `${delegations} delegations`}. Choose whether they’re returned or transferred`,
    );
  await refuseLocked(change, accountName);
  const filed = await change
    .insertInto('accountClosureRequest')
    .values({ accountName, reason, closeOn, resources, requestedBy: actor.contactId, requestedAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('accountClosureRequestId')
    .executeTakeFirst();
  if (!filed) throw refuseWithCurrent(await latestClosure(change, accountName), 'REGISTRY_DECIDES', { who: `the end of ${accountName}` });
  const id = filed.accountClosureRequestId;
  const papers = await attach(change, loginId, documentIds, {
    reference: referenceOf(id),
    accountName,
    type: 'legal',
    visibility: 'corporate',
  });
  await change.note({ request: referenceOf(id), closeOn, resources, reason });
  await notifyCorporateContacts(change, {
    accountName,
    text: organisationsTexts.written('requestClose', {
      accountName,
      actor: actor.name,
      actorEmail: actor.email,
      orgName,
      closeOn,
      reason,
      handlingWords: handlingWords[resources],
      attachments: papers.length > 0 ? `Attached: ${papers.map(({ fileName }) => fileName).join(', ')}.` : '',
    }),
  });
  return new Accepted(forMembers(await byId(change, id)));
}

/** Refuses to close an account that keeps some of its resources locked. @throws Failure RESOURCE_LOCKED */
async function refuseLocked(change: Change, accountName: string): Promise<void> {
  const [resource] = await lockedResources(change, accountName);
  if (resource !== undefined) throw refuse('RESOURCE_LOCKED', { resource, reference: 'a lock of the account. Release it first' });
}

/** Withdraws a request, even an approved one, until its day. */
export async function withdrawAccountClosure({
  change,
  account,
  row,
}: CaseAct<typeof accountClosures.withdrawAccountClosure, Row>): Promise<AccountClosure> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  await change
    .updateTable('accountClosureRequest')
    .set({ state: 'withdrawn', withdrawnBy: actor.contactId, endedAt: change.now })
    .where('accountClosureRequestId', '=', row.id)
    .execute();
  await change.note({ request: referenceOf(row.id), before: row.state, after: 'withdrawn' });
  await notifyCorporateContacts(change, {
    accountName,
    text: organisationsTexts.written('closureWithdrawn', {
      reference: referenceOf(row.id),
      accountName,
      actor: actor.name,
      closeOn: row.closeOn,
    }),
  });
  return forMembers(await byId(change, row.id));
}

/** Requests over all accounts, as registry staff read them: those to decide or carry out by their day, the others newest first. */
export async function listStaffAccountClosures({
  read,
  query: { status, q, offset, limit },
}: Act<typeof accountClosures.listStaffAccountClosures>): Promise<{ rows: StaffAccountClosure[]; total: number }> {
  const pattern = containsPattern(q.trim());
  const state = status === 'open' ? sql`r.state in ('submitted', 'approved')` : sql`r.state not in ('submitted', 'approved')`;
  const where =
    q.trim() === ''
      ? state
      : sql`${state} and (r.account_name ilike ${pattern} or r.reason ilike ${pattern} or 'CLOSE-' || r.account_closure_request_id ilike ${pattern})`;
  const order =
    status === 'open'
      ? sql`r.close_on, r.account_closure_request_id`
      : sql`coalesce(r.ended_at, r.resolved_at) desc, r.account_closure_request_id desc`;
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from account_closure_request r where ${where}`),
    read.rows(rowsWhere(sql`${where} order by ${order} limit ${limit} offset ${offset}`)),
  ]);
  return { rows: rows.map(forStaff), total: counted[0]!.total };
}

async function resolve(
  change: Change,
  row: Row,
  { state, note, caller }: { state: 'approved' | 'rejected'; note: string; caller: Caller },
): Promise<StaffAccountClosure> {
  const { accountName, closeOn } = row;
  await change
    .updateTable('accountClosureRequest')
    .set({ state, note, resolvedBy: caller.loginId, resolvedAt: change.now })
    .where('accountClosureRequestId', '=', row.id)
    .execute();
  await change.note({ request: referenceOf(row.id), closeOn, before: row.state, after: state, ...(note !== '' && { note }) });
  await notifyCorporateContacts(change, {
    accountName,
    text:
      state === 'approved'
        ? organisationsTexts.written('accountCloses', {
            reference: referenceOf(row.id),
            accountName,
            closeOn,
            orgName: row.orgName,
            handlingWords: handlingWords[row.resources],
            note: note === '' ? '' : `They write:\n\n${note}`,
          })
        : organisationsTexts.written('closureRejected', {
            reference: referenceOf(row.id),
            accountName,
            orgName: row.orgName,
            closeOn,
            note: note === '' ? '' : `They write:\n\n${note}`,
          }),
  });
  return forStaff(await byId(change, row.id));
}

/** Approves: the account closes on its day, not before. @throws Failure ACCOUNT_CLOSED, RESOURCE_LOCKED, ACCOUNT_RESTRAINED */
export async function approveAccountClosure({
  change,
  caller,
  row,
  body: { note },
  registry: { profile },
}: CaseAct<typeof accountClosures.approveAccountClosure, Row>): Promise<StaffAccountClosure> {
  refuseClosedAccount(row);
  await refuseRestrainedChange(change, { accountName: row.accountName, by: 'hold', profile });
  await refuseLocked(change, row.accountName);
  return resolve(change, row, { state: 'approved', note, caller });
}

/** Refuses, with the reason; an approved request can be refused until its day. */
export async function refuseAccountClosure({
  change,
  caller,
  row,
  body: { reason },
}: CaseAct<typeof accountClosures.refuseAccountClosure, Row>): Promise<StaffAccountClosure> {
  return resolve(change, row, { state: 'rejected', note: reason, caller });
}
