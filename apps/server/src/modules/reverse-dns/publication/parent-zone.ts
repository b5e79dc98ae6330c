import { createHash } from 'node:crypto';

/** A delegation in its parent zone, as text. `order` sorts it among its neighbours, `group` names the zone around it. */
export type Entry = {
  zone: string;
  parent: string;
  version: number;
  group: string;
  order: string;
  text: string;
  leftOut: readonly string[];
};

/** Neighbours below one zone, such as the /24s of a /16. Their text is cached until one of them changes. */
type Group = { name: string; entries: Entry[]; written: { bytes: Buffer; digest: Buffer } | null };

/**
 * The delegations of a parent zone in order. A change of one among 65,536 prints and hashes only the 256 of its group again; the file is then
 * assembled from cached bytes.
 */
export class ParentZone {
  #groups: Group[] = [];
  #size = 0;

  /** Number of delegations. */
  get size(): number {
    return this.#size;
  }

  /** Adds a delegation, or replaces the one of the same zone. */
  put(entry: Entry): void {
    const at = placeOf(this.#groups, ({ name }) => name < entry.group);
    let group = this.#groups[at];
    if (group?.name !== entry.group) this.#groups.splice(at, 0, (group = { name: entry.group, entries: [], written: null }));
    const place = placeOf(group.entries, ({ order }) => order < entry.order);
    const isThere = group.entries[place]?.zone === entry.zone;
    group.entries.splice(place, isThere ? 1 : 0, entry);
    group.written = null;
    if (!isThere) this.#size++;
  }

  /** Removes a delegation, if it exists. */
  remove({ zone, group: name, order }: Pick<Entry, 'zone' | 'group' | 'order'>): void {
    const at = placeOf(this.#groups, each => each.name < name);
    const group = this.#groups[at];
    if (group?.name !== name) return;
    const place = placeOf(group.entries, each => each.order < order);
    if (group.entries[place]?.zone !== zone) return;
    group.entries.splice(place, 1);
    group.written = null;
    this.#size--;
    if (group.entries.length === 0) this.#groups.splice(at, 1);
  }

  /** Every delegation in order. */
  entries(): Entry[] {
    return this.#groups.flatMap(({ entries }) => entries);
  }

  /** The delegations as written to a file, with a hash for comparison. */
  write(): { parts: Buffer[]; digest: Buffer } {
    const hash = createHash('sha256');
    const parts = this.#groups.map(group => {
      const { bytes, digest } = (group.written ??= printGroup(group));
      hash.update(digest);
      return bytes;
    });
    return { parts, digest: hash.digest() };
  }
}

function printGroup({ entries }: Group): { bytes: Buffer; digest: Buffer } {
  const bytes = Buffer.from(entries.map(({ text }) => text).join(''));
  return { bytes, digest: createHash('sha256').update(bytes).digest() };
}

/** Index of the first element that does not come before. */
function placeOf<Element>(list: readonly Element[], comesBefore: (each: Element) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
