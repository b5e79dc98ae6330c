import { createHash } from 'node:crypto';
import type { RefusedLine, WrongCount } from './statistics-file.ts';

/** The file was refused, and nothing was written. `message` is one line; the lists have the details. */
export class StatisticsRefused extends Error {
  override name = 'StatisticsRefused';
  readonly refused: RefusedLine[];
  readonly refusedTotal: number;
  readonly wrongCounts: WrongCount[];
  constructor(refused: RefusedLine[], refusedTotal: number, wrongCounts: WrongCount[]) {
    super(`The file was not imported: ${reasonOf(refused, refusedTotal, wrongCounts)}`);
    this.refused = refused;
    this.refusedTotal = refusedTotal;
    this.wrongCounts = wrongCounts;
  }
}

/** The file no longer lists numbers that a request is moving, which can't be closed. `message` is one line. */
export class StatisticsLocked extends Error {
  override name = 'StatisticsLocked';
  constructor(locked: readonly { resource: string; accountName: string | null; reference: string }[]) {
    const named = locked
      .slice(0, 5)
      .map(({ resource, accountName, reference }) => `${resource}${accountName === null ? '' : ` of ${accountName}`} (${reference})`);
    const more = locked.length > named.length ? ` and ${locked.length - named.length} more` : '';
    super(
      `Nothing was imported: the file no longer lists numbers that requests are moving: ${named.join(', ')}${more}. End these requests first, or fetch a file that lists the numbers.`,
    );
  }
}

/** Thrown with the effects of an import that needs confirmation: nothing was written. */
export class StatisticsPlan extends Error {
  override name = 'StatisticsPlan';
  /** Lines shown before the question. */
  readonly lines: readonly string[];
  /** A digest of what would be closed for which registry, to confirm exactly this plan. */
  readonly key: string;
  constructor({ registry, isUnknown, closing, emptied, added, changed }: Planned) {
    const reasons = [
      ...(isUnknown
        ? [`${registry} is not a registry known here (${statisticsRegistries.join(', ')}), and nothing of it was imported before`]
        : []),
      ...(closing.length > 0 ? [`the file no longer lists ${closing.length} delegations, which would be closed`] : []),
    ];
    super(`Nothing was imported: ${reasons.join('; ')}.`);
    const shown = (list: readonly string[]): string[] => [
      ...list.slice(0, 20).map(each => `  ${each}`),
      ...(list.length > 20 ? [`  and ${list.length - 20} more`] : []),
    ];
    const closed = closing.map(({ resource, accountName }) => `${resource}${accountName === null ? '' : ` of ${accountName}`}`);
    this.lines = [
      ...(isUnknown ? [`It would make the registry ${registry} known; all it lists would be delegations of that registry.`] : []),
      `It would add ${added} delegations, change ${changed}, and close ${closing.length}${closing.length > 0 ? ':' : '.'}`,
      ...shown(closed),
      ...(emptied.length > 0 ? [`These ${emptied.length} accounts would hold nothing any more:`, ...shown(emptied)] : []),
    ];
    this.key = createHash('sha256')
      .update([registry, ...closed.sort()].join('\n'))
      .digest('hex');
  }
}
type Planned = {
  registry: string;
  isUnknown: boolean;
  closing: readonly { resource: string; accountName: string | null }[];
  /** Accounts that lose everything. */
  emptied: readonly string[];
  added: number;
  changed: number;
};

/** The registries that publish statistics files, as the files name them. */
export const statisticsRegistries: readonly string[] = ['afrinic', 'apnic', 'arin', 'iana', 'lacnic', 'ripencc'];

function reasonOf(refused: RefusedLine[], refusedTotal: number, wrongCounts: WrongCount[]): string {
  const [first] = refused;
  if (first) return `line ${first.line}: ${first.reason}${refusedTotal > 1 ? `, and ${refusedTotal - 1} more refused lines` : ''}.`;
  const counts = wrongCounts.map(({ what, stated, counted, line }) => {
    const there = `${counted} ${counted === 1 ? 'is' : 'are'} there`;
    const name = what === 'records' ? 'records' : `${what} records`;
    return stated === null ? `line ${line} states no number of ${name}, ${there}` : `line ${line} states ${stated} ${name}, ${there}`;
  });
  return `${counts.join('; ')}. The file may be incomplete; fetch it again, or accept its wrong summary.`;
}
