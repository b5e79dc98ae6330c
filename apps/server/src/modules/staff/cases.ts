import { dayIn, yearsAfter } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import {
  type CaseNotes,
  caseKindPermissions,
  heldCaseKinds,
  maxCaseLinks,
  maxReminders,
  maxReminderYears,
  type staffCases,
} from '@portal/contract/staff/cases';
import { sql } from 'kysely';
import { lockByName, type Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { loginById, notifyPeople } from '../identity/index.ts';
import { handCaseOver, holdersOf } from '../roles/index.ts';
import { caseFor, caseLines, caseNamed, type FoundCase, keyOf, kindsOf } from './case-lines.ts';
import { caseInWords, casePath, seenOf } from './case-watches.ts';

type Reader = Pick<Caller, 'loginId' | 'staffPermissions'>;
const ofCase = ({ key, caseId }: Pick<FoundCase, 'key' | 'caseId'>) => sql`kind = ${key} and case_id = ${caseId}`;

/** @throws Failure NOT_FOUND */
export const getCase = async ({ read, caller, params, registry: { now } }: Act<typeof staffCases.getCase>): Promise<CaseNotes> =>
  notesOf(read, await caseFor(read, params, caller), caller, now);

/** Reads the notes of registry staff beside a case. Links to cases that the reader doesn’t handle are left out. */
async function notesOf(read: Pick<Read, 'rows'>, found: FoundCase, caller: Reader, now: Date): Promise<CaseNotes> {
  const { loginId } = caller;
  const isHeld = found.isOpen && heldCaseKinds.includes(found.kind);
  const [watchers, reminders, links, holders] = await Promise.all([
    read.rows<CaseNotes['watchers'][number]>(
      sql`select w.login_id, l.full_name as name from case_watch w join login l using (login_id) where ${ofCase(found)} order by l.full_name, w.login_id`,
    ),
    read.rows<CaseNotes['reminders'][number]>(sql`select case_reminder_id::text as reminder_id, day::text as day, words, by_mail
      from case_reminder where login_id = ${loginId} and ${ofCase(found)} order by day, case_reminder_id`),
    read.rows<CaseNotes['links'][number]>(sql`
      select k.case_link_id::text as link_id, l.full_name as linked_by, k.linked_at, c.kind, c.case_id, c.reference, c.asked, c.account_name, c.state
      from (select case_link_id, login_id, linked_at, other_kind as kind, other_case_id as case_id from case_link where ${ofCase(found)}
        union all select case_link_id, login_id, linked_at, kind, case_id from case_link where other_kind = ${found.key} and other_case_id = ${found.caseId}) k
      join ${caseLines} on c.key = k.kind and c.case_id = k.case_id join login l on l.login_id = k.login_id
      where c.kind = any (${kindsOf(caller)}::text[]) order by k.case_link_id`),
    isHeld ? holdersOf(read, [caseKindPermissions[found.kind]], now.toISOString()) : [],
  ]);
  const { kind, caseId, reference, asked, accountName, state, orgName, isOpen, requestedBy, requestedAt, handler } = found;
  return {
    case: { kind, caseId, reference, asked, accountName, state, orgName, isOpen, requestedBy, requestedAt, handler },
    watchers,
    watching: watchers.some(each => each.loginId === loginId),
    reminders,
    links,
    handlerId: found.handlerId,
    colleagues: holders
      .filter(each => each.loginId !== loginId && each.loginId !== found.handlerId)
      .map(each => ({ loginId: each.loginId, name: each.fullName })),
  };
}

/** Watches a case, or stops. @throws Failure NOT_FOUND */
export async function watchCase({ change, caller, params, body, registry }: Act<typeof staffCases.watchCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller);
  const { loginId } = caller;
  await (body.watching
    ? change.rows(sql`insert into case_watch (login_id, kind, case_id, seen, watched_at)
        values (${loginId}, ${found.key}, ${found.caseId}, ${seenOf(found)}, ${change.now}::timestamptz) on conflict do nothing`)
    : change.rows(sql`delete from case_watch where login_id = ${loginId} and ${ofCase(found)}`));
  await change.note({ case: caseInWords(found), watching: body.watching });
  return notesOf(change, found, caller, registry.now);
}

/** Keeps a reminder of a case. @throws Failure NOT_FOUND, TOO_MANY_REMINDERS, INVALID_REQUEST for a day that is over or years away */
export async function remindOfCase({
  change,
  caller,
  params,
  body: { day, words, byMail },
  registry: { now, profile },
}: Act<typeof staffCases.remindOfCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller);
  const { loginId } = caller;
  const today = dayIn(profile.timeZone, now);
  if (day <= today) throw refuseField('day', 'This day has begun already. Choose a later one');
  if (day > yearsAfter(today, maxReminderYears)) throw refuseField('day', `Choose a day within ${maxReminderYears} years`);
  await lockByName(change, `staff.reminders ${loginId}`);
  const [{ kept }] = (await change.rows<{ kept: number }>(
    sql`select count(*)::int as kept from case_reminder where login_id = ${loginId}`,
  )) as [{ kept: number }];
  if (kept >= maxReminders) throw refuse('TOO_MANY_REMINDERS', { most: String(maxReminders) });
  await change.rows(sql`insert into case_reminder (login_id, kind, case_id, day, words, by_mail, created_at)
    values (${loginId}, ${found.key}, ${found.caseId}, ${day}::date, ${words}, ${byMail}, ${change.now}::timestamptz)`);
  await change.note({ case: caseInWords(found), day });
  return notesOf(change, found, caller, now);
}

