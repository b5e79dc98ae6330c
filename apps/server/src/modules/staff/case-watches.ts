import { dayIn } from '@portal/contract/days';
import { type CaseKind, type CaseLine, caseKindPermissions } from '@portal/contract/staff/cases';
import type { DeskHome } from '@portal/contract/staff/desk-home';
import { type RawBuilder, sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { type Login, loginById, notifyPeople } from '../identity/index.ts';
import { holdersOf, keyOfCase } from '../roles/index.ts';
import { caseAt, type FoundCase, foundColumns, kindsOf, lineColumns } from './case-lines.ts';
import type { Reader } from './requests.ts';
import { caseNameOf, casePath, caseStateOf } from '@portal/contract/staff/case-words';
import { staffTexts } from './mail-texts.ts';

/** Returns the facts that watchers are notified of: the state of a case, and who has it. */
export const seenOf = ({ state, handlerId, isOpen }: Pick<FoundCase, 'state' | 'handlerId' | 'isOpen'>): string =>
  `${isOpen ? 'open' : 'closed'} ${state} ${handlerId ?? ''}`.slice(0, 300);
const seenColumn = sql`left((case when c.is_open then 'open' else 'closed' end) || ' ' || c.state || ' ' || coalesce(c.handler_id, ''), 300)`;

/** SQL: a person made the last move of a case, in each kind: the act with its latest event is theirs. Notes and messages move nothing. */
const movedBy: Readonly<Record<CaseKind, (caseId: number, loginId: string) => RawBuilder<unknown>>> = {
  applications: (
    id,
    loginId,
  ) => sql`select 1 as moved from application_event where membership_application_id = ${id} and login_id = ${loginId}
    and at = (select max(at) from application_event where membership_application_id = ${id}) limit 1`,
  contacts: (id, loginId) => sql`select 1 as moved from registry_request where registry_request_id = ${id} and resolved_by = ${loginId}`,
  closures: (id, loginId) =>
    sql`select 1 as moved from account_closure_request where account_closure_request_id = ${id} and resolved_by = ${loginId}`,
  organisations: (
    id,
    loginId,
  ) => sql`select 1 as moved from organisation_change where organisation_change_id = ${id} and (resolved_by = ${loginId}
    or resolved_at is null and reviewer = ${loginId} and not (state = 'in-review' and answer is not null))`,
  resources: requestMovedBy,
  transfers: requestMovedBy,
  tickets: (id, loginId) => sql`select 1 as moved from ticket_message where ticket_id = ${id} and login_id = ${loginId}
    and at = (select max(at) from ticket_message where ticket_id = ${id}) limit 1`,
};
function requestMovedBy(id: number, loginId: string): RawBuilder<unknown> {
  return sql`select 1 as moved from resource_request_event where resource_request_id = ${id} and login_id = ${loginId}
    and at = (select max(at) from resource_request_event where resource_request_id = ${id} and kind not in ('note', 'message', 'reminded', 'reserved')) limit 1`;
}

type Moved = FoundCase & { watchId: string; loginId: string; seen: string; seenBefore: string };
/** The most watches and reminders that one run handles; the next one goes on. */
const MAX_AT_ONCE = 500;
/** Reminders on the page of the morning. */
const REMINDERS_SHOWN = 50;

/** Whether the watcher moved the case: handed it over, where it has another handler since, or did what moved it last. */
async function isOwnMove(change: Change, { kind, caseId, loginId, handlerId, seen, seenBefore }: Moved): Promise<boolean> {
  const handlerIn = (facts: string): string => facts.slice(facts.lastIndexOf(' ') + 1);
  if (handlerId !== null && handlerIn(seen) !== handlerIn(seenBefore)) {
    const [handed] = await change.rows<{ byLogin: string; toLogin: string }>(sql`
      select by_login, to_login from case_hand_over where kind = ${keyOfCase(kind)} and case_id = ${caseId} order by at desc, case_hand_over_id desc limit 1`);
    if (handed?.toLogin === handlerId) return handed.byLogin === loginId;
  }
  return (await change.rows(movedBy[kind](Number(caseId), loginId))).length > 0;
}

/** Notifies the watchers of cases that moved or changed hands since they were last notified, but not of a move of their own. Safe to run again. */
export async function notifyWatchers(db: Database): Promise<void> {
  const moved = await db.read.rows<Moved>(sql`
    select w.case_watch_id::text as watch_id, w.login_id, w.seen as seen_before, ${seenColumn} as seen, ${foundColumns}
    from case_watch w cross join ${caseAt(sql`w.kind`, sql`w.case_id`)}
    where w.seen <> ${seenColumn} order by w.case_watch_id limit ${MAX_AT_ONCE}`);
  await eachAlone(
    moved,
    ({ watchId }) => `watch ${watchId}`,
    each =>
      db.change(ownActivity('staff.cases.notifyWatchers', 'Notified a watcher of a case'), async change => {
        const [kept] = await change.rows(
          sql`update case_watch set seen = ${each.seen} where case_watch_id = ${Number(each.watchId)} and seen <> ${each.seen} returning 1 as kept`,
        );
        if (!kept || (await isOwnMove(change, each))) return;
        const person = await handlerNamed(change, each);
        if (!person) return;
        const { said } = caseStateOf(each);
        await notifyPeople(
          change,
          {
            topic: 'staff.cases',
            accountName: null,
            text: staffTexts.written('watchedCase', {
              caseName: caseNameOf(each),
              said,
              caseSummary: aboutOf(each),
              itIsntAssigned: each.isOpen ? (each.handler === null ? 'It isn’t assigned to anyone.' : `${each.handler} has it.`) : '',
            }),
            path: casePath(each),
            act: 'View case',
          },
          [person],
        );
      }),
  );
}

/** A person who still handles cases of the kind; null for one who left or lost the role since then, who learns nothing about the case. */
async function handlerNamed(change: Change, { kind, loginId }: { kind: CaseKind; loginId: string }): Promise<Login | null> {
  const able = await holdersOf(change, [caseKindPermissions[kind]], change.now);
  return able.some(each => each.loginId === loginId) ? loginById(change, loginId) : null;
}

/** The account and what is asked for. */
const aboutOf = ({ accountName, asked }: Pick<CaseLine, 'accountName' | 'asked'>): string =>
  [accountName, asked].filter(Boolean).join(': ');

/** The hour of the registry’s morning from which reminders are mailed. */
const MORNING = 7;
const hourIn = (timeZone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now));

