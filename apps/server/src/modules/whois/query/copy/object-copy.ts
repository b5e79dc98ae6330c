import { type AddressRange, parseRange, parseReverseZone, printAddress } from '@portal/number-resources';
import { type ClassName, classNames, parseObject, publicText } from '@portal/rpsl';
import { referencesOf } from '../../store/object-facts.ts';
import { namedContacts, printNamed } from '../named-contacts.ts';
import type { Contact, Shown } from '../shown-object.ts';
import { READ_BYTES } from '../read-bytes.ts';
import { AddressIndex, type Enclosing } from './address-index.ts';
import { TextStore } from './text-store.ts';

/** Kinds of objects with addresses, each with its own tree. Routers have interfaces with an address. */
export type Tree = 'network' | 'route' | 'domain' | 'router';
/** `nearest`: with exactly this range, else the smallest around it; for routes all with that prefix. */
export type Level = 'nearest' | 'exact' | 'one-less' | 'all-less';
/** An object around a range, and its level above it in the tree: 1 is the nearest. Without its text where `READ_BYTES` are exceeded. */
export type Placed = { objectId: number; class: ClassName; key: string; place: number; read?: Shown };

const treeOf: Partial<Record<ClassName, Exclude<Tree, 'router'>>> = {
  inetnum: 'network',
  inet6num: 'network',
  route: 'route',
  route6: 'route',
  domain: 'domain',
};
/** Further classes in the copy: those that objects with addresses name, and those found by an AS number. */
const named = ['aut-num', 'as-block', 'inet-rtr', 'irt', 'organisation', 'role', 'person'] as const satisfies ClassName[];
/** Classes of objects that a copy takes. */
export const copiedClasses: readonly ClassName[] = [...(Object.keys(treeOf) as ClassName[]), ...named];
const isNamed: ReadonlySet<ClassName> = new Set(named);
/** Approximate size of an object's entries in the indexes, besides its text. */
const ENTRY_BYTES = 120;
const MAX_READ = 50_000;
const MAX_READ_CHARACTERS = 50_000_000;

/** Finds objects by addresses, AS numbers and handles of contacts without the database, and holds their public texts. */
export class ObjectCopy {
  readonly #trees = { network: new AddressIndex(), route: new AddressIndex(), domain: new AddressIndex() };
  /** Slots by class and key, of objects that are not found by addresses. */
  readonly #slots = new Map<ClassName, Map<string, number>>(named.map(name => [name, new Map()]));
  /** Recently requested objects, parsed: a contact belongs to many objects. */
  readonly #read = new Map<number, Shown>();
  #readCharacters = 0;
  readonly #asBlocks = new Map<number, { first: number; last: number }>();
  /** Slots of routers by the addresses of their interfaces. */
  readonly #interfaces = new Map<string, Set<number>>();
  readonly #addressesOfRouter = new Map<number, readonly string[]>();
  /** The key for people, the contacts it names, and the text, line ends between. */
  readonly #texts = new TextStore();
  #classes = new Uint8Array(1024);
  #ids = new Float64Array(1024);
  readonly #free: number[] = [];
  #next = 0;

  /** Number of objects. */
  get size(): number {
    return this.#next - this.#free.length;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.#texts.bytes + this.size * ENTRY_BYTES;
  }

  /** Adds or replaces an object; ignores classes that aren't copied. */
  put({ objectId, class: className, key, shown, text }: Shown): void {
    const range = rangeOfKey(className, key);
    if (range === null && !isNamed.has(className)) return;
    this.#remove(className, key, range);
    const slot = this.#free.pop() ?? this.#next++;
    this.#reserve(slot);
    this.#classes[slot] = classNames.indexOf(className);
    this.#ids[slot] = objectId;
    const shownText = publicText(text);
    this.#texts.put(slot, `${shown}\n${printNamed(namedContacts(shownText))}\n${shownText}`);
    if (range !== null) this.#trees[treeOf[className]!].add(range, slot);
    else this.#slots.get(className)!.set(key, slot);
    if (className === 'as-block') this.#asBlocks.set(slot, asRangeOf(key));
    if (className === 'inet-rtr') this.#addInterfaces(slot, text);
  }

  remove(className: ClassName, key: string): void {
    this.#remove(className, key, rangeOfKey(className, key));
  }

