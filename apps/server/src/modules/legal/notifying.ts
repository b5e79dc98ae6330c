import { DAY_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { dayInFull } from '../../platform/day-words.ts';
import { eachAlone, eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import type { Profile } from '../../profile.ts';
import { notifyPeople } from '../identity/index.ts';
import { type At, lastDayBefore, toAcceptByAnyone } from './acceptances.ts';
import { legalTexts } from './mail-texts.ts';

/** Number of people reminded in one change. */
const AT_ONCE = 200;
/** Days from one reminder of a text to the next. */
const EVERY_DAYS = 7;

type Now = { now: Date; profile: Pick<Profile, 'timeZone'> };

/**
 * Asks people by e-mail to accept what they haven’t: when a version takes effect, and once a week until they do.
 * @throws {RowsFailed} after the last one, naming people who couldn’t be asked
 */
export async function remindOfTexts(db: Database, at: Now): Promise<void> {
  const due = await db.read.rows<{ text: string; loginId: string }>(
    sql`select distinct t.text, t.login_id from (${dueReminders({ now: at.now, timeZone: at.profile.timeZone })}) t order by t.text, t.login_id`,
  );
  const parts = [...Map.groupBy(due, ({ text }) => text)].flatMap(([text, people]) =>
    Array.from({ length: Math.ceil(people.length / AT_ONCE) }, (_, part) => ({
      text,
      logins: people.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(({ loginId }) => loginId),
    })),
  );
  await eachAlone(
    parts,
    ({ text, logins }) => `text ${text}, ${logins.length} people from login ${logins[0]}`,
    async part => {
      const failures = await db.change(ownActivity('legal.remindOfTexts', 'Reminded people of a legal text'), change =>
        remindSome(change, { ...part, ...at }),
      );
      if (failures.length > 0) throw new RowsFailed(failures);
    },
  );
}

/** SQL: what is to be accepted by people who weren’t asked for this version within a week, and whose address is theirs. */
const dueReminders = (at: At) => sql`
  select t.* from (${toAcceptByAnyone(at)}) t join login p on p.login_id = t.login_id and p.disabled_at is null and p.frozen_at is null and p.email_verified
  where not exists (select from legal_reminder r where r.login_id = t.login_id and r.text = t.text and r.version = t.version
    and r.reminded_at > ${instantBefore(at.now, EVERY_DAYS * DAY_MS)}::timestamptz)`;

type Due = {
  loginId: string;
  fullName: string;
  email: string;
  title: string;
  version: number;
  changes: string;
  validFrom: string;
  blocks: boolean;
  dueAt: string;
  forSelf: boolean;
  accounts: string[];
};

/** Reminds some people of a text, unless they accepted it since. Returns who couldn’t be reminded. */
async function remindSome(
  change: Change,
  { text, logins, now, profile }: Now & { text: string; logins: readonly string[] },
): Promise<readonly RowFailure[]> {
  const people = await change.rows<Due>(sql`
    select t.login_id, l.full_name, l.email, t.title, t.version, t.changes, t.valid_from, t.blocks, min(t.due_at) as due_at, bool_or(t.account_name is null) as for_self,
      coalesce(array_agg(t.account_name order by t.account_name) filter (where t.account_name is not null), '{}') as accounts
    from (${dueReminders({ now, timeZone: profile.timeZone })}) t join login l using (login_id) where t.text = ${text} and t.login_id = any (${[...logins]}::text[])
    group by t.login_id, l.full_name, l.email, t.title, t.version, t.changes, t.valid_from, t.blocks order by t.login_id`);
  const failures = await eachAttempted(
    change,
    people,
    ({ loginId }) => `login ${loginId}`,
    async person => {
      await notifyPeople(change, newsFor(person, profile), [person]);
      await change
        .insertInto('legalReminder')
        .values({ loginId: person.loginId, text, version: person.version, remindedAt: change.now })
        .onConflict(conflict => conflict.columns(['loginId', 'text']).doUpdateSet({ version: person.version, remindedAt: change.now }))
        .execute();
    },
  );
  await change.note({
    text: people[0]?.title ?? text,
    people: people.length - failures.length,
    ...(failures.length > 0 && { failed: failures.map(({ row }) => row) }),
  });
  return failures;
}

const inWords = new Intl.ListFormat('en');

function newsFor({ title, version, changes, validFrom, blocks, dueAt, forSelf, accounts }: Due, profile: Pick<Profile, 'timeZone'>) {
  const dueOn = dayInFull(lastDayBefore(dueAt, profile.timeZone));
  return {
    topic: 'legal.texts',
    accountName: accounts.length === 1 && !forSelf ? accounts[0]! : null,
    text: legalTexts.written('textToAccept', {
      legalTitle: title,
      legalVersion: String(version),
      legalFrom: dayInFull(validFrom),
      legalFor: inWords.format([...(forSelf ? ['yourself'] : []), ...accounts]),
      legalChanges: changes === '' ? '' : `What is new: ${changes}`,
      legalDue: blocks
        ? `Accept it until ${dueOn}. After that day, changes of whois objects, routing, reverse DNS and resources wait until it is accepted.`
        : `Accept it until ${dueOn}.`,
    }),
    path: '/',
    act: 'Read and accept',
  } as const;
}