/** Removes a reminder of one’s own. @throws Failure NOT_FOUND */
export async function removeReminder({ change, caller, params, registry }: Act<typeof staffCases.removeReminder>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller);
  const [removed] = isRowId(params.reminderId)
    ? await change.rows<{ day: string }>(sql`delete from case_reminder
        where case_reminder_id = ${Number(params.reminderId)} and login_id = ${caller.loginId} and ${ofCase(found)} returning day::text as day`)
    : [];
  if (!removed) throw refuse('NOT_FOUND', { what: 'The reminder' });
  await change.note({ case: caseInWords(found), day: removed.day });
  return notesOf(change, found, caller, registry.now);
}

/** Links two cases; linking them again changes nothing. @throws Failure NOT_FOUND, NO_SUCH_CASE, TOO_MANY_CASE_LINKS, INVALID_REQUEST for the case itself */
export async function linkCase({ change, caller, params, body, registry }: Act<typeof staffCases.linkCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller);
  const other = await caseNamed(change, body.other, caller);
  if (other.key === found.key && other.caseId === found.caseId) throw refuseField('other', 'That is this case. Enter another one');
  await lockByName(change, 'staff.caseLinks');
  for (const each of [found, other]) {
    const [{ kept }] = (await change.rows<{ kept: number }>(sql`select count(*)::int as kept from case_link
      where ${ofCase(each)} or (other_kind = ${each.key} and other_case_id = ${each.caseId})`)) as [{ kept: number }];
    if (kept >= maxCaseLinks) throw refuse('TOO_MANY_CASE_LINKS', { most: String(maxCaseLinks) });
  }
  await change.rows(sql`insert into case_link (kind, case_id, other_kind, other_case_id, login_id, linked_at)
    values (${found.key}, ${found.caseId}, ${other.key}, ${other.caseId}, ${caller.loginId}, ${change.now}::timestamptz) on conflict do nothing`);
  await change.note({ case: caseInWords(found), other: caseInWords(other) });
  return notesOf(change, found, caller, registry.now);
}

/** Removes a link, from either of its cases. @throws Failure NOT_FOUND */
export async function unlinkCase({ change, caller, params, registry }: Act<typeof staffCases.unlinkCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller);
  const [removed] = isRowId(params.linkId)
    ? await change.rows(sql`delete from case_link where case_link_id = ${Number(params.linkId)}
        and (${ofCase(found)} or (other_kind = ${found.key} and other_case_id = ${found.caseId})) returning 1 as removed`)
    : [];
  if (!removed) throw refuse('NOT_FOUND', { what: 'The link' });
  await change.note({ case: caseInWords(found) });
  return notesOf(change, found, caller, registry.now);
}

/** Hands an open case over to a colleague who handles cases of its kind, and notifies them. @throws Failure NOT_FOUND, ALREADY_RESOLVED, INVALID_REQUEST */
export async function handOverCase({
  change,
  caller,
  params,
  body: { to, words },
  registry: { now, modules },
}: Act<typeof staffCases.handOverCase>): Promise<CaseNotes> {
  await lockByName(change, `staff.case ${keyOf(params.kind)} ${params.caseId}`);
  const found = await caseFor(change, params, caller);
  const name = caseInWords(found);
  if (!found.isOpen) throw refuse('ALREADY_RESOLVED', { what: name });
  const able = await holdersOf(change, [caseKindPermissions[found.kind]], change.now);
  const colleague = able.find(({ loginId }) => loginId === to) ? await loginById(change, to) : null;
  if (!colleague) throw refuseField('to', 'This person can’t take cases of this kind. Choose one of those offered');
  if (colleague.loginId === found.handlerId) throw refuseField('to', `${colleague.fullName} has it already. Choose someone else`);
  const handed = await handCaseOver(change, modules, {
    kind: found.kind,
    caseId: found.caseId,
    by: caller.loginId,
    to: colleague.loginId,
    words: [`Handed over to ${colleague.fullName}`, words].filter(Boolean).join(': '),
  });
  if (!handed) throw refuseField('to', 'Cases of this kind are decided without being taken');
  if (found.accountName) await change.concerns(found.accountName);
  await change.note({ case: name, to: colleague.fullName });
  await notifyPeople(
    change,
    {
      topic: 'staff.cases',
      accountName: null,
      subject: `${name} is yours`,
      body: [`${caller.name} handed it over to you: ${found.asked}.`, ...(words === '' ? [] : [words])],
      path: casePath(found),
      act: 'View case',
    },
    [colleague],
  );
  return notesOf(change, await caseFor(change, params, caller), caller, now);
}
