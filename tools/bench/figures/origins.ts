import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { indexVrps, parsePrefix, readDumpLine, type Validity, validateOrigin, type Vrp } from '@portal/number-resources';
import type { Figure } from './bench.ts';

const VRPS = 100_000;
/** As many as the real table of July 2010 has, which the budget names. */
const PAIRS = 323_752;
const BUDGET_S = 2;

/** Made-up announcements of the shape of a full table: a quarter are more specific ones of others, most are a /24. */
function* madeUp(): Generator<string> {
  let seed = 20100701;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let place = 0; place < PAIRS; place++) {
    const length = random(2) === 0 ? 24 : 16 + random(8);
    const address = ((1 + random(222)) * 2 ** 24 + random(2 ** 24)) >>> 0;
    const first = length === 32 ? address : (address >>> (32 - length)) * 2 ** (32 - length);
    yield `${1 + random(60_000)}\t${[24, 16, 8, 0].map(shift => Math.floor(first / 2 ** shift) % 256).join('.')}/${length}\t${1 + random(300)}`;
  }
}

/** The lines of the RIS whois dump that BGP_TABLE_FILE names, or made-up ones. */
function dump(): { lines: string[]; about: string } {
  const given = process.env.BGP_TABLE_FILE;
  if (!given) return { lines: [...madeUp()], about: 'a made-up table (BGP_TABLE_FILE names a RIS whois dump)' };
  const bytes = readFileSync(given);
  return { lines: (given.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').split('\n'), about: path.basename(given) };
}

/** Validates every announcement of a full table against 100,000 VRPs: prefixes as text, as the database answers them, to a count of each state. */
export function validateFullTable(): Figure {
  const { lines, about } = dump();
  const entries = lines.flatMap((text, line) => {
    const entry = readDumpLine(text, line + 1);
    return entry && 'prefix' in entry ? [entry] : [];
  });
  // VRPs for announcements all over the table: matching ones, those of other networks, and those that are too short.
  const every = Math.max(1, Math.floor(entries.length / VRPS));
  const vrps: Vrp[] = [];
  for (let at = 0; at < entries.length && vrps.length < VRPS; at += every) {
    const { prefix, asn } = entries[at]!;
    const length = Number(prefix.slice(prefix.indexOf('/') + 1));
    vrps.push({
      prefix,
      asn: vrps.length % 10 === 0 ? 64_500 : (asn ?? 64_500),
      maxLength: vrps.length % 3 === 0 ? Math.max(24, length) : length,
    });
  }
  const began = performance.now();
  const index = indexVrps(vrps);
  const states: Record<Validity, number> = { valid: 0, 'invalid-asn': 0, 'invalid-length': 0, 'not-found': 0 };
  for (const { prefix, asn } of entries) states[validateOrigin(index, parsePrefix(prefix), asn ?? 0)]++;
  const took = (performance.now() - began) / 1000;
  return {
    what: `validity of ${entries.length.toLocaleString('en')} announcements by ${vrps.length.toLocaleString('en')} VRPs, ${about}`,
    value: `${took.toFixed(2)} s; ${Object.entries(states)
      .map(([state, count]) => `${count.toLocaleString('en')} ${state}`)
      .join(', ')}`,
    budget: `${BUDGET_S} s`,
    held: took < BUDGET_S,
  };
}
