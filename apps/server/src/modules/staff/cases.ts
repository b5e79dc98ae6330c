import { dayIn, yearsAfter } from '@portal/contract/days';
import { isRowId } from '@portal/contract/row-ids';
import {
  type CaseNotes,
  caseKindPermissions,
  isHeldKind,
  maxCaseLinks,
  maxReminders,
  maxReminderYears,
  type staffCases,
} from '@portal/contract/staff/cases';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { notifyPeople } from '../identity/index.ts';
import { handCaseOver, holdersOf, keyOfCase, ownersOfCase } from '../roles/index.ts';
import { caseAt, caseFor, caseNamed, type FoundCase, findCase, kindsOf, lineColumns } from './case-lines.ts';
import { seenOf } from './case-watches.ts';
import { caseNameOf, casePath } from '@portal/contract/staff/case-words';
import type { Registry } from '../../platform/registry.ts';
import { marksFor } from './risk-marks.ts';
import { secondApprovals } from './second-approvals.ts';
import { stepsOf } from './case-steps.ts';
import { staffTexts } from './mail-texts.ts';

type Reader = Pick<Caller, 'loginId' | 'staffPermissions'>;
const ofCase = ({ key, caseId }: Pick<FoundCase, 'key' | 'caseId'>) => sql`kind = ${key} and case_id = ${caseId}`;

/** @throws Failure NOT_FOUND */
export const getCase = async ({ read, caller, params, registry }: Act<typeof staffCases.getCase>): Promise<CaseNotes> =>
  notesOf(read, await caseFor(read, params, caller, 'read'), caller, registry);

/** Reads the notes of registry staff beside a case. Links to cases that the reader doesn’t handle are left out. */
async function notesOf(
  read: Pick<Read, 'rows'>,
  found: FoundCase,
  caller: Reader,
  registry: Pick<Registry, 'now' | 'modules' | 'profile'>,
): Promise<CaseNotes> {
  const { loginId } = caller;
  const [watchers, reminders, links, handOvers, marks, colleagues, seconds, steps] = await Promise.all([
    read.rows<CaseNotes['watchers'][number]>(
      sql`select w.login_id, l.full_name as name from case_watch w join login l using (login_id) where ${ofCase(found)} order by l.full_name, w.login_id`,
    ),
    read.rows<CaseNotes['reminders'][number]>(sql`select case_reminder_id::text as reminder_id, day::text as day, words, by_mail
      from case_reminder where login_id = ${loginId} and ${ofCase(found)} order by day, case_reminder_id`),
    read.rows<CaseNotes['links'][number]>(sql`
      select k.case_link_id::text as link_id, l.full_name as linked_by, k.linked_at, ${lineColumns}
      from (select case_link_id, login_id, linked_at, other_kind as kind, other_case_id as case_id from case_link where ${ofCase(found)}
        union all select case_link_id, login_id, linked_at, kind, case_id from case_link where other_kind = ${found.key} and other_case_id = ${found.caseId}) k
      join login l on l.login_id = k.login_id cross join ${caseAt(sql`k.kind`, sql`k.case_id`)}
      where c.kind = any (${kindsOf(caller, 'read')}::text[]) order by k.case_link_id`),
    read.rows<CaseNotes['handOvers'][number]>(sql`
      select former.full_name as "from", receiver.full_name as "to", giver.full_name as "by", h.words, h.at
      from case_hand_over h left join login former on former.login_id = h.from_login join login receiver on receiver.login_id = h.to_login
        join login giver on giver.login_id = h.by_login
      where ${ofCase(found)} order by h.case_hand_over_id desc limit 20`),
    found.accountName === null ? [] : marksFor(read, found.accountName, caller, registry),
    colleaguesFor(read, found, caller, registry),
    secondApprovals(read, caller, registry),
    stepsOf(read, found),
  ]);
  const { kind, caseId, reference, asked, accountName, state, orgName, isOpen, requestedBy, requestedAt, handler } = found;
  return {
    case: {
      kind,
      caseId,
      reference,
      asked,
      accountName,
      state,
      orgName,
      isOpen,
      requestedBy,
      requestedAt,
      handler,
      second: isOpen ? seconds.of({ kind, requestId: caseId }) : null,
    },
    watchers,
    watching: watchers.some(each => each.loginId === loginId),
    reminders,
    links,
    handlerId: found.handlerId,
    handOvers,
    steps,
    marks: marks ?? [],
    colleagues,
  };
}

