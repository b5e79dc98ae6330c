import { maxUploadedZones } from '@portal/contract/reverse-dns/zone-files';
import { type Prefix, parseReverseZone } from '@portal/number-resources';
import { cutText } from '../../platform/cut-text.ts';
import { refuseField } from '../../platform/failure.ts';
import { portions } from '../../platform/portions.ts';
import { readKeys } from './key-material.ts';
import { serverProblem } from './server-name.ts';
import { readZoneFile, type ZoneFileEntry, type ZoneFileProblem } from './zone-file.ts';

/** A delegation of a file with its prefix, null if one of its lines is wrong; `problem`: of a server or a key, or null. */
export type CheckedEntry = ZoneFileEntry & { prefix: Prefix | null; problem: string | null };

/** Maximum number of problems shown of a file. */
export const MAX_PROBLEMS = 200;
/** Maximum length of a problem, which quotes its line, in characters. */
const LONGEST_PROBLEM = 300;

/**
 * Yields the delegations of a zone file, and returns its first problems. Doesn't check holdings.
 * @throws Failure INVALID_REQUEST when it has too many zones
 */
export function* read({ text, origin }: { text: string; origin: string }): Generator<CheckedEntry[], { problems: ZoneFileProblem[] }> {
  const { entries, problems: found } = readZoneFile(text, origin);
  if (entries.length > maxUploadedZones)
    throw refuseField('text', `The file has ${entries.length} zones. Send at most ${maxUploadedZones} at a time`);
  const checked = entries.map((entry): CheckedEntry => {
    const { zone, servers, ds, isGood } = entry;
    if (!isGood) return { ...entry, prefix: null, problem: null };
    const server = servers.map(serverProblem).find(each => each !== null) ?? null;
    const problem = server ?? readKeys(ds.map(each => `DS ${each}`).join('\n'), [zone]).problems[0]?.message ?? null;
    return { ...entry, prefix: parseReverseZone(zone), problem };
  });
  yield* portions(checked);
  return { problems: found.slice(0, MAX_PROBLEMS).map(problem => ({ ...problem, message: cutText(problem.message, LONGEST_PROBLEM) })) };
}
