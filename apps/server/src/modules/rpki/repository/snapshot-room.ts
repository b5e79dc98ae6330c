import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';

/** Snapshots that no notification names any more are kept this long, for clients that just read an older one. */
const KEPT_MS = 10 * MINUTE_MS;
/** A notification is cached for a minute: a snapshot that it names is there for as long. */
const LEAST_KEPT_MS = MINUTE_MS;
/** Room for them, beyond which those go that are older than that: sizes of the present snapshot, and in any case so many bytes. */
const KEPT_SIZES = 3;
const KEPT_BYTES = 200_000_000;
/** Bytes of snapshots a second that are written because of members' own authorities alone. */
const BYTES_A_SECOND = 10_000_000;

type Kept = { file: string; bytes: number; ageMs: number };

/** Returns the snapshots that are deleted, of those that no notification names: old ones, and those for which there is no room. @param present bytes of the present snapshot */
export function expiredSnapshots(unnamed: readonly Kept[], present: number): string[] {
  const room = Math.max(KEPT_BYTES, KEPT_SIZES * present);
  let bytes = 0;
  return unnamed
    .toSorted((a, b) => a.ageMs - b.ageMs)
    .filter(({ ageMs, bytes: own }) => {
      bytes += own;
      return ageMs > KEPT_MS || (ageMs > LEAST_KEPT_MS && bytes > room);
    })
    .map(({ file }) => file);
}

/**
 * Each publication writes the whole snapshot, and members' own authorities may send one message after another. What is due only to them waits until the snapshot of before
 * has had its share of time, so that neither the disk nor the publisher is theirs. What hosted members change doesn't wait, and takes theirs along.
 */
export class SnapshotPace {
  #from = Number.NEGATIVE_INFINITY;

  /** Notes a publication. @param bytes of its snapshot @param now in ms, of a clock that only goes on */
  wrote(bytes: number, now: number): void {
    this.#from = now + (bytes / BYTES_A_SECOND) * SECOND_MS;
  }

  /** Milliseconds for which what is due only to members' own authorities still waits. */
  wait(now: number): number {
    return Math.max(0, this.#from - now);
  }
}
