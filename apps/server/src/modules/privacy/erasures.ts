import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { ErasedKind, Erasure, privacy } from '@portal/contract/privacy/privacy';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import { type Change, ownActivity, type Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import { type KeptData, keptUntil } from '../../platform/kept-data.ts';
import type { Module, ModuleContext } from '../../platform/module.ts';
import { keptForItsPeriod, type PersonalTable } from '../../platform/personal-data.ts';
import type { Profile } from '../../profile.ts';
import { lockAccount } from '../accounts/index.ts';
import { revokeOwnKeys } from '../api-keys/index.ts';
import { endErasedContacts } from '../contacts/index.ts';
import { endRegistrations } from '../events/index.ts';
import { addErasure, addressesOfRecord, disableLogin, endErasure, findLogin, LAST_MAIL_DAYS, lastMail } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { obstaclesOf, warningsOf } from './obstacles.ts';
import { problemOfClock } from './periods.ts';

/** More requests that ended aren’t listed. */
const MAX_ENDED = 20;
/** More open requests aren’t listed, but counted; there are a few a year. */
const MAX_OPEN = 50;

type Row = Omit<Erasure, 'obstacles' | 'warnings'> & { loginId: string };

const erasureRows = sql`select e.erasure_id::text as erasure_id, e.login_id, l.username, l.full_name, e.state, f.full_name as filed_by, e.reason, e.requested_at, e.due_at, e.ended_at,
    b.full_name as ended_by, w.full_name as ended_with, e.note
  from erasure e join login l using (login_id) left join login f on f.login_id = e.filed_by left join login b on b.login_id = e.ended_by left join login w on w.login_id = e.ended_with`;

/** Only what is sealed can be forgotten, which takes a minute or two. */
const unsealed = { what: 'Something of this person was changed in the last minutes.', remedy: 'Wait five minutes and reload.', path: null };
const isUnsealed = async (read: Pick<Read, 'rows'>, loginId: string): Promise<boolean> =>
  (await read.rows<{ unsealed: boolean | null }>(sql`select is_unsealed(${loginId}) as unsealed`))[0]?.unsealed ?? true;

async function erasureOf(read: Pick<Read, 'rows'>, { loginId, ...row }: Row, reader: string): Promise<Erasure> {
  if (row.state !== 'requested') return { ...row, obstacles: [], warnings: [] };
  const obstacles = await obstaclesOf(read, loginId, reader);
  return {
    ...row,
    obstacles: [
      ...obstacles.map(({ what, remedy, deskPath }) => ({ what, remedy, path: deskPath })),
      ...((await isUnsealed(read, loginId)) ? [unsealed] : []),
    ],
    warnings: await warningsOf(read, loginId),
  };
}

/** Returns what an erasure does with the tables of a line of the privacy page; null where no row of them is a person’s with a login. */
function fateOf(modules: readonly Pick<Module, 'personal'>[], kept: KeptData, retention: Profile['retention']): ErasedKind | null {
  const rows = modules.flatMap(({ personal = {} }) =>
    kept.tables.flatMap(table => (personal[table] as PersonalTable<'login'> | undefined)?.erased ?? []),
  );
  const reasons = rows.flatMap(erased => (typeof erased === 'object' && 'kept' in erased ? [erased.kept] : []));
  if (rows.length === 0) return null;
  const fate = reasons.length > 0 ? 'kept' : rows.some(erased => erased !== 'deleted') ? 'replaced' : 'deleted';
  return {
    data: kept.data,
    fate,
    until:
      fate === 'kept' ? [keptUntil(kept, retention), ...new Set(reasons.filter(reason => reason !== keptForItsPeriod))].join('. ') : null,
  };
}

const fates = ['deleted', 'replaced', 'kept'] as const;

/** Returns what an erasure does with each kind of personal data: what is deleted first, what is kept last. */
export const erasedKinds = ({ modules, profile }: Pick<ModuleContext, 'modules' | 'profile'>): ErasedKind[] => {
  const kinds = modules.flatMap(({ keeps = [] }) => keeps).flatMap(kept => fateOf(modules, kept, profile.retention) ?? []);
  return fates.flatMap(fate => kinds.filter(kind => kind.fate === fate));
};

/** Returns how many requests there are, without whose, and what an erasure does. */
export async function countErasures({
  read,
  registry: { modules, profile },
}: Act<typeof privacy.countErasures>): Promise<AnswerOf<typeof privacy.countErasures>> {
  const [counted] = await read.rows<{ open: number; ended: number }>(
    sql`select count(*) filter (where state = 'requested')::int as open, count(*) filter (where state <> 'requested')::int as ended from erasure`,
  );
  return { ...counted!, kinds: erasedKinds({ modules, profile }), waitDays: profile.erasureWaitDays };
}

/** Returns the requests of people to be erased; the activity says who looked, and at which. */
export async function listErasures({ change, caller }: Act<typeof privacy.listErasures>): Promise<AnswerOf<typeof privacy.listErasures>> {
  const open = await change.rows<Row>(sql`${erasureRows} where e.state = 'requested' order by e.due_at, e.erasure_id limit ${MAX_OPEN}`);
  const ended = await change.rows<Row>(
    sql`${erasureRows} where e.state <> 'requested' order by e.ended_at desc, e.erasure_id desc limit ${MAX_ENDED}`,
  );
  await change.note({ requests: [...open, ...ended].map(({ erasureId }) => erasureId).join(', ') });
  // One after the other: they are one transaction.
  const listed = async (rows: readonly Row[]): Promise<Erasure[]> => {
    const shown: Erasure[] = [];
    for (const row of rows) shown.push(await erasureOf(change, row, caller.loginId));
    return shown;
  };
  return { open: await listed(open), ended: await listed(ended) };
}

/** Refuses staff who decide about themselves, as the first person or the second. @throws Failure OWN_REQUEST */
function refuseOwn({ loginId }: { loginId: string }, caller: Pick<Caller, 'loginId' | 'approvedBy'>): void {
  if (loginId === caller.loginId || loginId === caller.approvedBy) throw refuse('OWN_REQUEST');
}

/**
 * Files a request to erase a person who was identified, and mails them.
 * @throws Failure NOT_FOUND without such a login, NOTHING_TO_DO where one is open or the person was erased, ERASURE_OWN, ERASURE_UNREACHABLE
 */
export async function fileErasure({
  change,
  caller,
  body: { username, reason },
  registry: { config, profile },
}: Act<typeof privacy.fileErasure>): Promise<Erasure> {
  const login = await findLogin(change, username);
  if (!login) throw refuse('NOT_FOUND', { what: 'A login with this user name' }).at('username');
  if (login.loginId === caller.loginId) throw refuse('ERASURE_OWN').at('username');
  const asked = { loginId: login.loginId, waitDays: profile.erasureWaitDays, config };
  const erasureId = await addErasure(change, asked, { filedBy: caller.loginId, reason });
  if (erasureId === null) throw refuse('NOTHING_TO_DO', { why: 'there is a request already' });
  await change.note({ erasure: erasureId });
  const [row] = await change.rows<Row>(sql`${erasureRows} where e.erasure_id = ${erasureId}`);
  return erasureOf(change, row!, caller.loginId);
}

/** Locks an open request. @throws Failure NOT_FOUND without one of that number, OWN_REQUEST */
async function lockErasure(change: Change, erasureId: string, caller: Pick<Caller, 'loginId' | 'approvedBy'>) {
  const [open] = isRowId(erasureId)
    ? await change.rows<{ erasureId: number; loginId: string; dueAt: string }>(
        sql`select erasure_id, login_id, due_at from erasure where erasure_id = ${erasureId} and state = 'requested' for update`,
      )
    : [];
  if (!open) throw refuse('NOT_FOUND', { what: 'An open request of this number' });
  refuseOwn(open, caller);
  return open;
}

/** Refuses a request; its person gets the reason. @throws Failure NOT_FOUND, OWN_REQUEST */
export async function refuseErasure({
  change,
  caller,
  params: { erasureId },
  body: { reason },
  registry: { config },
}: Act<typeof privacy.refuseErasure>): Promise<void> {
  const open = await lockErasure(change, erasureId, caller);
  await endErasure(change, open.erasureId, { state: 'refused', endedBy: caller.loginId, note: reason, config });
  await change.note({ erasure: open.erasureId });
}

/**
 * Erases a person. Everything that could be in the way is looked at again, with the accounts of the person and their login locked: what two people approved may be days old.
 * @throws Failure NOT_FOUND, OWN_REQUEST, ERASURE_EARLY, ERASURE_BLOCKED, ERASURE_UNSEALED
 * @throws SecondPersonNeeded with the number of the request, and the page that says whose it is: the log keeps the title, so it names no one
 */
export async function erasePerson({
  change,
  caller,
  params: { erasureId },
  hasSecondPerson,
  registry: { now },
}: Act<typeof privacy.erasePerson>): Promise<void> {
  // A hold that is placed at the same time comes before or after it.
  await change.rows(sql`select lock_holds(true)`);
  const { loginId, dueAt, ...open } = await lockErasure(change, erasureId, caller);
  if (dueAt > change.now) throw refuse('ERASURE_EARLY', { until: `${dueAt.slice(0, 16).replace('T', ' ')} UTC` });
  const clock = await problemOfClock(change, now);
  if (clock !== null) throw refuse('ERASURE_BLOCKED', { what: clock, remedy: 'An operator sets it right first.' });
  const accounts = await change.rows<{ accountName: string }>(
    sql`select distinct account_name from contact where login_id = ${loginId} order by account_name`,
  );
  for (const { accountName } of accounts) await lockAccount(change, accountName);
  await change.rows(sql`select from login where login_id = ${loginId} for update`);
  const [obstacle] = await obstaclesOf(change, loginId, caller.loginId);
  if (obstacle) throw refuse('ERASURE_BLOCKED', { what: obstacle.what, remedy: obstacle.remedy });
  if (await isUnsealed(change, loginId)) throw refuse('ERASURE_UNSEALED');
  if (!hasSecondPerson) throw new SecondPersonNeeded({ title: `Erase the person of request ${open.erasureId}`, link: '/desk/privacy' });

  await change.note({ erasure: open.erasureId });
  // Rehearsed for the second person: nothing would be done by one.
  if (caller.approvedBy === undefined) return;
  const addresses = await addressesOfRecord(change, loginId, change.now);
  await change
    .updateTable('erasure')
    .set({ state: 'erased', endedAt: change.now, endedBy: caller.loginId, endedWith: caller.approvedBy })
    .where('erasureId', '=', open.erasureId)
    .execute();
  // First the values, then what ends with them: what is written afterwards holds none of them.
  await change.rows(sql`select erase_person(${loginId})`);
  await disableLogin(change, loginId);
  await endErasedContacts(change, loginId, await revokeOwnKeys(change, loginId));
  await endRegistrations(change, loginId);
  await change.rows(sql`update access_request set status = 'other', outcome = 'cancelled', resolved_at = ${change.now}::timestamptz
    where login_id = ${loginId} and status = 'pending'`);
  // That a mail to them failed says whose address it was.
  await change.rows(sql`delete from mail_refusal where address = any (${addresses.map(address => address.toLowerCase())}::text[])`);
  for (const recipient of addresses) await sendMail(change, { topic: 'login.security', recipient, text: lastMail() });
}

/** Deletes the last mails to people who were erased, some days after they were sent or failed for good: one that waits for a mail server is sent first. Leaves a line in the log if it deleted any. */
export async function forgetLastMails({ db, clock }: ModuleContext): Promise<void> {
  const isOver = sql`kind = ${lastMail().kind.key} and greatest(sent_at, refused_at) < ${instantBefore(clock(), LAST_MAIL_DAYS * DAY_MS)}::timestamptz`;
  if ((await db.read.rows(sql`select from mail where ${isOver} limit 1`)).length === 0) return;
  await db.change(ownActivity('privacy.forgetLastMails', 'Deleted the last mails to people who were erased'), async change => {
    await change.rows(sql`delete from mail_refusal where address in (select lower(recipient) from mail where ${isOver})`);
    await change.rows(sql`delete from mail where ${isOver}`);
  });
}
