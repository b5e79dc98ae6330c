import { maxAsNumber } from './as-number.ts';
import type { TableEntry } from './mrt.ts';
import { parsePrefix, printPrefix } from './prefix.ts';
import { ResourceSyntaxError } from './syntax-error.ts';

/** A line of a dump that can't be read. */
export type RefusedDumpLine = { line: number; problem: string };

/**
 * Reads one line of a RIS whois dump: `origin TAB prefix TAB peers`. Null for comments (`%`) and empty lines; a refusal with what is wrong for others. An AS set
 * (`{64500,64501}`) has no single origin.
 */
export function readDumpLine(text: string, line: number): TableEntry | RefusedDumpLine | null {
  if (text === '' || text.startsWith('%') || text.trim() === '') return null;
  const [origin, prefix, peers, ...more] = text.split('\t');
  if (origin === undefined || prefix === undefined || peers === undefined || more.length > 0)
    return { line, problem: 'A line is: origin AS, prefix, number of peers, parted by tabs' };
  if (!/^\d{1,9}$/.test(peers.trim())) return { line, problem: `${peers.slice(0, 20)} is not a number of peers` };
  const isSet = /^\{[\d,]*\}$/.test(origin);
  if (!isSet && (!/^\d{1,10}$/.test(origin) || Number(origin) > maxAsNumber))
    return { line, problem: `${origin.slice(0, 20)} is not an AS number` };
  try {
    return { prefix: printPrefix(parsePrefix(prefix)), asn: isSet ? null : Number(origin), peers: Number(peers) };
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    return { line, problem: error.message };
  }
}
