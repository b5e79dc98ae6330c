import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { type Failure, refuse } from './failure.ts';
import type { Log } from './log.ts';

/** Shares of the bound from which a process refuses what takes much memory, and everything. */
const TIGHT = 0.85;
const FULL = 0.95;
/**
 * Megabytes that are left for what is under way: the heap of the thread that reads large bodies (`held-input.ts`), and what arrives of bodies that are refused, for who sends one
 * reads the answer only when all of it is sent.
 */
const UNDER_WAY = 192 + 128;
/** Bytes that a body takes until it is read, as a multiple of its length: its parts as they arrived, the whole of them, and its text. */
const COPIES = 3;
/** For how long, in ms, a reading counts: it takes 10 microseconds, and requests come closer together. */
const READING_MS = 50;
/** How often a process looks on its own, and how often it collects garbage at most, near the bound and above it: a collection may hold up everything for 100 ms. */
const LOOK_MS = 250;
const COLLECT_EVERY_MS = { tight: 5 * SECOND_MS, full: SECOND_MS };
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
  /** As a share of the bound. */
  readonly #tight: number;
  readonly #log: Options['log'];
  readonly #taken: () => number;
  readonly #collect: () => void;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout | undefined;
  #share = 0;
  #announced = 0;
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
    this.#tight = Math.min(TIGHT, 1 - UNDER_WAY / megabytes);
    this.#log = log;
    this.#taken = taken;
    this.#collect = collect;
    this.#now = now;
    if (megabytes > 0) this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Whether so little of the bound is left that nothing more that takes much may begin: 15 % of it, or 320 MB if that is more. */
  get isTight(): boolean {
    return this.#bound > 0 && this.#shareNow() >= this.#tight;
  }

  /** Whether less than 5 % of it is left. */
  get isFull(): boolean {
    return this.#shareNow() - this.#announced / this.#bound >= FULL;
  }

  /** The refusal of a request for which there is no room, or null. @param takesMuch whether it brings a large body, makes a file or takes long */
  refusalOf(takesMuch: boolean): Failure | null {
    if (this.#bound === 0 || (takesMuch ? !this.isTight : !this.isFull)) return null;
    this.#refused++;
    return refuse('MEMORY_SHORT');
  }

  /**
   * Notes a body that is about to arrive: of many requests that come within a moment each would find room, and none of them would be in memory yet.
   * @param bytes that it announces @returns a function for its end
   */
  announce(bytes: number): () => void {
    this.#announced += COPIES * bytes;
    let isOver = false;
    return () => {
      if (!isOver) this.#announced -= COPIES * bytes;
      isOver = true;
    };
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

  /** Returns a handler of work in the background that begins only when there is room. */
  withRoom<Given extends unknown[]>(handler: (...given: Given) => Promise<void>): (...given: Given) => Promise<void> {
    return async (...given) => {
      await this.untilRoom();
      await handler(...given);
    };
  }

  /** Collects garbage where memory is short, and says once that it is. */
  look(): void {
    if (!this.isTight) {
      if (this.#share < this.#tight - 0.1) this.#isSaid = false;
      return;
    }
    if (!this.#isSaid)
      this.#log.warn('memory is short: uploads, exports and long calls are refused for now', {
        megabytes: Math.round(this.#taken() / 1024 / 1024),
      });
    this.#isSaid = true;
    if (this.#now() - this.#collectedAt < (this.isFull ? COLLECT_EVERY_MS.full : COLLECT_EVERY_MS.tight)) return;
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
    return this.#share + this.#announced / this.#bound;
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
