import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { type Failure, refuse } from './failure.ts';
import type { Log } from './log.ts';

/** Shares of the bound from which a process refuses what takes much memory, and everything. */
const TIGHT = 0.85;
const FULL = 0.95;
/** For how long, in ms, a reading counts: it takes 10 microseconds, and requests come closer together. */
const READING_MS = 50;
/** How often a process looks on its own, and how often it collects garbage at most: a collection may hold up everything for 100 ms. */
const LOOK_MS = 500;
const COLLECT_EVERY_MS = 5 * SECOND_MS;
/** How long work of the background waits for memory at most: it was promised to someone. */
const MAX_WAIT_MS = MINUTE_MS;

type Options = {
  /** 0: none. */
  megabytes: number;
  log: Pick<Log, 'warn'>;
  /** Bytes that the process takes. */
  taken?: () => number;
  collect?: () => void;
  /** A clock in ms that only goes forward. */
  now?: () => number;
};

/**
 * Holds a process below the memory that it may take (MEMORY_MEGABYTES). Near it, uploads, exports and long calls are refused for the moment, above it all calls but those
 * for the state of the process: one that goes on answering some is worth more than one that the system ends in the middle of all.
 */
export class MemoryBound {
  readonly #bound: number;
  readonly #log: Options['log'];
  readonly #taken: () => number;
  readonly #collect: () => void;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout | undefined;
  #share = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #isSaid = false;
  #refused = 0;

  constructor({
    megabytes,
    log,
    taken = () => process.memoryUsage.rss(),
    collect = collectGarbage,
    now = () => performance.now(),
  }: Options) {
    this.#bound = megabytes * 1024 * 1024;
    this.#log = log;
    this.#taken = taken;
    this.#collect = collect;
    this.#now = now;
    if (megabytes > 0) this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Whether less than 15 % of the bound is left. */
  get isTight(): boolean {
    return this.#shareNow() >= TIGHT;
  }

  /** Whether less than 5 % of it is left. */
  get isFull(): boolean {
    return this.#shareNow() >= FULL;
  }

  /** The refusal of a request for which there is no room, or null. @param takesMuch whether it brings a large body, makes a file or takes long */
  refusalOf(takesMuch: boolean): Failure | null {
    if (this.#bound === 0 || this.#shareNow() < (takesMuch ? TIGHT : FULL)) return null;
    this.#refused++;
    return refuse('MEMORY_SHORT');
  }

  /** @throws Failure MEMORY_SHORT where there is no room for what takes much */
  requireRoom(): void {
    const refusal = this.refusalOf(true);
    if (refusal) throw refusal;
  }

  /** Waits until there is room for work that takes much, for a minute at most. */
  async untilRoom(): Promise<void> {
    const until = this.#now() + MAX_WAIT_MS;
    while (this.isTight && this.#now() < until) await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }

  /** Collects garbage where memory is short, and says once that it is. */
  look(): void {
    if (!this.isTight) {
      if (this.#share < TIGHT - 0.1) this.#isSaid = false;
      return;
    }
    if (!this.#isSaid)
      this.#log.warn('memory is short: uploads, exports and long calls are refused for now', {
        megabytes: Math.round(this.#taken() / 1024 / 1024),
      });
    this.#isSaid = true;
    if (this.#now() - this.#collectedAt < COLLECT_EVERY_MS) return;
    this.#collect();
    this.#collectedAt = this.#now();
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Lines for /metrics. */
  lines(): string[] {
    if (this.#bound === 0) return [];
    return [
      '# TYPE process_memory_bound_bytes gauge',
      `process_memory_bound_bytes ${this.#bound}`,
      '# TYPE requests_refused_for_memory_total counter',
      `requests_refused_for_memory_total ${this.#refused}`,
    ];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #shareNow(): number {
    if (this.#bound === 0) return 0;
    if (this.#now() - this.#readAt >= READING_MS) {
      this.#share = this.#taken() / this.#bound;
      this.#readAt = this.#now();
    }
    return this.#share;
  }
}

let gc: (() => void) | undefined;

/** V8 collects when it must, and gives memory back when nothing happens for a while; near the bound neither is soon enough. */
function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  gc();
}
