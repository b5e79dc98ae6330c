import type { AnswerOf } from '@portal/contract';
import { announcementCategories, type StaffAnnouncement, stages, stagesOf } from '@portal/contract/announcements/announcement-shapes';
import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import type { deskAnnouncements } from '@portal/contract/announcements/desk';
import { serviceNames } from '@portal/contract/service-names';
import { type NumberResource, parseResource, printResource } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { accountsAffected } from '../resources/index.ts';
import { noAnnouncement, numberOf } from './announcements.ts';
import { isFor } from './audience.ts';
import { happening } from './happening.ts';
import { isSubscribed } from './subscribers.ts';

const rowsOf = (read: Read, now: string, rest: RawBuilder<unknown>): Promise<StaffAnnouncement[]> =>
  read.rows<StaffAnnouncement>(sql`
    select a.announcement_id::text as announcement_id, a.version, a.category, a.severity, a.title, a.body, a.audience, a.resources, a.economies, a.kinds, a.requires_ack,
      a.publish_at, a.expires_at, ${happening}, a.withdraw_reason,
      case when a.withdrawn_at is not null then 'withdrawn' when a.publish_at is null then 'draft' when a.publish_at > ${now}::timestamptz then 'scheduled'
        when a.expires_at <= ${now}::timestamptz then 'ended' else 'published' end as state,
      (select count(*)::int from login l where l.disabled_at is null and ${isFor(sql`l.login_id`)}) as people,
      (select count(*)::int from announcement_subscriber s where ${isSubscribed}) as subscribers,
      (select count(*)::int from announcement_reader r where r.announcement_id = a.announcement_id) as acknowledged,
      coalesce((select array_agg(n.account_name order by n.account_name) from announcement_account n where n.announcement_id = a.announcement_id), '{}') as accounts
    from announcement a ${rest}`);

/** Announcements of any state, the newest first. */
export async function listStaffAnnouncements({
  read,
  query: { offset, limit },
  registry: { now },
}: Act<typeof deskAnnouncements.listStaffAnnouncements>): Promise<AnswerOf<typeof deskAnnouncements.listStaffAnnouncements>> {
  const [rows, [counted]] = await Promise.all([
    rowsOf(read, now.toISOString(), sql`order by a.announcement_id desc limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from announcement`),
  ]);
  return { rows, total: counted!.total };
}

/** One announcement of any state. @throws Failure NOT_FOUND */
export const getStaffAnnouncement = ({
  read,
  params: { announcementId },
  registry: { now },
}: Act<typeof deskAnnouncements.getStaffAnnouncement>): Promise<StaffAnnouncement> =>
  readStaffAnnouncement(read, announcementId, now.toISOString());

/** @throws Failure NOT_FOUND */
async function readStaffAnnouncement(read: Read, announcementId: string, now: string): Promise<StaffAnnouncement> {
  const [row] = await rowsOf(read, now, sql`where a.announcement_id = ${numberOf(announcementId)}`);
  if (!row) throw noAnnouncement();
  return row;
}

/** Parses the resources of an announcement. @throws Failure INVALID_REQUEST with each invalid one */
function resourcesOf(texts: readonly string[], field: 'resources' | 'concerns' = 'resources'): NumberResource[] {
  const read = texts.map((text, place) => {
    try {
      return { place, resource: parseResource(text.trim()) };
    } catch {
      return { place, resource: null };
    }
  });
  const wrong = read.filter(({ resource }) => resource === null);
  if (wrong.length > 0)
    throw refuseFields(
      wrong.map(({ place }) => ({
        field,
        message: `${JSON.stringify(texts[place])} isn’t a prefix, range or AS number, such as 198.51.100.0/24 or AS64500`,
      })),
    );
  return read.map(({ resource }) => resource!);
}

/** Stores the affected accounts: those that hold some of the resources now. @throws Failure INVALID_REQUEST */
export async function keepAccounts(
  change: Change,
  announcementId: number,
  { resources, economies, kinds }: Pick<AnnouncementValues, 'resources' | 'economies' | 'kinds'>,
): Promise<void> {
  const names = await accountsAffected(change, { resources: resourcesOf(resources), economies, kinds });
  await change.rows(
    sql`delete from announcement_account where announcement_id = ${announcementId} and account_name <> all (${names}::text[])`,
  );
  await change.rows(sql`insert into announcement_account (announcement_id, account_name) select ${announcementId}, n from unnest(${names}::text[]) n
    on conflict do nothing`);
}

