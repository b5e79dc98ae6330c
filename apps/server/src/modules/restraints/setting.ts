import { daysAfter } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import {
  type AccountRestraints,
  holdDays,
  nextHoldDays,
  type restraints,
  restraintKinds,
  restraintReasons,
  restrictionNoticeDays,
} from '@portal/contract/restraints/restraints';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { activeContacts, findAccount, refuseClosedAccount, refuseOwnAccount } from '../accounts/index.ts';
import { beginningOfDay } from '../policy/index.ts';
import { endOverdue } from './clock.ts';
import { goOnWithCases, notifyWaiting, waitingCases } from './restrained-cases.ts';
import { notifyEnded, notifyRestrained } from './restraint-notices.ts';
import { areHoldingsStopped, restraintAt, restraintRows } from './restraint-row.ts';

/** Earlier restraints are listed so many back. */
const LISTED = 50;

type Given = Pick<Registry, 'modules' | 'now' | 'today'>;

async function restraintsOf(read: Read, accountName: string, { modules, now, today }: Given): Promise<AccountRestraints> {
  const rows = (
    await read.rows(restraintRows(sql`r.account_name = ${accountName} order by r.account_restraint_id desc limit ${LISTED}`))
  ).map(row => restraintAt(row, now));
  const isOpen = ({ state }: { state: string }): boolean => state === 'announced' || state === 'in-force';
  const told = await activeContacts(read, accountName, { types: ['corporate'] });
  return {
    accountName,
    open: rows.filter(isOpen),
    earlier: rows.filter(row => !isOpen(row)),
    waiting: await waitingCases(read, modules, accountName),
    told: told.map(({ fullName }) => fullName),
    noticeEndsOn: daysAfter(today, restrictionNoticeDays),
    holdEndsBy: daysAfter(today, holdDays),
    today,
    holdNeedsSecond: await wasHeldLately(read, accountName, now.toISOString()),
  };
}

/** Whether the account was under a hold in the last weeks: the next one is not one person's alone. */
async function wasHeldLately(read: Pick<Read, 'rows'>, accountName: string, now: string): Promise<boolean> {
  const [held] = await read.rows(sql`select 1 from account_restraint where account_name = ${accountName} and kind = 'hold'
    and least(coalesce(ended_at, ends_at), ends_at) > ${now}::timestamptz - make_interval(days => ${nextHoldDays}::integer) limit 1`);
  return held !== undefined;
}