/** Colleagues that a case can be handed over to: those who handle its kind and whose own matter it isn’t. */
async function colleaguesFor(
  read: Pick<Read, 'rows'>,
  { kind, caseId, isOpen, handlerId }: FoundCase,
  caller: Reader,
  { now, modules }: Pick<Registry, 'now' | 'modules'>,
): Promise<CaseNotes['colleagues']> {
  if (!isOpen || !isHeldKind(kind) || !kindsOf(caller, 'act').includes(kind)) return [];
  const at = now.toISOString();
  const [holders, owners] = await Promise.all([
    holdersOf(read, [caseKindPermissions[kind]], at),
    ownersOfCase(read, modules, { kind, caseId, now: at }),
  ]);
  if (owners.includes(caller.loginId)) return [];
  const no = [caller.loginId, handlerId, ...owners];
  return holders.filter(({ loginId }) => !no.includes(loginId)).map(({ loginId, fullName }) => ({ loginId, name: fullName }));
}

/** Watches a case, or stops. @throws Failure NOT_FOUND */
export async function watchCase({ change, caller, params, body, registry }: Act<typeof staffCases.watchCase>): Promise<CaseNotes> {
  // Who lost the right to act can still stop.
  const found = await caseFor(change, params, caller, body.watching ? 'act' : 'read');
  const { loginId } = caller;
  await (body.watching
    ? change.rows(sql`insert into case_watch (login_id, kind, case_id, seen, watched_at)
        values (${loginId}, ${found.key}, ${found.caseId}, ${seenOf(found)}, ${change.now}::timestamptz) on conflict do nothing`)
    : change.rows(sql`delete from case_watch where login_id = ${loginId} and ${ofCase(found)}`));
  await change.note({ case: caseNameOf(found), watching: body.watching });
  return notesOf(change, found, caller, registry);
}

/** Keeps a reminder of a case. @throws Failure NOT_FOUND, TOO_MANY_REMINDERS, INVALID_REQUEST for a day that is over or years away */
export async function remindOfCase({
  change,
  caller,
  params,
  body: { day, words, byMail },
  registry,
}: Act<typeof staffCases.remindOfCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller, 'act');
  const { loginId } = caller;
  const { now, profile } = registry;
  const today = dayIn(profile.timeZone, now);
  if (day <= today) throw refuseField('day', 'This day has begun already. Choose a later one');
  if (day > yearsAfter(today, maxReminderYears)) throw refuseField('day', `Choose a day within ${maxReminderYears} years`);
  await lockByName(change, `staff.reminders ${loginId}`);
  const [{ kept }] = (await change.rows<{ kept: number }>(
    // Those of kinds that the person lost are not seen, and wait for the role to come back.
    sql`select count(*)::int as kept from case_reminder where login_id = ${loginId} and kind = any (${kindsOf(caller, 'read').map(keyOfCase)}::text[])`,
  )) as [{ kept: number }];
  if (kept >= maxReminders) throw refuse('TOO_MANY_REMINDERS', { most: String(maxReminders) });
  await change.rows(sql`insert into case_reminder (login_id, kind, case_id, day, words, by_mail, created_at)
    values (${loginId}, ${found.key}, ${found.caseId}, ${day}::date, ${words}, ${byMail}, ${change.now}::timestamptz)`);
  await change.note({ case: caseNameOf(found), day });
  return notesOf(change, found, caller, registry);
}

/** Removes a reminder of one’s own, also of a case that the caller doesn’t see any more. @throws Failure NOT_FOUND */
export async function removeReminder({ change, caller, params }: Act<typeof staffCases.removeReminder>): Promise<void> {
  const [removed] = isRowId(params.reminderId)
    ? await change.rows<{ day: string }>(sql`delete from case_reminder
        where case_reminder_id = ${Number(params.reminderId)} and login_id = ${caller.loginId}
          and ${ofCase({ key: keyOfCase(params.kind), caseId: params.caseId })} returning day::text as day`)
    : [];
  if (!removed) throw refuse('NOT_FOUND', { what: 'The reminder' });
  const found = await findCase(change, params);
  await change.note({ case: found ? caseNameOf(found) : `${params.kind}-${params.caseId}`, day: removed.day });
}

/** Links two cases; linking them again changes nothing. @throws Failure NOT_FOUND, NO_SUCH_CASE, TOO_MANY_CASE_LINKS, INVALID_REQUEST for the case itself */
export async function linkCase({ change, caller, params, body, registry }: Act<typeof staffCases.linkCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller, 'act');
  const other = await caseNamed(change, body.other, caller);
  if (other.key === found.key && other.caseId === found.caseId) throw refuseField('other', 'That is this case. Enter another one');
  await lockByName(change, 'staff.caseLinks');
  const [linked] = await change.rows(sql`select 1 as linked from case_link where ${between(found, other)} or ${between(other, found)}`);
  if (!linked) {
    for (const each of [found, other]) await refuseMoreLinks(change, each);
    await change.rows(sql`insert into case_link (kind, case_id, other_kind, other_case_id, login_id, linked_at)
      values (${found.key}, ${found.caseId}, ${other.key}, ${other.caseId}, ${caller.loginId}, ${change.now}::timestamptz)`);
  }
  await change.note({ case: caseNameOf(found), other: caseNameOf(other) });
  return notesOf(change, found, caller, registry);
}

