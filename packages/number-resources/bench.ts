import {
  intersectSets,
  type NumberResource,
  parsePrefix,
  type Prefix,
  prefixAt,
  printPrefix,
  readResources,
  resourceSetOf,
  subtractSets,
  unionSets,
} from './src/index.ts';

// Run with `node packages/number-resources/bench.ts [prefixes]`. Prints milliseconds (median of 7) and operations a second.
const count = Number(process.argv[2] ?? 100_000);

let seed = 1;
function random(below: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed % below;
}

/** Prefixes of mixed lengths in random order; few of them overlap, so that a set keeps nearly all. */
function somePrefixes(family: 'ipv4' | 'ipv6'): Prefix[] {
  return Array.from({ length: count }, () => {
    const length = (family === 'ipv4' ? 20 : 40) + random(9);
    const value = family === 'ipv4' ? BigInt(random(2 ** 32)) : (0x2400n << 112n) | (BigInt(random(2 ** 32)) << 80n);
    return prefixAt(family, value, length);
  });
}

function measure(name: string, work: () => unknown): void {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const median = times[3] ?? 0;
  process.stdout.write(`${name.padEnd(34)} ${median.toFixed(1).padStart(8)} ms ${(1000 / median).toFixed(1).padStart(8)} ops/s\n`);
}

process.stdout.write(`${count} prefixes a set, node ${process.version}\n`);
for (const family of ['ipv4', 'ipv6'] as const) {
  const one: NumberResource[] = somePrefixes(family);
  const other = somePrefixes(family);
  const a = resourceSetOf(one);
  const b = resourceSetOf(other);
  const lines = other.map(printPrefix);
  const text = lines.join('\n');
  process.stdout.write(`${family}: ${a[family].length / 2} and ${b[family].length / 2} ranges after merging\n`);
  measure('  set of unsorted prefixes', () => resourceSetOf(one));
  measure('  union', () => unionSets(a, b));
  measure('  subtract', () => subtractSets(a, b));
  measure('  intersect', () => intersectSets(a, b));
  measure('  parse', () => lines.map(parsePrefix));
  measure('  print', () => other.map(printPrefix));
  measure('  read pasted list', () => readResources(text));
}
