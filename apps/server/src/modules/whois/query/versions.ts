import { printEnds } from '@portal/number-resources';
import { compareObjects, parseObject } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import { textOf } from './object-text.ts';
import { readQueryKey } from './query-key.ts';
import type { QueryLine } from './query-line.ts';
import { problems } from './query-problem.ts';
import type { Shown } from './shown-object.ts';

type Version = Shown & { version: number; operation: 'ADD' | 'DEL'; happenedAt: string };

const style = { brief: false, keysOnly: false, filtering: false };
const minute = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** Answers --list-versions, --show-version and --diff-versions; deleted objects have versions too. */
export async function answerVersions(db: Database, query: QueryLine): Promise<string> {
  const versions = await versionsOf(db, query);
  const last = versions.at(-1);
  if (!last) throw problems.unsupportedKey(query.key);
  if (last.class === 'person' || last.class === 'role') throw problems.noPersonalVersions();
  const version = (number: number): Version => {
    const found = versions.find(each => each.version === number);
    if (!found) throw problems.versionTooHigh(number, last.version);
    return found;
  };
  const { showVersion, diffVersions } = query.arguments;
  const named = `${last.class.toUpperCase()} object "${last.shown}"`;
  if (showVersion !== undefined) {
    const shown = version(wholeNumber(showVersion, '--show-version'));
    return `% Version ${shown.version} of ${named}\n% ${what(shown)} on ${minute(shown.happenedAt)} UTC\n\n${textOf(shown, style)}\n`;
  }
  if (diffVersions !== undefined) {
    const [from = '', to = '', ...more] = diffVersions.split(':');
    if (more.length > 0) throw problems.invalidOption('--diff-versions', 'needs two numbers of versions, such as 1:2');
    const [one, other] = [version(wholeNumber(from, '--diff-versions')), version(wholeNumber(to, '--diff-versions'))];
    const before = parseObject(textOf(one, style)).object;
    const after = parseObject(textOf(other, style)).object;
    const lines =
      before && after
        ? compareObjects(before, after).flatMap(({ change, before: old, after: now }) => {
            const line = (sign: string, each: typeof old): string[] =>
              each
                ? `${each.written}:${each.raw}`
                    .trimEnd()
                    .split('\n')
                    .map(text => `${sign}${text}\n`)
                : [];
            return change === 'kept' ? line(' ', now) : [...line('-', old), ...line('+', now)];
          })
        : [];
    return `% Difference between version ${one.version} and ${other.version} of ${named}\n\n${lines.join('')}\n`;
  }
  const rows = versions.map(
    each => `${String(each.version).padEnd(6)}${minute(each.happenedAt)}  ${each.operation === 'ADD' ? 'ADD/UPD' : 'DEL'}\n`,
  );
  return `% Version history for ${named}\n% --show-version N shows one version, --diff-versions A:B what changed\n\nrev#  Date              Op.\n\n${rows.join('')}\n`;
}

const what = ({ operation }: Version): string => (operation === 'ADD' ? 'Created or updated' : 'Deleted');

function wholeNumber(text: string, flag: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw problems.invalidOption(flag, 'needs numbers of versions, which begin with 1');
  return Number(text);
}

async function versionsOf(db: Database, query: QueryLine): Promise<Version[]> {
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
  return db.read
    .rows<Version>(sql`
    select j.class, j.key, j.shown, j.text, j.version, j.operation, j.happened_at, 0 as object_id
    from unnest(${wanted.map(each => each.class)}::text[], ${wanted.map(each => each.key)}::text[]) with ordinality as a(class, key, place)
    join whois_journal j on j.class = a.class and j.key = a.key
    order by a.place, j.version`)
    .then(rows => {
      // A name may be the key of objects of two classes: the first is used, as in a list of candidates.
      const [first] = rows;
      return first ? rows.filter(each => each.class === first.class) : [];
    });
}
