import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { publicCopy } from '../whois/index.ts';

/** One change for mirrors; hidden changes are left out with their serials. */
export type JournalLine = { serial: number; operation: 'ADD' | 'DEL'; class: string; shown: string; text: string };

/** The changes from one serial to another, both included, in their order and in batches. */
export async function* journalSlice(
  read: Pick<Read, 'stream'>,
  { from, to }: { from: number; to: number },
  profile: Pick<Profile, 'dumpPersonalData'>,
): AsyncGenerator<JournalLine[], void, void> {
  const personal = profile.dumpPersonalData;
  const rows = read.stream<JournalLine>(sql`
    select serial, operation, class, shown, text from whois_journal where serial between ${from} and ${to} order by whois_journal.serial`);
  for await (const batch of rows) {
    yield batch.flatMap(row => {
      const text = publicCopy(row.text, personal);
      return text === null ? [] : [{ ...row, serial: Number(row.serial), text }];
    });
  }
}

/** Older changes are no longer available: a mirror that far behind starts with the files. */
const KEPT_DAYS = 14;

/**
 * The answer to `-g SOURCE:3:FROM-TO` (NRTM version 3), piece by piece; TO may be LAST. Serials of what is left out are missing,
 * as the protocol allows.
 */
export async function* answerNrtm3(
  read: Pick<Read, 'stream' | 'rows'>,
  asked: string,
  profile: Pick<Profile, 'source' | 'dumpPersonalData'>,
): AsyncGenerator<string, void, void> {
  const query = /^([\w-]+):(\d+):(\d{1,15})-(\d{1,15}|LAST)$/i.exec(asked.trim());
  if (!query) {
    yield error(405, 'syntax error: write SOURCE:3:FROM-TO or SOURCE:3:FROM-LAST');
    return;
  }
  const [, source, version, from, until] = query as unknown as [string, string, string, string, string];
  if (source.toUpperCase() !== profile.source.toUpperCase()) {
    yield error(403, `unknown source ${source.slice(0, 40)}`);
    return;
  }
  if (version !== '3') {
    yield error(406, `NRTM version mismatch: version ${version} is not served here, version 3 is; version 4 is under /nrtm4/`);
    return;
  }
  const [row] = await read.rows<{ first: number; last: number }>(sql`select
    coalesce((select min(serial) from whois_journal where happened_at > now() - make_interval(days => ${KEPT_DAYS})), 1) as first,
    coalesce((select max(serial) from whois_journal), 0) as last`);
  const [oldest, last] = [Number(row!.first), Number(row!.last)];
  const [first, to] = [Number(from), /^last$/i.test(until) ? last : Number(until)];
  if (first < oldest || to > last || first > to) {
    yield error(401, `invalid range: Not within ${oldest}-${last}`);
    return;
  }
  yield `%START Version: 3 ${profile.source} ${first}-${to}\n\n`;
  for await (const lines of journalSlice(read, { from: first, to }, profile))
    for (const { operation, serial, text } of lines) yield `${operation} ${serial}\n\n${text}\n`;
  yield `%END ${profile.source}\n`;
}

const error = (code: number, text: string): string => `%ERROR:${code}: ${text}\n`;
