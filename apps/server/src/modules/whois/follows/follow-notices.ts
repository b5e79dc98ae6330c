import { spacedKey } from '@portal/contract/whois/spaced-key';
import { printAddress } from '@portal/number-resources';
import { isClassName, rangeOfKey } from '@portal/rpsl';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import { type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { eachAttempted, type RowFailure, RowsFailed } from '../../../platform/each-alone.ts';
import { notifyPeople } from '../../identity/index.ts';
import { textForOthers } from '../store/shown-text.ts';
import { textDifference } from '../store/text-difference.ts';
import { forMail, writtenOut } from '../submit/mail-text.ts';
import { whoisTexts } from '../mail-texts.ts';

/** Lines of the journal handled in one change. */
const AT_ONCE = 1_000;
/** Objects named in one message, and those whose differences are written out in the mail. */
const NAMED = 20;
const WRITTEN_OUT = 10;

type Line = {
  serial: number;
  operation: 'ADD' | 'DEL';
  class: string;
  key: string;
  shown: string;
  version: number;
  reason: string;
  contactId: string | null;
  contactName: string | null;
  accountName: string | null;
};
/** The numbers that a line of the journal concerns. */
type Numbers = {
  serial: number;
  first: string | null;
  last: string | null;
  firstAs: string | null;
  lastAs: string | null;
  origin: string | null;
};
type Match = {
  serial: number;
  followIds: string[];
  contactId: string;
  accountName: string;
  fullName: string;
  email: string;
  loginId: string;
};

/**
 * Notifies followers of whois objects about changes by others since the last run: one message per person and account, with the differences in the mail.
 * Each line of the journal is reported once, even with several processes. A person whose message can't be written gets one without the differences, and is passed over if
 * that fails too: the others aren't held up, now or by the next run.
 * @throws {RowsFailed} after the last line, naming those who were passed over
 */
export async function notifyFollowers(db: Database): Promise<void> {
  const failures: RowFailure[] = [];
  for (;;) {
    // Without a follow nothing is due, however long the journal is.
    const [due] = await db.read.rows<{
      due: boolean | null;
    }>(sql`select greatest(p.serial, (select min(since_serial) from whois_follow)) < last.serial
        and exists (select from whois_follow) as due
      from whois_follow_progress p cross join (select max(serial) as serial from whois_journal) last`);
    const line = ownActivity('whois.follows.notifyFollowers', 'Notified followers of whois objects');
    const batch = due?.due ? await db.change(line, notifyBatch) : { mayBeMore: false, failures: [] };
    failures.push(...batch.failures);
    if (!batch.mayBeMore) break;
  }
  if (failures.length > 0) throw new RowsFailed(failures);
}

async function notifyBatch(change: Change): Promise<{ mayBeMore: boolean; failures: readonly RowFailure[] }> {
  // Changes before the first follow are not reported.
  const [progress] = await change.rows<{ serial: number }>(
    sql`select greatest(serial, (select min(since_serial) from whois_follow)) as serial from whois_follow_progress for update`,
  );
  const lines =
    await change.rows<Line>(sql`select j.serial, j.operation, j.class, j.key, j.shown, j.version, j.reason, a.contact_id, c.full_name as contact_name, a.account_name
    from whois_journal j join activity a using (activity_id) left join contact c on c.contact_id::text = a.contact_id
    where j.serial > ${progress!.serial} order by j.serial limit ${AT_ONCE}`);
  const last = lines.at(-1);
  if (!last) return { mayBeMore: false, failures: [] };
  await change.rows(sql`update whois_follow_progress set serial = ${last.serial}`);
  const bySerial = new Map(lines.map(line => [line.serial, line]));
  const people = new Map<string, { person: Match; lines: Line[]; follows: Set<string> }>();
  for (const match of await matchesOf(change, lines)) {
    const line = bySerial.get(match.serial)!;
    // A person's own changes are not news to them.
    if (line.contactId === match.contactId) continue;
    const found = people.get(match.contactId) ?? { person: match, lines: [], follows: new Set() };
    found.lines.push(line);
    for (const each of match.followIds) found.follows.add(each);
    people.set(match.contactId, found);
  }
  const said: Said = new Map();
  const failures = await eachAttempted(
    change,
    people.values(),
    ({ person, lines: own }) =>
      `contact ${person.contactId} of ${person.accountName}, lines ${own[0]!.serial} to ${own.at(-1)!.serial} of the journal`,
    ({ person, lines: own, follows }, isAgain) =>
      notifyFollower(change, { person, lines: own, followIds: [...follows], said, bare: isAgain }),
  );
  await change.note({
    upTo: last.serial,
    people: people.size - failures.length,
    ...(failures.length > 0 && { failed: failures.map(each => each.row) }),
  });
  return { mayBeMore: lines.length === AT_ONCE, failures };
}

/** Returns the followers of the lines: existing contacts, each line once per contact. */
function matchesOf(change: Change, lines: readonly Line[]): Promise<Match[]> {
  const numbers = lines.map(numbersOf);
  const column = (of: keyof Numbers) => numbers.map(each => each[of]);
  return change.rows<Match>(sql`
    with line as (select * from unnest(${numbers.map(n => n.serial)}::bigint[], ${lines.map(l => l.class)}::text[], ${lines.map(l => l.key)}::text[], ${column('first')}::inet[],
      ${column('last')}::inet[], ${column('firstAs')}::bigint[], ${column('lastAs')}::bigint[], ${column('origin')}::bigint[])
      as l (serial, class, key, first, last, first_as, last_as, origin)),
    found as (
      select l.serial, f.contact_id, f.follow_id from line l join whois_follow f on f.class = l.class and f.key = l.key where f.since_serial < l.serial
      union select l.serial, f.contact_id, f.follow_id from line l join whois_follow f on f.first <= l.first and f.last >= l.last and family(f.first) = family(l.first)
        where f.since_serial < l.serial
      union select l.serial, f.contact_id, f.follow_id from line l join whois_follow f on f.first_as <= l.first_as and f.last_as >= l.last_as where f.since_serial < l.serial
      union select l.serial, f.contact_id, f.follow_id from line l join whois_follow f on l.origin between f.first_as and f.last_as where f.since_serial < l.serial)
    select found.serial, array_agg(found.follow_id::text) as follow_ids, c.contact_id, c.account_name, c.full_name, c.email, c.login_id
    from found join contact c using (contact_id) where c.status = 'active' and c.login_id is not null group by found.serial, c.contact_id order by found.serial`);
}

function numbersOf({ serial, class: objectClass, key }: Line): Numbers {
  const none = { serial, first: null, last: null, firstAs: null, lastAs: null, origin: null };
  const range = isClassName(objectClass) ? rangeOfKey(objectClass, key) : null;
  if (range === null) return none;
  if (range.family === 'asn') return { ...none, firstAs: String(range.first), lastAs: String(range.last) };
  const write = (value: bigint): string => printAddress({ family: range.family, value });
  const origin = objectClass === 'route' || objectClass === 'route6' ? (/as(\d+)$/i.exec(key)?.[1] ?? null) : null;
  return { ...none, first: write(range.first), last: write(range.last), origin };
}

/** The changes of one object in some lines of the journal. */
type ObjectChange = { first: Line; last: Line; by: string };

/** @param bare writes no differences of texts */
async function notifyFollower(
  change: Change,
  {
    person,
    lines,
    followIds,
    said,
    bare,
  }: { person: Match; lines: readonly Line[]; followIds: readonly string[]; said: Said; bare: boolean },
): Promise<void> {
  const objects = new Map<string, ObjectChange>();
  for (const line of lines) {
    const name = `${line.class} ${line.key}`;
    const by = authorOf(line, person.accountName);
    const before = objects.get(name);
    objects.set(
      name,
      before ? { ...before, last: line, by: before.by === by ? by : `${before.by} and ${by}` } : { first: line, last: line, by },
    );
  }
  const list = [...objects.values()];
  const named = list.slice(0, NAMED);
  const known: Said = bare ? new Map() : said;
  await learn(change, known, named, bare);
  const [one] = list;
  const words = named.map(each => sentenceOf(each, known.get(nameOf(each))!.isNew));
  const more = list.length > NAMED ? [`And ${list.length - NAMED} more.`] : [];
  const { written } = await writtenOut(named, each => known.get(nameOf(each))!.difference, WRITTEN_OUT);
  await notifyPeople(
    change,
    {
      topic: 'whois.follows',
      accountName: person.accountName,
      text: whoisTexts.written('followedObjects', {
        howMany: list.length === 1 ? `Whois: ${one!.last.class} ${spacedKey(one!.last.shown)}` : `Whois: ${list.length} objects you follow`,
        details: words.join('\n\n'),
        details2: more.join('\n\n'),
      }),

      mailOnly: bare ? [] : written,
      path:
        list.length === 1
          ? `/resources/whois-updates-js/all?${new URLSearchParams({ class: one!.last.class, key: one!.last.shown, view: 'history' }).toString()}`
          : '/resources/whois-updates-js/all?followed=yes',
      act: list.length === 1 ? 'View history' : 'View what you follow',
      // With many objects, a summary is used instead.
      unsubscribesFrom: followIds.length > NAMED ? undefined : followIds.join(' '),
    },
    [person],
  );
}

/** Contacts of the reader's account by name; others only as far as is public (as in the object's history). */
const authorOf = ({ contactName, accountName }: Line, own: string): string =>
  contactName !== null && accountName === own
    ? contactName
    : contactName !== null || accountName !== null
      ? 'a contact of another account'
      : 'the registry';

function sentenceOf({ last, by }: ObjectChange, isNew: boolean): string {
  const name = `${last.class} ${spacedKey(last.shown)}`;
  if (last.operation === 'DEL') return `${name} was deleted by ${by}${last.reason === '' ? '' : `: ${last.reason}`}.`;
  return `${name} was ${isNew ? 'created' : 'changed'} by ${by}. It’s now version ${last.version}.`;
}

/** Changes of objects as mails have them, by `nameOf`: the same for everyone who follows one. */
type Said = Map<string, { isNew: boolean; difference: string }>;
/** A change by the versions between which it is. */
const nameOf = ({ first, last }: ObjectChange): string => `${last.class} ${last.key} ${first.version} ${last.version}`;

/** Writes out the changes that no one before was notified of, one after another: two texts are in memory at a time. */
async function learn(change: Change, said: Said, list: readonly ObjectChange[], bare: boolean): Promise<void> {
  const breathe = breathing();
  for (const each of list) {
    const name = nameOf(each);
    if (said.has(name)) continue;
    const { before, after } = await textsOf(change, each);
    const difference = bare
      ? ''
      : [`${each.last.class} ${spacedKey(each.last.shown)}`, forMail(textDifference(before ?? '', after ?? ''))].join('\n');
    said.set(name, { isNew: before === null, difference });
    await breathe();
  }
}

/** Texts of the versions before and after, as anyone sees them; a deleted one has none. */
async function textsOf(change: Change, { first, last }: ObjectChange): Promise<{ before: string | null; after: string | null }> {
  const rows = await change.rows<{ version: number; text: string }>(sql`select version, text from whois_journal
    where class = ${last.class} and key = ${last.key} and version = any(${[first.version - 1, last.version]}::int[]) and operation = 'ADD'`);
  const textOf = (version: number): string | null => {
    const row = rows.find(each => each.version === version);
    return row ? textForOthers(row.text) : null;
  };
  return { before: textOf(first.version - 1), after: textOf(last.version) };
}
