import { printEnds } from '@portal/number-resources';
import { compareObjects, parseObject } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Database, frequent } from '../../../platform/database/index.ts';
import { textDifference } from '../store/text-difference.ts';
import { textOf } from './object-text.ts';
import { readQueryKey } from './query-key.ts';
import type { QueryLine } from './query-line.ts';
import { problems } from './query-problem.ts';
import type { Shown } from './shown-object.ts';

/** A version of an object, without its text. */
type Listed = { version: number; operation: 'ADD' | 'DEL'; happenedAt: string };
type Version = Shown & Listed;
/** The object whose versions are asked for, by its last version. */
type Subject = Pick<Version, 'class' | 'key' | 'shown' | 'version'>;

const style = { brief: false, keysOnly: false, filtering: false };
const minute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Maximum number of versions in a list. */
const MAX_LISTED = 1_000;
/** Texts of more lines are compared line by line, not attribute by attribute. */
const MAX_COMPARED = 1_000;

/** Answers --list-versions, --show-version and --diff-versions; deleted objects have versions too. Only texts that are shown are read. */
export async function answerVersions(db: Database, query: QueryLine): Promise<string> {
  const last = await subjectOf(db, query);
  if (!last) throw problems.unsupportedKey(query.key);
  if (last.class === 'person' || last.class === 'role') throw problems.noPersonalVersions();
  const { showVersion, diffVersions } = query.arguments;
  const named = `${last.class.toUpperCase()} object "${last.shown}"`;
  if (showVersion !== undefined) {
    const shown = await versionOf(db, last, wholeNumber(showVersion, '--show-version'));
    return `% Version ${shown.version} of ${named}\n% ${what(shown)} on ${minute(shown.happenedAt)} UTC\n\n${textOf(shown, style)}\n`;
  }
  if (diffVersions !== undefined) {
    const [from = '', to = '', ...more] = diffVersions.split(':');
    if (more.length > 0) throw problems.invalidOption('--diff-versions', 'needs two numbers of versions, such as 1:2');
    const numbers = [wholeNumber(from, '--diff-versions'), wholeNumber(to, '--diff-versions')] as const;
    const [one, other] = [await versionOf(db, last, numbers[0]), await versionOf(db, last, numbers[1])];
    const [before, after] = [textOf(one, style), textOf(other, style)];
    return `% Difference between version ${one.version} and ${other.version} of ${named}\n\n${differenceOf(before, after)}\n`;
  }
  const versions = await db.read.rows<Listed>(sql`
    select version, operation, happened_at from (select version, operation, happened_at from whois_journal
      where class = ${last.class} and key = ${last.key} order by version desc limit ${MAX_LISTED}) j order by version`);
  const rows = versions.map(
    each => `${String(each.version).padEnd(6)}${minute(each.happenedAt)}  ${each.operation === 'ADD' ? 'ADD/UPD' : 'DEL'}\n`,
  );
  const cut = last.version > MAX_LISTED ? `% The last ${MAX_LISTED} of ${last.version} versions are listed\n` : '';
  return `% Version history for ${named}\n% --show-version N shows one version, --diff-versions A:B what changed\n${cut}\nrev#  Date              Op.\n\n${rows.join('')}\n`;
}

/** When an object was created, changed or deleted: its last versions, oldest first. Port 43 lists the same; none of people. */
export async function versionTimes(
  read: Pick<Database['read'], 'rows'>,
  { class: className, key }: { class: string; key: string },
): Promise<{ operation: 'ADD' | 'DEL'; happenedAt: string }[]> {
  if (className === 'person' || className === 'role') return [];
  const versions = await read.rows<Listed>(
    frequent(sql`select version, operation, happened_at from whois_journal
      where class = ${className} and key = ${key} order by version desc limit ${sql.lit(MAX_LISTED)}`),
  );
  return versions.map(({ operation, happenedAt }) => ({ operation, happenedAt })).toReversed();
}

/** Returns the lines of two texts: `-` removed, `+` added, a blank before the others. */
function differenceOf(before: string, after: string): string {
  if (Math.max(lineCount(before), lineCount(after)) > MAX_COMPARED) return `${textDifference(before, after)}\n`;
  const [old, now] = [parseObject(before).object, parseObject(after).object];
  if (!old || !now) return '';
  return compareObjects(old, now)
    .flatMap(({ change, before: removed, after: added }) => {
      const line = (sign: string, each: typeof removed): string[] =>
        each
          ? `${each.written}:${each.raw}`
              .trimEnd()
              .split('\n')
              .map(text => `${sign}${text}\n`)
          : [];
      return change === 'kept' ? line(' ', added) : [...line('-', removed), ...line('+', added)];
    })
    .join('');
}

const lineCount = (text: string): number => text.split('\n').length;

const what = ({ operation }: Version): string => (operation === 'ADD' ? 'Created or updated' : 'Deleted');

function wholeNumber(text: string, flag: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw problems.invalidOption(flag, 'needs numbers of versions, which begin with 1');
  return Number(text);
}

/** Finds the object by its key. A name may be the key of objects of two classes: the first is used, as in a list of candidates. */
async function subjectOf(db: Database, query: QueryLine): Promise<Subject | null> {
  const key = readQueryKey(query.key);
  const candidates =
    key.kind === 'addresses'
      ? [
          { class: 'inetnum', key: printEnds(key.range) },
          { class: 'inet6num', key: query.key.toLowerCase() },
        ]
      : key.kind === 'as-block'
        ? [{ class: 'as-block', key: `as${key.first} - as${key.last}` }]
        : [...key.keys];
  const wanted = candidates.filter(each => query.types?.some(type => type === each.class) ?? true);
  const [row] = await db.read.rows<Subject>(sql`
    select j.class, j.key, j.shown, j.version
    from unnest(${wanted.map(each => each.class)}::text[], ${wanted.map(each => each.key)}::text[]) with ordinality as a (class, key, place)
    cross join lateral (select class, key, shown, version from whois_journal w where w.class = a.class and w.key = a.key order by w.version desc limit 1) j
    order by a.place limit 1`);
  return row ?? null;
}

/** Reads one version with its text. @throws QueryProblem if there is none of this number */
async function versionOf(db: Database, last: Subject, version: number): Promise<Version> {
  const [row] =
    version > last.version
      ? []
      : await db.read.rows<Version>(sql`select class, key, shown, text, version, operation, happened_at, 0 as object_id from whois_journal
          where class = ${last.class} and key = ${last.key} and version = ${version}`);
  if (!row) throw problems.versionTooHigh(version, last.version);
  return row;
}