const between = (one: Pick<FoundCase, 'key' | 'caseId'>, other: Pick<FoundCase, 'key' | 'caseId'>) =>
  sql`(${ofCase(one)} and other_kind = ${other.key} and other_case_id = ${other.caseId})`;

/** @throws Failure TOO_MANY_CASE_LINKS */
async function refuseMoreLinks(change: Change, of: Pick<FoundCase, 'key' | 'caseId'>): Promise<void> {
  const [{ kept }] = (await change.rows<{ kept: number }>(sql`select count(*)::int as kept from case_link
    where ${ofCase(of)} or (other_kind = ${of.key} and other_case_id = ${of.caseId})`)) as [{ kept: number }];
  if (kept >= maxCaseLinks) throw refuse('TOO_MANY_CASE_LINKS', { most: String(maxCaseLinks) });
}

/** Removes a link, from either of its cases. A link to a case that the caller doesn’t handle isn’t there for them. @throws Failure NOT_FOUND */
export async function unlinkCase({ change, caller, params, registry }: Act<typeof staffCases.unlinkCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller, 'act');
  const { key, caseId } = found;
  const [link] = isRowId(params.linkId)
    ? await change.rows<{ kind: string; caseId: string }>(sql`
        select other_kind as kind, other_case_id as case_id from case_link where case_link_id = ${Number(params.linkId)} and ${ofCase(found)}
        union all select kind, case_id from case_link
          where case_link_id = ${Number(params.linkId)} and other_kind = ${key} and other_case_id = ${caseId}`)
    : [];
  const other = link ? await findCase(change, link) : null;
  if (!link || (other && !kindsOf(caller, 'act').includes(other.kind))) throw refuse('NOT_FOUND', { what: 'The link' });
  await change.rows(sql`delete from case_link where case_link_id = ${Number(params.linkId)}`);
  await change.note({ case: caseNameOf(found), ...(other && { other: caseNameOf(other) }) });
  return notesOf(change, found, caller, registry);
}

/**
 * Hands an open case over to a colleague who handles cases of its kind, and notifies them and the person who had it. The lock of its kind says whether it can be given, by the caller
 * and to the colleague.
 * @throws Failure NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST, INVALID_REQUEST
 */
export async function handOverCase({
  change,
  caller,
  params,
  body: { to, words },
  registry,
}: Act<typeof staffCases.handOverCase>): Promise<CaseNotes> {
  const found = await caseFor(change, params, caller, 'act');
  const { kind, caseId } = found;
  const name = caseNameOf(found);
  if (!found.isOpen) throw refuse('ALREADY_RESOLVED', { what: name });
  if (!isHeldKind(kind)) throw refuseField('to', 'Cases of this kind are decided without being taken');
  if (to === caller.loginId) throw refuseField('to', 'You can’t hand a case over to yourself. Take it on its page');
  const able = await holdersOf(change, [caseKindPermissions[kind]], change.now);
  const colleague = able.find(({ loginId }) => loginId === to);
  if (!colleague) throw refuseField('to', 'This person can’t take cases of this kind. Choose one of those offered');
  const { former } = await handCaseOver({ change, caller, registry }, { kind, caseId, to: colleague, words });
  // A ticket is closed without a decision that its lock would look for.
  const after = await caseFor(change, params, caller, 'act');
  if (!after.isOpen) throw refuse('ALREADY_RESOLVED', { what: name });
  if (found.accountName) await change.concerns(found.accountName);
  await change.note({ case: name, to: colleague.fullName, ...(words !== '' && { words }) });
  const about = { topic: 'staff.cases' as const, accountName: null, path: casePath(found), act: 'View case' };
  await notifyPeople(
    change,
    {
      ...about,
      text: staffTexts.written('caseHandedToYou', { name, actor: caller.name, asked: found.asked, details: words === '' ? '' : words }),
    },
    [colleague],
  );
  const had = able.find(({ loginId }) => loginId === former && loginId !== caller.loginId);
  if (had)
    await notifyPeople(
      change,
      {
        ...about,
        text: staffTexts.written('handedOver', {
          name,
          colleague: colleague.fullName,
          actor: caller.name,
          details: words === '' ? '' : words,
        }),
      },
      [had],
    );
  // They know it from what they did, or from the mails above.
  await change.rows(sql`update case_watch set seen = ${seenOf(after)}
    where ${ofCase(found)} and seen = ${seenOf({ ...after, handlerId: former })} and login_id = any (${[caller.loginId, to, ...(had ? [had.loginId] : [])]}::text[])`);
  return notesOf(change, after, caller, registry);
}