/** Mails the reminders of cases that are due, from the morning of their day in the registry’s calendar on. Each is mailed once. Safe to run again. */
export async function mailReminders(db: Database, { now, timeZone }: { now: Date; timeZone: string }): Promise<void> {
  if (hourIn(timeZone, now) < MORNING) return;
  const due = await db.read.rows<FoundCase & { reminderId: string; loginId: string; words: string }>(sql`
    select r.case_reminder_id::text as reminder_id, r.login_id, r.words, ${foundColumns}
    from case_reminder r cross join ${caseAt(sql`r.kind`, sql`r.case_id`)}
    where r.by_mail and r.mailed_at is null and r.day <= ${dayIn(timeZone, now)}::date order by r.day, r.case_reminder_id limit ${MAX_AT_ONCE}`);
  await eachAlone(
    due,
    ({ reminderId }) => `reminder ${reminderId}`,
    each =>
      db.change(ownActivity('staff.cases.mailReminders', 'Sent a reminder of a case'), async change => {
        const [kept] = await change.rows(sql`update case_reminder set mailed_at = ${change.now}::timestamptz
          where case_reminder_id = ${Number(each.reminderId)} and mailed_at is null returning 1 as kept`);
        const person = kept ? await handlerNamed(change, each) : null;
        if (!person) return;
        await notifyPeople(
          change,
          {
            topic: 'staff.cases',
            accountName: null,
            text: staffTexts.written('reminder', {
              caseName: caseNameOf(each),
              details: each.words === '' ? '' : each.words,
              caseSummary: aboutOf(each),
              theCaseIs: each.isOpen ? '' : `The case is closed: it ${caseStateOf(each).said}.`,
            }),
            path: casePath(each),
            act: 'View case',
          },
          [person],
        );
      }),
  );
}

/** Reminders of the reader that are due, the oldest first, and the open cases that they watch. */
export async function remindersOf(read: Pick<Read, 'rows'>, reader: Reader, today: string): Promise<DeskHome['reminders']> {
  return read.rows<DeskHome['reminders'][number]>(sql`
    select r.case_reminder_id::text as reminder_id, r.day::text as day, r.words, ${lineColumns}
    from case_reminder r cross join ${caseAt(sql`r.kind`, sql`r.case_id`)}
    where r.login_id = ${reader.loginId} and r.day <= ${today}::date and c.kind = any (${kindsOf(reader, 'read')}::text[])
    order by r.day, r.case_reminder_id limit ${REMINDERS_SHOWN}`);
}

/** Deletes what a person watches and wants to be reminded of. Links stay: they belong to the cases. */
export async function forgetWatches(change: Change, loginId: string): Promise<void> {
  await change.rows(sql`delete from case_watch where login_id = ${loginId}`);
  await change.rows(sql`delete from case_reminder where login_id = ${loginId}`);
}

const isGone = sql`not exists (select from ${caseAt(sql`k.kind`, sql`k.case_id`)})`;
const isOtherGone = sql`not exists (select from ${caseAt(sql`k.other_kind`, sql`k.other_case_id`)})`;
const hasLeft = sql`not exists (select from login l where l.login_id = k.login_id and l.staff and l.disabled_at is null)`;

/** Deletes watches, reminders and links of cases that are gone, and watches and reminders of people who are no longer registry staff, however they left. Safe to run again. */
export async function removeStale(db: Database): Promise<void> {
  const [watches, reminders, links] = await Promise.all([
    db.read.rows<{ id: number }>(sql`select k.case_watch_id as id from case_watch k where ${isGone} or ${hasLeft} limit ${MAX_AT_ONCE}`),
    db.read.rows<{ id: number }>(
      sql`select k.case_reminder_id as id from case_reminder k where ${isGone} or ${hasLeft} limit ${MAX_AT_ONCE}`,
    ),
    db.read.rows<{ id: number }>(sql`select k.case_link_id as id from case_link k where ${isGone} or ${isOtherGone} limit ${MAX_AT_ONCE}`),
  ]);
  if (watches.length + reminders.length + links.length === 0) return;
  const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
  await db.change(ownActivity('staff.cases.removeStale', 'Removed notes of cases that no one needs'), async change => {
    await change.rows(sql`delete from case_watch where case_watch_id = any (${idsOf(watches)}::bigint[])`);
    await change.rows(sql`delete from case_reminder where case_reminder_id = any (${idsOf(reminders)}::bigint[])`);
    await change.rows(sql`delete from case_link where case_link_id = any (${idsOf(links)}::bigint[])`);
    await change.note({ watches: watches.length, reminders: reminders.length, links: links.length });
  });
}