/** Returns when an announcement happens, and what it is about, without what isn’t given. @throws Failure INVALID_REQUEST */
const happensOf = ({ services, concerns, happensFrom, happensUntil }: AnnouncementValues) => ({
  ...(services && { services: serviceNames.filter(name => services.includes(name)) }),
  ...(concerns && { concerns: resourcesOf(concerns, 'concerns').map(printResource) }),
  ...(happensFrom !== undefined && { happensFrom }),
  ...(happensUntil !== undefined && { happensUntil }),
});

/** Writes an announcement. @throws Failure INVALID_REQUEST */
export async function addAnnouncement({ change, body: values }: { change: Change; body: AnnouncementValues }): Promise<StaffAnnouncement> {
  const resources = resourcesOf(values.resources);
  const { announcementId } = await change
    .insertInto('announcement')
    .values({ ...values, ...happensOf(values), resources: resources.map(printResource), createdAt: change.now })
    .returning('announcementId')
    .executeTakeFirstOrThrow();
  await keepAccounts(change, Number(announcementId), values);
  await change.note({ announcement: values.title });
  return readStaffAnnouncement(change, String(announcementId), change.now);
}

/** Locks an announcement in the version that the caller has seen. @throws Failure NOT_FOUND, STALE, ANNOUNCEMENT_STATE */
async function lockSeen(change: Change, announcementId: string, version: number): Promise<StaffAnnouncement> {
  await change.rows(sql`select 1 from announcement where announcement_id = ${numberOf(announcementId)} for no key update`);
  const row = await readStaffAnnouncement(change, announcementId, change.now);
  if (row.version !== version) throw refuseWithCurrent(row, 'STALE', { what: 'the announcement' });
  if (row.state === 'withdrawn') throw refuse('ANNOUNCEMENT_STATE', { state: 'withdrawn' });
  return row;
}

/** Changes an announcement. Audience and first day of a published one stay. @throws Failure NOT_FOUND, STALE, ANNOUNCEMENT_STATE, INVALID_REQUEST */
export async function changeAnnouncement({
  change,
  params: { announcementId },
  body: { version, values },
}: Act<typeof deskAnnouncements.changeAnnouncement>): Promise<StaffAnnouncement> {
  const before = await lockSeen(change, announcementId, version);
  const resources = resourcesOf(values.resources);
  const names = resources.map(printResource);
  const isOut = before.state === 'published' || before.state === 'ended';
  const moved = Date.parse(values.publishAt ?? '') !== Date.parse(before.publishAt ?? '');
  const aimed = ({ economies, kinds }: Pick<AnnouncementValues, 'economies' | 'kinds'>): string => [...economies, '', ...kinds].join();
  if (
    isOut &&
    (moved || values.audience !== before.audience || names.join() !== before.resources.join() || aimed(values) !== aimed(before))
  )
    throw refuse('ANNOUNCEMENT_STATE', { state: 'published: its audience and time stay. Withdraw it and write another one' });
  await change
    .updateTable('announcement')
    .set({ ...values, ...happensOf(values), resources: names, version: version + 1 })
    .where('announcementId', '=', Number(announcementId))
    .execute();
  if (!isOut) await keepAccounts(change, Number(announcementId), values);
  await change.note({ announcement: values.title });
  return readStaffAnnouncement(change, announcementId, change.now);
}

/**
 * Writes an update of a published incident or of planned work. That it is over ends it, its banner too; another stage afterwards opens it again.
 * @throws Failure NOT_FOUND, STALE, ANNOUNCEMENT_STATE, INVALID_REQUEST
 */
