import type { AnswerOf } from '@portal/contract';
import { dayIn } from '@portal/contract/days';
import type { AcceptedText, ownTexts, TextToAccept } from '@portal/contract/legal/own-texts';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { textsInForce } from './versions.ts';

/** An instant, and the time zone in which days begin and end. */
export type At = { now: Date; timeZone: string };

/** SQL: the end of the last day to accept `v`, so many days after that of an instant. */
const endOfDays = (since: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> =>
  sql`((${since} at time zone ${timeZone})::date + v.grace_days + 1)::timestamp at time zone ${timeZone}`;

/** The last day before an end of days. */
export const lastDayBefore = (dueAt: string, timeZone: string): string => dayIn(timeZone, new Date(Date.parse(dueAt) - 1));

/**
 * SQL: texts in force `v` that are still to be accepted, by person (`account_name` null) or by account, with the instant when their days are over (`due_at`). Of an account that
 * no one could accept for, nothing is asked: its corporate contacts can't sign in. Its days count from when one can.
 * @param whose conditions on the login `l` and on the contact `c` who would accept for an account
 */
const toAccept = ({ now, timeZone }: At, whose: { login: RawBuilder<unknown>; contact: RawBuilder<unknown> }): RawBuilder<unknown> => sql`
  select v.*, l.login_id, null as account_name, ${endOfDays(sql`greatest(v.logins_since, l.created_at)`, timeZone)} as due_at
    from (${textsInForce(now.toISOString())}) v join login l on ${whose.login} and l.disabled_at is null
    where 'logins' = any (v.asks) and not exists (select from legal_acceptance a
      where a.login_id = l.login_id and a.account_name is null and a.text = v.text and a.version >= v.needed)
  union all
  select v.*, c.login_id, m.account_name, ${endOfDays(
    sql`greatest(v.corporate_since, m.created_at, (select min(k.created_at) from contact k join login s on s.login_id = k.login_id
      where k.account_name = m.account_name and ${canAccept(sql`k`, sql`s`)}))`,
    timeZone,
  )}
    from (${textsInForce(now.toISOString())}) v join contact c on ${whose.contact} join login l on l.login_id = c.login_id and ${canAccept(sql`c`, sql`l`)}
      join account m on m.account_name = c.account_name and m.account_status <> 'closed'
    where 'corporate' = any (v.asks) and not exists (select from legal_acceptance a where a.account_name = m.account_name and a.text = v.text and a.version >= v.needed)`;

/** SQL: whether a contact with its login can accept for the account. */
const canAccept = (contact: RawBuilder<unknown>, login: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${contact}.status = 'active' and 'corporate' = any (${contact}.contact_types) and ${login}.disabled_at is null and ${login}.frozen_at is null`;

/** SQL: what one person has to accept. */
const toAcceptBy = (loginId: string, at: At): RawBuilder<unknown> =>
  toAccept(at, { login: sql`l.login_id = ${loginId}`, contact: sql`c.login_id = ${loginId}` });

/** SQL: what everyone has to accept. */
export const toAcceptByAnyone = (at: At): RawBuilder<unknown> => toAccept(at, { login: sql`true`, contact: sql`true` });

/** How many texts a person has to accept. */
export async function countTextsToAccept(read: Pick<Read, 'rows'>, loginId: string, now: Date): Promise<number> {
  const [row] = await read.rows<{ texts: number }>(
    // In which zone days end doesn't matter to what is to be accepted at all.
    sql`select count(distinct t.text)::int as texts from (${toAcceptBy(loginId, { now, timeZone: 'UTC' })}) t`,
  );
  return row!.texts;
}

type Row = Pick<TextToAccept, 'text' | 'version' | 'title' | 'changes' | 'body' | 'validFrom' | 'blocks'> & {
  accountName: string | null;
  dueAt: string;
  beforeVersion: number | null;
  beforeBody: string | null;
};

/** Texts that a person has to accept, each with what they, or one of the accounts, accepted before: the oldest, so that no change since is left out. */
export async function listTextsToAccept({
  read,
  caller: { loginId },
  registry: { now, profile },
}: Act<typeof ownTexts.listTextsToAccept>): Promise<AnswerOf<typeof ownTexts.listTextsToAccept>> {
  const rows = await read.rows<Row>(sql`
    select t.text, t.version, t.title, t.changes, t.body, t.valid_from, t.blocks, t.account_name, t.due_at, b.version as before_version, b.body as before_body
    from (${toAcceptBy(loginId, { now, timeZone: profile.timeZone })}) t left join lateral (select w.version, w.body from legal_acceptance a join legal_version w using (text, version)
      where a.text = t.text and case when t.account_name is null then a.login_id = ${loginId} and a.account_name is null else a.account_name = t.account_name end
      order by a.version desc limit 1) b on true
    order by t.title, t.text, t.account_name nulls first`);
  return {
    supportEmail: profile.supportEmail,
    texts: [...Map.groupBy(rows, ({ text }) => text).values()].map(some => {
      const [first] = some as [Row];
      const due = some.map(({ dueAt }) => dueAt).toSorted((one, other) => Date.parse(one) - Date.parse(other))[0]!;
      const oldest = some.toSorted((one, other) => (one.beforeVersion ?? 0) - (other.beforeVersion ?? 0))[0]!;
      const { accountName: _, dueAt: _due, beforeVersion: _version, beforeBody: _body, ...text } = first;
      return {
        ...text,
        before: oldest.beforeVersion === null ? null : { version: oldest.beforeVersion, body: oldest.beforeBody! },
        forSelf: some.some(({ accountName }) => accountName === null),
        accounts: some.flatMap(({ accountName }) => accountName ?? []),
        dueOn: lastDayBefore(due, profile.timeZone),
        isBlocking: text.blocks && Date.parse(due) <= now.getTime(),
      };
    }),
  };
}

/** A page of what a person accepted, the latest first. Accounts of which they aren’t a contact any more are among it: it is what they did. */
export async function listAcceptedTexts({
  read,
  caller: { loginId },
  query: { offset, limit },
  registry: { now },
}: Act<typeof ownTexts.listAcceptedTexts>): Promise<AnswerOf<typeof ownTexts.listAcceptedTexts>> {
  const rows = await read.rows<AcceptedText>(sql`
    select a.text, a.version, v.title, a.account_name as account, a.accepted_at, f.version is not null as is_in_force
    from legal_acceptance a join legal_version v using (text, version) left join (${textsInForce(now.toISOString())}) f using (text, version)
    where a.login_id = ${loginId} order by a.accepted_at desc, a.legal_acceptance_id desc offset ${offset} limit ${limit}`);
  const [counted] = await read.rows<{ total: number }>(
    sql`select count(*)::int as total from legal_acceptance where login_id = ${loginId}`,
  );
  return { rows, total: counted!.total };
}

type InForce = { version: number; title: string; asks: string[] };

/** Returns the version in force of a text that asks these people. @throws Failure NOT_FOUND, LEGAL_OUTDATED */
async function askedVersion(
  change: Change,
  { text, version, of }: { text: string; version: number; of: 'logins' | 'corporate' },
): Promise<InForce> {
  const [row] = await change.rows<InForce>(
    sql`select v.version, v.title, v.asks from (${textsInForce(change.now)}) v where v.text = ${text}`,
  );
  if (!row || !row.asks.includes(of)) throw refuse('NOT_FOUND', { what: 'A text of this name that asks you' });
  if (row.version !== version) throw refuse('LEGAL_OUTDATED', { version: String(row.version) });
  return row;
}

/** Records that a login accepted a version, for themselves or for an account. A second time leaves the first as it is. */
const insertAcceptance = (
  change: Change,
  row: { text: string; version: number; loginId: string; accountName: string | null; acceptedAt: string },
) =>
  change
    .insertInto('legalAcceptance')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute();

/** Accepts a text for oneself. @throws Failure NOT_FOUND, LEGAL_OUTDATED */
export async function acceptText({
  change,
  caller: { loginId },
  params: { text },
  body: { version },
}: Act<typeof ownTexts.acceptText>): Promise<void> {
  const { title } = await askedVersion(change, { text, version, of: 'logins' });
  await insertAcceptance(change, { text, version, loginId, accountName: null, acceptedAt: change.now });
  await change.note({ text: title, version });
}

/** Accepts a text for an account. @throws Failure NOT_FOUND, LEGAL_OUTDATED */
export async function acceptTextForAccount({
  change,
  caller: { loginId },
  account: { accountName },
  params: { text },
  body: { version },
}: Act<typeof ownTexts.acceptTextForAccount>): Promise<void> {
  const { title } = await askedVersion(change, { text, version, of: 'corporate' });
  await insertAcceptance(change, { text, version, loginId, accountName, acceptedAt: change.now });
  await change.note({ text: title, version });
}

/** The agreement of applicants: the text in force that asks them, if there is one. Its version is its name with its number, as `membership-agreement/3`. */
export async function applicantsAgreement(read: Pick<Read, 'rows'>, now: string): Promise<{ version: string; path: string } | null> {
  const [row] = await read.rows<{ text: string; version: number }>(
    sql`select v.text, v.version from (${textsInForce(now)}) v where 'applicants' = any (v.asks) order by v.text limit 1`,
  );
  return row ? { version: `${row.text}/${row.version}`, path: `/legal/${row.text}/${row.version}` } : null;
}

/**
 * Records that an applicant accepted the agreement, and later that its account did. Versions of the registry profile, which are no texts of this module, are in the application alone.
 * @param agreement as `applicantsAgreement` had it
 */
export async function acceptAsApplicant(
  change: Change,
  { agreement, ...who }: { agreement: string; loginId: string; accountName: string | null; acceptedAt: string },
): Promise<void> {
  const [, text, version] = /^([a-z][a-z0-9-]*)\/(\d{1,6})$/.exec(agreement) ?? [];
  if (text !== undefined && version !== undefined) await insertAcceptance(change, { text, version: Number(version), ...who });
}

/** Refuses a change while its person or account hasn’t accepted a text whose days are over. @throws Failure LEGAL_NOT_ACCEPTED */
export async function refuseUnaccepted(
  read: Pick<Read, 'rows'>,
  { loginId, accountName, now, profile }: { loginId: string; accountName: string | null; now: Date; profile: Pick<Profile, 'timeZone'> },
): Promise<void> {
  const of = toAccept(
    { now, timeZone: profile.timeZone },
    { login: sql`l.login_id = ${loginId}`, contact: sql`c.account_name = ${accountName}` },
  );
  const [row] = await read.rows<{ title: string; version: number; accountName: string | null; dueAt: string }>(sql`
    select t.title, t.version, t.account_name, t.due_at from (${of}) t where t.blocks and t.due_at <= ${now.toISOString()}::timestamptz order by t.account_name nulls first, t.due_at limit 1`);
  if (!row) return;
  throw refuse('LEGAL_NOT_ACCEPTED', {
    who: row.accountName === null ? 'You have' : `A corporate contact of ${row.accountName} has`,
    title: row.title,
    version: String(row.version),
    day: dayInFull(lastDayBefore(row.dueAt, profile.timeZone)),
  });
}
