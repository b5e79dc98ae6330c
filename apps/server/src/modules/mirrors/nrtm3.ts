import { sql } from 'kysely';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { publicCopy, READ_BYTES } from '../whois/index.ts';

/** One change for mirrors; hidden changes are left out with their serials. */
export type JournalLine = { serial: number; operation: 'ADD' | 'DEL'; class: string; shown: string; text: string };

/** Changes that are read together, as far as `READ_BYTES` go. */
const AT_ONCE = 500;

/**
 * The changes from one serial to another, both included, in their order and in batches. The journal only grows, so that each batch is read by itself.
 * @throws Error if the journal ends before: a mirror would never ask for the missing changes again
 */
export async function* journalSlice(
  read: Pick<Read, 'rows'>,
  { from, to }: { from: number; to: number },
  profile: Pick<Profile, 'dumpPersonalData'>,
): AsyncGenerator<JournalLine[], void, void> {
  const personal = profile.dumpPersonalData;
  const breathe = breathing();
  for (let next = from; next <= to; ) {
    const batch = await read.rows<JournalLine>(sql`
      select serial, operation, class, shown, text from (
        select serial, operation, class, shown, text, sum(octet_length(text)) over (order by serial) - octet_length(text) as before
        from (select serial, operation, class, shown, text from whois_journal where serial between ${next} and ${to}
          order by serial limit ${AT_ONCE}) j) j
      where before < ${READ_BYTES} order by j.serial`);
    if (batch.length === 0) throw new Error(`The whois journal ends before serial ${next}, and changes up to ${to} were asked for.`);
    const lines: JournalLine[] = [];
    for (const row of batch) {
      const text = publicCopy(row.text, personal);
      if (text !== null) lines.push({ ...row, serial: Number(row.serial), text });
      await breathe();
    }
    next = Number(batch.at(-1)!.serial) + 1;
    yield lines;
  }
}

/** Older changes are no longer available: a mirror that far behind starts with the files. */
const KEPT_DAYS = 14;

/**
 * The answer to `-g SOURCE:3:FROM-TO` (NRTM version 3), piece by piece; TO may be LAST. Serials of what is left out are missing,
 * as the protocol allows.
 */
export async function* answerNrtm3(
  read: Pick<Read, 'rows'>,
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
