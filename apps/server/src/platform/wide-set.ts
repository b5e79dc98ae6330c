/** Texts up to which one set has them all, and the sets that share more of them. */
const FEW = 1_000;
const SHARES = 64;

/**
 * A set of many texts that grows without a long turn of the event loop: a set that grows moves everything it has at once, a hundred thousand texts in a turn of several
 * ms. More than a few are shared by many sets; they come out in no order that means anything.
 */
export class WideSet {
  #shares: readonly Set<string>[] = [new Set()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(text: string): boolean {
    return this.#shareOf(text).has(text);
  }

  /** Adds a text; returns whether it wasn't there before. */
  add(text: string): boolean {
    const share = this.#shareOf(text);
    const before = share.size;
    if (share.add(text).size === before) return false;
    if (++this.#size === FEW) this.#divide();
    return true;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const share of this.#shares) yield* share;
  }

  #divide(): void {
    const [all] = this.#shares;
    this.#shares = Array.from({ length: SHARES }, () => new Set());
    for (const text of all!) this.#shareOf(text).add(text);
  }

  /** By the last characters: numbers and names that follow each other differ in these. */
  #shareOf(text: string): Set<string> {
    if (this.#shares.length === 1) return this.#shares[0]!;
    const last = text.length - 1;
    return this.#shares[((text.charCodeAt(last) || 0) + 10 * (text.charCodeAt(last - 1) || 0)) % SHARES]!;
  }
}