  #remove(className: ClassName, key: string, range: AddressRange | null): void {
    const slot = range === null ? this.#slots.get(className)?.get(key) : this.#slotAt(className, key, range);
    if (slot === undefined) return;
    if (range !== null) this.#trees[treeOf[className]!].remove(range, slot);
    else this.#slots.get(className)!.delete(key);
    this.#read.delete(slot);
    this.#asBlocks.delete(slot);
    for (const address of this.#addressesOfRouter.get(slot) ?? []) {
      const slots = this.#interfaces.get(address)!;
      slots.delete(slot);
      if (slots.size === 0) this.#interfaces.delete(address);
    }
    this.#addressesOfRouter.delete(slot);
    this.#texts.remove(slot);
    this.#free.push(slot);
  }

  /** The object with this class and key, among those not found by addresses; its name alone where it has more bytes than `most`. */
  named(className: ClassName, key: string): Shown | null;
  named(className: ClassName, key: string, most: number): Contact | null;
  named(className: ClassName, key: string, most = Number.POSITIVE_INFINITY): Contact | null {
    const slot = this.#slots.get(className)?.get(key);
    if (slot === undefined) return null;
    if (most !== Number.POSITIVE_INFINITY && this.#texts.sizeOf(slot) > most) return { tooLong: this.#texts.firstLine(slot) };
    let object = this.#read.get(slot);
    if (object === undefined) {
      object = this.#shown(slot);
      // Cleared in one go: deleting the first entry of a map repeatedly makes each search for the next one longer.
      if (this.#read.size >= MAX_READ || this.#readCharacters > MAX_READ_CHARACTERS) {
        this.#read.clear();
        this.#readCharacters = 0;
      }
      this.#read.set(slot, object);
      this.#readCharacters += object.text.length;
    }
    return object;
  }

  /** Objects of a tree at or around a range. */
  around(tree: Tree, range: AddressRange, level: Level): Placed[] {
    if (tree === 'router') {
      const address = printAddress({ family: range.family, value: range.first });
      return this.#placed([...(this.#interfaces.get(address) ?? [])].map(slot => ({ slot, place: 1 })));
    }
    if (level === 'exact') return this.#placed(this.#trees[tree].at(range).map(slot => ({ slot, place: 1 })));
    let found = level === 'nearest' ? this.#trees[tree].nearest(range) : this.#trees[tree].around(range);
    if (level === 'one-less') {
      const exact = new Set(this.#trees[tree].at(range));
      found = found.filter(({ id }) => !exact.has(id));
    }
    if (found.length > 1) found.sort(smallestFirst);
    const slots: { slot: number; place: number }[] = [];
    let place = 0;
    for (const [index, each] of found.entries()) {
      const before = found[index - 1];
      if (!before || before.first !== each.first || before.last !== each.last) place++;
      if (place > 1 && level !== 'all-less') break;
      slots.push({ slot: each.id, place });
    }
    return this.#placed(slots);
  }

  /** Reads objects until `READ_BYTES` are reached, and of the others their names. */
  #placed(slots: readonly { slot: number; place: number }[]): Placed[] {
    let bytes = 0;
    return slots.map(({ slot, place }) => {
      const own = this.#texts.sizeOf(slot);
      bytes += own;
      if (bytes - own < READ_BYTES) {
        const read = this.#shown(slot);
        return { objectId: read.objectId, class: read.class, key: read.key, place, read };
      }
      return { objectId: this.#ids[slot]!, class: this.#classOf(slot), key: this.#texts.firstLine(slot).toLowerCase(), place };
    });
  }

  /** Returns the as-blocks that contain all these AS numbers, largest first. */
  asBlocks({ first, last }: { first: number; last: number }): Shown[] {
    const found = [...this.#asBlocks].filter(([, block]) => block.first <= first && block.last >= last);
    found.sort(([, a], [, b]) => a.first - b.first || b.last - a.last);
    return found.map(([slot]) => this.#shown(slot));
  }

  #shown(slot: number): Shown {
    const whole = this.#texts.get(slot);
    const end = whole.indexOf('\n');
    const begin = whole.indexOf('\n', end + 1) + 1;
    const shown = whole.slice(0, end);
    return {
      objectId: this.#ids[slot]!,
      class: this.#classOf(slot),
      key: shown.toLowerCase(),
      shown,
      text: whole.slice(begin),
      isPublic: true,
      named: whole.slice(end + 1, begin - 1),
    };
  }

  #classOf(slot: number): ClassName {
    return classNames[this.#classes[slot]!]!;
  }

  #slotAt(className: ClassName, key: string, range: AddressRange): number | undefined {
    const place = classNames.indexOf(className);
    return this.#trees[treeOf[className]!]
      .at(range)
      .find(slot => this.#classes[slot] === place && this.#texts.firstLine(slot).toLowerCase() === key);
  }

  #addInterfaces(slot: number, text: string): void {
    const { object } = parseObject(text);
    if (!object) return;
    const addresses = referencesOf(object).flatMap(({ attribute, value }) => (attribute === 'ifaddr' ? [value] : []));
    this.#addressesOfRouter.set(slot, addresses);
    for (const address of addresses) this.#interfaces.set(address, (this.#interfaces.get(address) ?? new Set()).add(slot));
  }

  #reserve(slot: number): void {
    if (slot < this.#ids.length) return;
    const size = Math.ceil(this.#ids.length * 1.5);
    const classes = new Uint8Array(size);
    classes.set(this.#classes);
    this.#classes = classes;
    const ids = new Float64Array(size);
    ids.set(this.#ids);
    this.#ids = ids;
  }
}

const smallestFirst = (a: Enclosing, b: Enclosing): number =>
  a.first > b.first ? -1 : a.first < b.first ? 1 : a.last < b.last ? -1 : a.last > b.last ? 1 : 0;

function asRangeOf(key: string): { first: number; last: number } {
  const [first = 0, last = first] = (key.match(/\d+/g) ?? []).map(Number);
  return { first, last };
}

/** Returns the addresses of an object by its normalised key; null if it has none. */
function rangeOfKey(className: ClassName, key: string): AddressRange | null {
  const tree = treeOf[className];
  if (tree === undefined) return null;
  if (tree === 'network') return parseRange(key);
  if (tree === 'route') return parseRange(key.replace(/as\d+$/, ''));
  try {
    return parseReverseZone(key);
  } catch {
    // Zones of telephone numbers are domains too.
    return null;
  }
}
