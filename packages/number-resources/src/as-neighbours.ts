/**
 * An AS and the one to which it hands its announcements on, on their way to a collector: the pair in which the second stands left of the first in AS paths. `announcements`
 * have both in that order; `peers` is the most peers of the collector that saw one of them so.
 */
export type AsNeighbour = { asn: number; neighbour: number; announcements: number; peers: number };

/** AS numbers are small integers here, so that two of them make a key: the internet has a hundred thousand. */
const MAX_ASNS = 1 << 26;

/** A path of the announcement of one prefix; null stands for a set, beside which no one knows the order. */
export type SeenPath = { peer: number; path: readonly (number | null)[] };

/** Counts neighbours over the paths of a table. Memory grows with the pairs, of which the whole internet has less than a million, and not with paths. */
export class AsNeighbours {
  readonly #asns: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #pairs = new Map<number, { announcements: number; peers: number }>();

  #placeOf(asn: number): number {
    const known = this.#places.get(asn);
    if (known !== undefined) return known;
    const place = this.#asns.push(asn) - 1;
    this.#places.set(asn, place);
    return place;
  }

  /** Counts the paths of one prefix. An AS that repeats itself to make a path longer is one. */
  note(paths: readonly SeenPath[]): void {
    const inOrder = paths.every(({ peer }, index) => index === 0 || paths[index - 1]!.peer <= peer)
      ? paths
      : paths.toSorted((a, b) => a.peer - b.peer);
    // Peers of each pair, and the last one, which is not counted again. A table has many millions of paths: sets of peers would take most of the time.
    const places = new Map<number, number>();
    const peers: number[] = [];
    const last: number[] = [];
    for (const { peer, path } of inOrder) {
      let neighbour: number | null = null;
      for (const asn of path) {
        const left: number | null = neighbour;
        neighbour = asn === null ? null : this.#placeOf(asn);
        if (left === null || neighbour === null || left === neighbour) continue;
        const pair = neighbour * MAX_ASNS + left;
        const place = places.get(pair);
        if (place === undefined) {
          places.set(pair, peers.push(1) - 1);
          last.push(peer);
        } else if (last[place] !== peer) {
          peers[place]!++;
          last[place] = peer;
        }
      }
    }
    for (const [pair, place] of places) {
      const counted = this.#pairs.get(pair);
      if (!counted) this.#pairs.set(pair, { announcements: 1, peers: peers[place]! });
      else {
        counted.announcements++;
        if (peers[place]! > counted.peers) counted.peers = peers[place]!;
      }
    }
  }

  /** Returns the neighbours of every AS, of each those that most peers saw. @param most of one AS */
  list(most: number): AsNeighbour[] {
    const all = [...this.#pairs]
      .map(([pair, counted]) => ({ asn: this.#asns[Math.floor(pair / MAX_ASNS)]!, neighbour: this.#asns[pair % MAX_ASNS]!, ...counted }))
      .sort((a, b) => a.asn - b.asn || b.peers - a.peers || b.announcements - a.announcements || a.neighbour - b.neighbour);
    let [last, kept] = [-1, 0];
    return all.filter(({ asn }) => {
      kept = asn === last ? kept + 1 : 1;
      last = asn;
      return kept <= most;
    });
  }
}
