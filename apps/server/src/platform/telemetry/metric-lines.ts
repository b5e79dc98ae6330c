/** A number with its labels. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number };
/** A metric of `/metrics`. */
export type Family = { name: string; kind: 'counter' | 'gauge'; samples: Sample[] };

const sample = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/**
 * Reads the lines of `/metrics` (the text format of Prometheus), so that a collector gets the same figures. Without a `# TYPE` a metric is a gauge; the parts of a histogram
 * (`_bucket`, `_sum`, `_count`) are counters each. Lines that can't be read, and values that aren't finite, are left out.
 */
export function readMetricLines(lines: readonly string[]): Family[] {
  const kinds = new Map<string, string>();
  const families = new Map<string, Family>();
  for (const line of lines) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) kinds.set(type[1]!, type[2]!);
    const [, name, labels = '', text] = sample.exec(line) ?? [];
    const value = Number(text);
    if (name === undefined || !Number.isFinite(value)) continue;
    const family = families.get(name) ?? { name, kind: kindOf(name, kinds), samples: [] };
    families.set(name, family);
    family.samples.push({
      labels: Object.fromEntries([...labels.matchAll(label)].map(([, key, given]) => [key!, unescaped(given!)])),
      value,
    });
  }
  return [...families.values()];
}

function kindOf(name: string, kinds: ReadonlyMap<string, string>): Family['kind'] {
  const own = kinds.get(name) ?? kinds.get(name.replace(/_(bucket|sum|count)$/, ''));
  return own === 'counter' || own === 'histogram' || own === 'summary' ? 'counter' : 'gauge';
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