/** Restraints of an account, and what another one would do. @throws Failure NOT_FOUND */
export async function listRestraints({
  read,
  params: { accountName },
  registry,
}: Act<typeof restraints.listRestraints>): Promise<AccountRestraints> {
  if (!(await findAccount(read, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  return restraintsOf(read, accountName, registry);
}

/** Locks an account against every other change for it: those under way have ended, and those that come read what is set. @throws Failure NOT_FOUND */
async function lockWhole(change: Change, accountName: string): Promise<{ accountName: string; accountStatus: string }> {
  const [account] = await change.rows<{ accountName: string; accountStatus: string }>(
    sql`select account_name, account_status from account where account_name = ${accountName} for update`,
  );
  if (!account) throw refuse('NOT_FOUND', { what: 'The account' });
  return account;
}

/**
 * Puts a hold or a restriction on an account. A hold begins immediately, as does a restriction for a suspected hijack; another restriction begins with the day after its notice. Each
 * ends at the beginning of its day.
 * @throws Failure NOT_FOUND, ACCOUNT_CLOSED, OWN_REQUEST, RESTRAINED_ALREADY, INVALID_REQUEST for a day that is too early or, of a hold, too late
 * @throws SecondPersonNeeded for a restriction, and for a hold soon after another
 */
export async function setRestraint({
  change,
  caller,
  params,
  body: { kind, reason, endsOn, memberText },
  hasSecondPerson,
  registry,
}: Act<typeof restraints.setRestraint>): Promise<AccountRestraints> {
  const { profile, modules, today } = registry;
  const account = await lockWhole(change, params.accountName);
  const { accountName } = account;
  refuseClosedAccount(account);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  await endOverdue(change, accountName, registry);
  const [open] = await change.rows(
    sql`select 1 from account_restraint where account_name = ${accountName} and kind = ${kind} and ended_at is null`,
  );
  if (open) throw refuse('RESTRAINED_ALREADY', { account: accountName, restraint: restraintKinds[kind] });
  const isImmediate = kind === 'hold' || reason === 'hijack';
  const beginsOn = isImmediate ? today : daysAfter(today, restrictionNoticeDays);
  refuseDays({ kind, endsOn, beginsOn, today });
  const beginsAt = isImmediate ? change.now : beginningOfDay(beginsOn, profile);
  const endsAt = endsOn === null ? null : beginningOfDay(endsOn, profile);
  const needsSecond = kind === 'restrict' || (await wasHeldLately(change, accountName, change.now));
  const wasStopped = await areHoldingsStopped(change, accountName, change.now);
  await change.rows(sql`insert into account_restraint (account_name, kind, reason, member_text, set_by, confirmed_by, set_at, set_activity, begins_at, began_at, ends_at)
    values (${accountName}, ${kind}, ${reason}, ${memberText}, ${caller.loginId}, ${caller.approvedBy ?? (needsSecond ? caller.loginId : null)}, ${change.now}::timestamptz,
      ${change.activityId}, ${beginsAt}::timestamptz, ${isImmediate ? change.now : null}::timestamptz, ${endsAt}::timestamptz)`);
  // Days that the second person sees; the notice runs from the day on which they confirm it.
  await change.note({
    restraint: restraintKinds[kind],
    reason: restraintReasons[reason],
    begins: isImmediate ? 'immediately' : `${restrictionNoticeDays} days after it is confirmed`,
    ends: endsOn === null ? 'when it is lifted' : dayInWords(endsOn),
    memberText,
  });
  await notifyRestrained(
    change,
    { accountName, kind, reason, memberText, beginsAt, endsAt },
    isImmediate ? 'restraintInForce' : 'restraintAnnounced',
    profile,
  );
  if (isImmediate && !wasStopped) await notifyWaiting(change, modules, accountName);
  if (needsSecond && !hasSecondPerson)
    throw new SecondPersonNeeded({
      title: `Put ${restraintKinds[kind]} on ${accountName}: ${restraintReasons[reason]}`,
      link: `/desk/accounts/${accountName}#restraints`,
    });
  return restraintsOf(change, accountName, registry);
}

/** @throws Failure INVALID_REQUEST for a day on which a restraint can't end */
function refuseDays({
  kind,
  endsOn,
  beginsOn,
  today,
}: {
  kind: 'hold' | 'restrict';
  endsOn: string | null;
  beginsOn: string;
  today: string;
}): void {
  const last = daysAfter(today, holdDays);
  if (kind === 'hold' && (endsOn === null || endsOn > last))
    throw refuseField('endsOn', `A hold ends within ${holdDays} days: choose a day until ${last}`);
  if (endsOn !== null && endsOn <= beginsOn) throw refuseField('endsOn', `Choose a day after ${beginsOn}, on which it begins`);
}

/** Lifts a restraint, announced or in force. @throws Failure NOT_FOUND, OWN_REQUEST, ALREADY_RESOLVED for one that is over */
export async function liftRestraint({
  change,
  caller,
  params: { accountName, restraintId },
  body: { reason },
  registry,
}: Act<typeof restraints.liftRestraint>): Promise<AccountRestraints> {
  const { now, modules } = registry;
  await lockWhole(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const [row] = isRowId(restraintId)
    ? await change.rows(restraintRows(sql`r.account_restraint_id = ${Number(restraintId)} and r.account_name = ${accountName}`))
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The restraint' });
  const { state } = restraintAt(row, now);
  if (state === 'over' || state === 'lifted') throw refuse('ALREADY_RESOLVED', { what: 'The restraint' });
  await change.rows(sql`update account_restraint set ended_at = ${change.now}::timestamptz, lifted_by = ${caller.loginId}, lift_reason = ${reason}
    where account_restraint_id = ${Number(restraintId)}`);
  await change.note({ restraint: restraintKinds[row.kind], reason });
  await notifyEnded(change, row, reason);
  if (state === 'in-force' && !(await areHoldingsStopped(change, accountName, change.now)))
    await goOnWithCases(change, modules, accountName);
  return restraintsOf(change, accountName, registry);
}
