import { type Stage, stages } from '@portal/contract/announcements/announcement-shapes';
import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { type ServiceName, servicesInWords } from '@portal/contract/service-names';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import { sendMail, unreachable, withShortSubject } from '../mail/index.ts';
import { announcementsTexts } from './mail-texts.ts';
import { isNotice, isSubscribed } from './subscribers.ts';

/** Number of subscribers mailed in one change. */
const AT_ONCE = 200;
/** Age, in ms, from which an announcement is no longer news: a worker that was stopped for days mails nothing of them. */
const NEWS_MS = DAY_MS;

/** An announcement, or an update of one by its place, that subscribers haven't all been mailed. */
type Letter = { id: number; place: number | null };

type Notice = {
  title: string;
  body: string;
  services: ServiceName[];
  happensFrom: string | null;
  happensUntil: string | null;
  stage: Stage | null;
  text: string | null;
  mailedTo: string;
  begunAt: string;
};

/**
 * Mails new incidents and planned work, and their updates, to the subscribers who chose one of their services, some at a time, so that it can continue after an
 * interruption. Who subscribed later than it was published gets only its updates.
 * @returns how many e-mails were written
 * @throws {RowsFailed} after the last one, naming subscribers and announcements that failed
 */
export async function mailSubscribers(db: Database, now: Date): Promise<number> {
  const [since, until] = [instantBefore(now, NEWS_MS), now.toISOString()];
  const due = await db.read.rows<Letter>(sql`
    select id, place from (
      select a.announcement_id::int as id, null::int as place, a.publish_at as at from announcement a
        where a.mailed_at is null and a.withdrawn_at is null and a.publish_at > ${since}::timestamptz and a.publish_at <= ${until}::timestamptz and ${isNotice}
      union all
      select a.announcement_id::int, u.place, u.written_at from announcement_update u join announcement a using (announcement_id)
        where u.mailed_at is null and a.withdrawn_at is null and u.written_at > ${since}::timestamptz and ${isNotice}) due
    order by at, id, place nulls first`);
  let mailed = 0;
  const mailAll = async (letter: Letter): Promise<void> => {
    const failures: RowFailure[] = [];
    const mailNext = async (): Promise<void> => {
      const some = await db.change(ownActivity('announcements.mailSubscribers', 'E-mailed subscribers of the status page'), change =>
        mailSome(change, letter),
      );
      mailed += some.mailed;
      failures.push(...some.failures);
      if (!some.isLast) await mailNext();
    };
    await mailNext();
    if (failures.length > 0) throw new RowsFailed(failures);
  };
  await eachAlone(due, ({ id, place }) => (place === null ? `announcement ${id}` : `update ${place} of announcement ${id}`), mailAll);
  return mailed;
}

/** Mails the next subscribers. */
async function mailSome(change: Change, letter: Letter): Promise<{ mailed: number; failures: readonly RowFailure[]; isLast: boolean }> {
  const { id, place } = letter;
  const [row] = await change.rows<Notice>(
    place === null
      ? sql`select title, body, services, happens_from, happens_until, null as stage, null as text, mailed_to::text as mailed_to, coalesce(publish_at, created_at) as begun_at
          from announcement where announcement_id = ${id} and mailed_at is null and withdrawn_at is null for no key update`
      : sql`select a.title, a.body, a.services, a.happens_from, a.happens_until, u.stage, u.text, u.mailed_to::text as mailed_to, u.written_at as begun_at
          from announcement_update u join announcement a using (announcement_id)
          where announcement_id = ${id} and u.place = ${place} and u.mailed_at is null and a.withdrawn_at is null for no key update`,
  );
  if (!row) return { mailed: 0, failures: [], isLast: true };
  const people = await change.rows<{ subscriberId: string; email: string }>(sql`
    select s.subscriber_id::text as subscriber_id, s.email from announcement_subscriber s, announcement a
    where a.announcement_id = ${id} and s.subscriber_id > ${row.mailedTo}::bigint and s.confirmed_at <= ${row.begunAt}::timestamptz and ${isSubscribed}
    order by s.subscriber_id limit ${AT_ONCE}`);
  const refused = new Set(
    (
      await unreachable(
        change,
        people.map(({ email }) => email),
      )
    ).map(({ address }) => address),
  );
  const reached = people.filter(({ email }) => !refused.has(email.toLowerCase()));
  const text = withShortSubject(announcementsTexts.written('notice', wordsOf(row)));
  const failures = await eachAttempted(
    change,
    reached,
    ({ subscriberId }) => `subscriber ${subscriberId}`,
    ({ subscriberId, email }) =>
      sendMail(change, {
        topic: 'status.notices',
        recipient: email,
        text,
        path: `/status#notice-${id}`,
        act: 'View it on the status page',
        unsubscribesFrom: subscriberId,
      }),
  );
  const isLast = people.length < AT_ONCE;
  const [mailedTo, mailedAt] = [people.at(-1)?.subscriberId ?? row.mailedTo, isLast ? change.now : null];
  await change.rows(
    place === null
      ? sql`update announcement set mailed_to = ${mailedTo}::bigint, mailed_at = ${mailedAt}::timestamptz where announcement_id = ${id}`
      : sql`update announcement_update set mailed_to = ${mailedTo}::bigint, mailed_at = ${mailedAt}::timestamptz
          where announcement_id = ${id} and place = ${place}`,
  );
  const mailed = reached.length - failures.length;
  await change.note({ announcement: row.title, people: mailed, ...(failures.length > 0 && { failed: failures.map(each => each.row) }) });
  return { mailed, failures, isLast };
}

const minuteOf = (instant: string): string => `${utcDay(Date.parse(instant))} ${instant.slice(11, 16)} UTC`;

/** The words of an e-mail: what became known, or what is announced, and then when it happens and which services it affects. */
function wordsOf({ title, body, services, happensFrom, happensUntil, stage, text }: Notice): { title: string; body: string } {
  const facts = [
    ...(happensFrom === null ? [] : [`From ${minuteOf(happensFrom)}${happensUntil === null ? '' : ` until ${minuteOf(happensUntil)}`}.`]),
    ...(services.length === 0 ? [] : [`Affected services: ${servicesInWords(services)}.`]),
  ];
  return {
    title: stage === null ? title : `${stages[stage]}: ${title}`,
    body: [...facts, ...(stage === null ? body : text!).split(/\n{2,}/)].join('\n\n'),
  };
}
