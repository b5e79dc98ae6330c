/** Upper bounds of the buckets, in seconds: what a person notices, waits for, and what hangs. */
const bounds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60];

/** Durations with the same labels. Each bucket counts those up to its bound that the buckets before don't have. */
type Series = { buckets: number[]; count: number; seconds: number };

/** How long things of one kind took, as a histogram of Prometheus. Labels must come from a list that ends, never from a caller. */
export class Durations {
  readonly #name: string;
  readonly #series = new Map<string, Series>();

  /** @param name of the metric, such as `whois_query_duration_seconds` */
  constructor(name: string) {
    this.#name = name;
  }

  /** @param labels as they stand in a line: `kind="address"` */
  note(labels: string, milliseconds: number): void {
    let series = this.#series.get(labels);
    if (!series) {
      series = { buckets: bounds.map(() => 0), count: 0, seconds: 0 };
      this.#series.set(labels, series);
    }
    const seconds = milliseconds / 1000;
    const bucket = bounds.findIndex(bound => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]! += 1;
    series.count += 1;
    series.seconds += seconds;
  }

  /** Notes how long work takes, also where it fails. */
  async of<T>(labels: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.note(labels, performance.now() - began);
    }
  }

  /** In the text format of Prometheus. */
  lines(): string[] {
    return [`# TYPE ${this.#name} histogram`, ...[...this.#series].flatMap(([labels, series]) => linesOf(this.#name, labels, series))];
  }
}

function linesOf(name: string, labels: string, { buckets, count, seconds }: Series): string[] {
  let below = 0;
  return [
    ...bounds.map((bound, place) => `${name}_bucket{${labels},le="${bound}"} ${(below += buckets[place]!)}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds.toFixed(6)}`,
    `${name}_count{${labels}} ${count}`,
  ];
}
