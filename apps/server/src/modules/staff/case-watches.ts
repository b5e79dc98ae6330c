import { dayIn } from '@portal/contract/days';
import { caseKindPermissions, type CaseLine } from '@portal/contract/staff/cases';
import { deskKinds, type DeskRequest } from '@portal/contract/staff/desk';
import type { DeskHome } from '@portal/contract/staff/desk-home';
import { sql } from 'kysely';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { loginById, notifyPeople } from '../identity/index.ts';
import { holdersOf } from '../roles/index.ts';
import { caseLines, type FoundCase, foundColumns, kindsOf, lineColumns } from './case-lines.ts';
import type { Reader } from './requests.ts';

/** The name of a case: its reference, or what it asks for. */
export const caseInWords = ({ kind, reference, asked }: Pick<CaseLine, 'kind' | 'reference' | 'asked'>): string =>
  reference ?? (asked || (kind === 'tickets' ? 'A ticket' : deskKinds[kind]));
/** The page of a case at the desk. */
export const casePath = ({ kind, caseId }: Pick<CaseLine, 'kind' | 'caseId'>): string =>
  kind === 'tickets' ? `/desk/tickets?ticket=${caseId}` : `/desk/requests/${kind}-${caseId}`;
/** Returns the facts that watchers are notified of: the state of a case, and who has it. */
export const seenOf = ({ state, handlerId, isOpen }: Pick<FoundCase, 'state' | 'handlerId' | 'isOpen'>): string =>
  `${isOpen ? 'open' : 'closed'} ${state} ${handlerId ?? ''}`.slice(0, 300);
const seenColumn = sql`left((case when c.is_open then 'open' else 'closed' end) || ' ' || c.state || ' ' || coalesce(c.handler_id, ''), 300)`;

const stateWords: Record<DeskRequest['state'], string> = {
  submitted: 'is new',
  'in-review': 'is in review',
  'needs-info': 'waits for the member',
  approved: 'was approved',
  rejected: 'was rejected',
  withdrawn: 'was withdrawn',
};
const ticketWords: Record<DeskRequest['state'], string> = {
  ...stateWords,
  submitted: 'is new',
  'in-review': 'is open',
  approved: 'was solved',
  rejected: 'was closed without an answer',
};

type Moved = FoundCase & { watchId: string; loginId: string; seen: string };
/** The most watches and reminders that one run handles; the next one goes on. */
const MAX_AT_ONCE = 500;

/** Notifies the watchers of cases that moved or changed hands since they were last notified, unless they have it now: then they took it. Safe to run again. */
export async function notifyWatchers(db: Database): Promise<void> {
  const moved = await db.read.rows<Moved>(sql`
    select w.case_watch_id::text as watch_id, w.login_id, ${seenColumn} as seen, ${foundColumns}
    from (select case_watch_id, login_id, kind as watched_kind, case_id as watched_id, seen as last_seen from case_watch) w
      join ${caseLines} on c.key = w.watched_kind and c.case_id = w.watched_id
    where w.last_seen <> ${seenColumn} order by w.case_watch_id limit ${MAX_AT_ONCE}`);
  await eachAlone(
    moved,
    ({ watchId }) => `watch ${watchId}`,
    each =>
      db.change(ownActivity('staff.cases.notifyWatchers', 'Notified a watcher of a case'), async change => {
        const [kept] = await change.rows(
          sql`update case_watch set seen = ${each.seen} where case_watch_id = ${Number(each.watchId)} and seen <> ${each.seen} returning 1 as kept`,
        );
        if (!kept || (each.handlerId === each.loginId && each.isOpen)) return;
        const able = await holdersOf(change, [caseKindPermissions[each.kind]], change.now);
        const person = able.some(({ loginId }) => loginId === each.loginId) ? await loginById(change, each.loginId) : null;
        if (!person) return;
        const words = (each.kind === 'tickets' ? ticketWords : stateWords)[each.state];
        await notifyPeople(
          change,
          {
            topic: 'staff.cases',
            accountName: null,
            subject: `${caseInWords(each)} ${words}`,
            body: [
              `${[each.accountName, each.asked].filter(Boolean).join(': ')} ${words}.`,
              ...(each.isOpen ? [each.handler === null ? 'No one has it.' : `${each.handler} has it.`] : []),
            ],
            path: casePath(each),
            act: 'View case',
          },
          [person],
        );
      }),
  );
}

/** The hour of the registry’s morning from which reminders are mailed. */
const MORNING = 7;
const hourIn = (timeZone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now));

/** Mails the reminders of cases that are due, from the morning of their day in the registry’s calendar on. Each is mailed once. Safe to run again. */
export async function mailReminders(db: Database, { now, timeZone }: { now: Date; timeZone: string }): Promise<void> {
  if (hourIn(timeZone, now) < MORNING) return;
  const due = await db.read.rows<FoundCase & { reminderId: string; loginId: string; words: string }>(sql`
    select r.reminder_id, r.login_id, r.words, ${foundColumns}
    from (select case_reminder_id::text as reminder_id, login_id, words, kind as of_kind, case_id as of_id from case_reminder
        where by_mail and mailed_at is null and day <= ${dayIn(timeZone, now)}::date order by day, case_reminder_id limit ${MAX_AT_ONCE}) r
      join ${caseLines} on c.key = r.of_kind and c.case_id = r.of_id`);
  await eachAlone(
    due,
    ({ reminderId }) => `reminder ${reminderId}`,
    each =>
      db.change(ownActivity('staff.cases.mailReminders', 'Sent a reminder of a case'), async change => {
        const [kept] = await change.rows(sql`update case_reminder set mailed_at = ${change.now}::timestamptz
          where case_reminder_id = ${Number(each.reminderId)} and mailed_at is null returning 1 as kept`);
        const person = kept ? await loginById(change, each.loginId) : null;
        // Who left or lost the role since then learns nothing about the case.
        if (
          !person ||
          !(await holdersOf(change, [caseKindPermissions[each.kind]], change.now)).some(({ loginId }) => loginId === each.loginId)
        )
          return;
        const about = [each.accountName, each.asked].filter(Boolean).join(': ');
        await notifyPeople(
          change,
          {
            topic: 'staff.cases',
            accountName: null,
            subject: `Reminder: ${caseInWords(each)}`,
            body: [...(each.words === '' ? [] : [each.words]), `${about}.`, 'You wanted to be reminded of it today.'],
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
    select r.reminder_id, r.day, r.words, ${lineColumns} from (select case_reminder_id::text as reminder_id, day::text as day, words, kind as of_kind, case_id as of_id
        from case_reminder where login_id = ${reader.loginId} and day <= ${today}::date order by day, case_reminder_id limit 50) r
      join ${caseLines} on c.key = r.of_kind and c.case_id = r.of_id
    where c.kind = any (${kindsOf(reader)}::text[]) order by r.day, r.reminder_id`);
}