export async function addAnnouncementUpdate({
  change,
  params: { announcementId },
  body: { version, stage, text },
}: Act<typeof deskAnnouncements.addAnnouncementUpdate>): Promise<StaffAnnouncement> {
  const { state, category, title, updates, publishAt, ...before } = await lockSeen(change, announcementId, version);
  if (state === 'draft' || state === 'scheduled') throw refuse('ANNOUNCEMENT_STATE', { state: 'not published yet' });
  const wrong = (message: string) => refuseFields([{ field: 'stage', message }]);
  const allowed = stagesOf[category];
  if (!allowed)
    throw wrong(`Updates are for incidents and planned work. This announcement is about ${announcementCategories[category].toLowerCase()}`);
  if (!allowed.includes(stage)) throw wrong(`Choose ${allowed.map(name => `“${stages[name]}”`).join(' or ')}`);
  const now = Date.parse(change.now);
  const isPast = (instant: string | null) => instant !== null && Date.parse(instant) <= now;
  const isBefore = Date.parse(before.happensFrom ?? publishAt!) >= now;
  if (isBefore && stage === 'over') throw wrong('It hasn’t begun. Withdraw the announcement to call the work off');
  const begins = { happensFrom: isBefore && stage === 'begun' ? change.now : (before.happensFrom ?? publishAt) };
  await change
    .insertInto('announcementUpdate')
    .values({ announcementId: Number(announcementId), place: updates.length + 1, stage, text, writtenAt: change.now })
    .execute();
  await change
    .updateTable('announcement')
    .set({
      version: version + 1,
      ...begins,
      ...(stage === 'over'
        ? {
            happensUntil: isPast(before.happensUntil) ? before.happensUntil : change.now,
            expiresAt: isPast(before.expiresAt) ? before.expiresAt : change.now,
          }
        : {
            happensUntil: isPast(before.happensUntil) ? null : before.happensUntil,
            expiresAt: isPast(before.expiresAt) ? null : before.expiresAt,
          }),
    })
    .where('announcementId', '=', Number(announcementId))
    .execute();
  await change.note({ announcement: title, stage: stages[stage] });
  return readStaffAnnouncement(change, announcementId, change.now);
}

/** Withdraws a published or scheduled announcement. @throws Failure NOT_FOUND, STALE, ANNOUNCEMENT_STATE */
export async function withdrawAnnouncement({
  change,
  params: { announcementId },
  body: { version, reason },
}: Act<typeof deskAnnouncements.withdrawAnnouncement>): Promise<StaffAnnouncement> {
  const before = await lockSeen(change, announcementId, version);
  if (before.state === 'draft') throw refuse('ANNOUNCEMENT_STATE', { state: 'a draft' });
  await change
    .updateTable('announcement')
    .set({ withdrawnAt: change.now, withdrawReason: reason, version: version + 1 })
    .where('announcementId', '=', Number(announcementId))
    .execute();
  await change.note({ announcement: before.title });
  return readStaffAnnouncement(change, announcementId, change.now);
}

/**
 * Takes back an announcement that another act wrote, where no one has read it yet: a draft is deleted, and one that would be published later is withdrawn.
 * Returns whether it is out already.
 */
export async function takeBackUnread(change: Change, announcementId: number, reason: string): Promise<boolean> {
  await change.rows(sql`select 1 from announcement where announcement_id = ${announcementId} for no key update`);
  const { state } = await readStaffAnnouncement(change, String(announcementId), change.now);
  if (state === 'draft') {
    await change.rows(sql`delete from announcement_account where announcement_id = ${announcementId}`);
    await change.rows(sql`delete from announcement where announcement_id = ${announcementId}`);
  } else if (state === 'scheduled')
    await change.rows(sql`update announcement set withdrawn_at = ${change.now}::timestamptz, withdraw_reason = ${reason}, version = version + 1
      where announcement_id = ${announcementId}`);
  return state === 'published' || state === 'ended';
}

/** How far announcements are that another module wrote, by id. */
export async function statesOf(read: Pick<Read, 'rows'>, ids: readonly string[]) {
  const rows = await read.rows<{ id: string; state: 'draft' | 'scheduled' | 'published' | 'taken-back' }>(sql`
    select announcement_id::text as id, case when withdrawn_at is not null then 'taken-back' when publish_at is null then 'draft'
      when publish_at > now() then 'scheduled' else 'published' end as state
    from announcement where announcement_id = any (${ids}::bigint[])`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}
