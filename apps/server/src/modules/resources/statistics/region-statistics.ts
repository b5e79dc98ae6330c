import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Random } from '../../../platform/demo.ts';

/** Returns whether a delegation is of a size that this registry doesn't make: a few real ones are from before its rules, or blocks for a registry of its own. */
const isUnusual = (kind: string | undefined, size: number): boolean => (kind === 'ipv6' && size > 48) || (kind === 'asn' && size >= 64);

/** Lines of a delegated-extended file with a holder, as fields. */
function heldLines(file: string): string[][] {
  const bytes = readFileSync(file);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
  return text
    .split(/\r?\n/)
    .map(line => line.split('|'))
    .filter(([, , kind = '', , , , status = '', holder = '']) => /^(ipv4|ipv6|asn)$/.test(kind) && status.startsWith('a') && holder !== '')
    .filter(([, , kind, , value, , status]) => status !== 'available' && !isUnusual(kind, Number(value)));
}

const delegationsByHolder = (lines: readonly string[][]): [string, string[][]][] =>
  [...Map.groupBy(lines, fields => fields[7]!)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));

/** Returns how many holders a statistics file names. */
export const holdersIn = (file: string): number => new Set(heldLines(file).map(fields => fields[7])).size;

/**
 * Returns the delegations of a statistics file as a file of another registry: of the four largest holders, and of others drawn at random, so many together. Its free and reserved space is left out.
 */
export function thinnedStatistics(
  file: string,
  { registry, holders, random }: { registry: string; holders: number; random: Random },
): string {
  const all = delegationsByHolder(heldLines(file));
  const [largest, others] = [all.slice(0, 4), all.slice(4)];
  while (largest.length + others.length > Math.max(holders, 4)) others.splice(random(others.length), 1);
  const records = [...largest, ...others].flatMap(([, lines]) => lines).map(([, ...rest]) => [registry, ...rest].join('|'));
  const counted = ['asn', 'ipv4', 'ipv6'].map(
    kind => `${registry}|*|${kind}|*|${records.filter(line => line.split('|')[2] === kind).length}|summary`,
  );
  return [`2.3|${registry}|20260101|${records.length}|19830101|20260101|+1000`, ...counted, ...records, ''].join('\n');
}
