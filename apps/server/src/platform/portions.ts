/** Maximum of what the event loop takes over from a thread in less than a millisecond: 1,000 values, or 50,000 characters. */
export const MAX_WEIGHT = 1_000;
const CHARACTERS_A_VALUE = 50;

/** Weight of a value: each value in it as one, and its characters. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_A_VALUE;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const each of Object.values(value)) weight += weightOf(each);
  return weight;
}

/** Yields a list in portions, each of which the event loop takes over from a thread in a turn of its own. An item that is heavier is a portion of its own. */
export const portions = <Item>(items: Iterable<Item>): Generator<Item[], void> => weighed(items, weightOf);

/** Yields a list in portions that are handed on as JSON, as to the database: that many characters weigh less than the values in them. */
export const portionsOfJson = <Item>(items: Iterable<Item>): Generator<Item[], void> =>
  weighed(items, item => JSON.stringify(item).length / CHARACTERS_A_VALUE);

function* weighed<Item>(items: Iterable<Item>, weigh: (item: Item) => number): Generator<Item[], void> {
  let portion: Item[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weigh(item);
    if (weight + more > MAX_WEIGHT && portion.length > 0) {
      yield portion;
      portion = [];
      weight = 0;
    }
    portion.push(item);
    weight += more;
  }
  if (portion.length > 0) yield portion;
}
