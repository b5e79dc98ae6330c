import { type AddressRange, type NumberResource, parseAddress, parseAsNumber, prefixOfRange, printAddress } from '@portal/number-resources';
import {
  eachListValue,
  inverseValues,
  listValues,
  lookupKeys,
  parseObject,
  parseObjectInTurns,
  type RpslObject,
  rangeOf,
  references,
  valueOf,
  valuesOf,
} from '@portal/rpsl';
import { type Breathe, inTurns } from '../../../platform/breathing.ts';
import { WideSet } from '../../../platform/wide-set.ts';
import { setClasses } from './set-names.ts';
import type { StoredObject } from './update.ts';

const parsed = new WeakMap<object, RpslObject>();
const ranges = new WeakMap<object, AddressRange | null>();

/** The parsed object of a row, cached. */
export function objectOfRow(row: Pick<StoredObject, 'class' | 'text'>): RpslObject {
  let object = parsed.get(row);
  if (!object) {
    object = parseObject(row.text).object ?? { class: row.class, attributes: [] };
    parsed.set(row, object);
  }
  return object;
}

/** The same, cached alike, while others have their turn: an object may have ten thousand lines. */
export async function objectOfRowInTurns(row: Pick<StoredObject, 'class' | 'text'>, breathe: Breathe): Promise<RpslObject> {
  if (!parsed.has(row)) {
    const { object } = await inTurns(parseObjectInTurns(row.text), breathe);
    parsed.set(row, object ?? { class: row.class, attributes: [] });
  }
  return objectOfRow(row);
}

/** The addresses of a row, or null. */
export function addressesOfRow(row: StoredObject): AddressRange | null {
  let range = ranges.get(row);
  if (range === undefined) {
    range = null;
    if (row.first !== null && row.last !== null) {
      const { family, value } = parseAddress(row.first);
      range = { family, first: value, last: parseAddress(row.last).value };
    }
    ranges.set(row, range);
  }
  return range;
}

/** Returns the addresses of a network, a route or a reverse domain; null for every other object. */
export function addressesOf(object: RpslObject): AddressRange | null {
  let range = ranges.get(object);
  if (range === undefined) {
    const found = rangeOf(object);
    range = found === null || found.family === 'asn' ? null : found;
    ranges.set(object, range);
  }
  return range;
}

/** Returns the numbers of an object: addresses, AS numbers, or the AS number at the beginning of a set's name; null for every other object. */
export function numbersOf(object: RpslObject): NumberResource | null {
  const addresses = addressesOf(object);
  if (addresses !== null) return addresses;
  const found = rangeOf(object);
  if (found?.family === 'asn') return { family: 'asn', first: found.first, last: found.last };
  const [root, ...below] = setClasses.includes(object.class) ? (object.attributes[0]?.value ?? '').split(':') : [];
  const number = root === undefined || below.length === 0 ? null : asNumberOf(root);
  return number === null ? null : { family: 'asn', first: number, last: number };
}

/** The columns of whois_object that are read from the text. */
export function columnsOfObject(object: RpslObject) {
  const range = addressesOf(object);
  const asRange = range === null ? rangeOf(object) : null;
  const origin = object.class === 'route' || object.class === 'route6' ? valueOf(object, 'origin') : undefined;
  return {
    first: range && printAddress({ family: range.family, value: range.first }),
    last: range && printAddress({ family: range.family, value: range.last }),
    prefixLength: (range && prefixOfRange(range)?.length) ?? null,
    firstAs: asRange?.family === 'asn' ? asRange.first : null,
    lastAs: asRange?.family === 'asn' ? asRange.last : null,
    origin: origin === undefined ? null : asNumberOf(origin),
  };
}

/** The number in an AS number as objects write it; null if it isn't one. */
export function asNumberOf(text: string): number | null {
  try {
    return parseAsNumber(text);
  } catch {
    return null;
  }
}

/** Rows of whois_key: what finds the object besides its primary key. */
export const keysOf = (object: RpslObject, key: string): string[] =>
  [...new Set(lookupKeys(object).map(each => each.toLowerCase()))].filter(each => each !== key);

/** Rows of whois_reference: values of inverse attributes, whatever refers to another object, and the members of sets, one by one: of these there may be tens of thousands. */
export function* eachReference(object: RpslObject): Generator<{ attribute: string; value: string }> {
  const seen = new Map<string, WideSet>();
  const isNew = (attribute: string, value: string): boolean => {
    let values = seen.get(attribute);
    if (!values) seen.set(attribute, (values = new WideSet()));
    return values.add(value);
  };
  // An index takes values up to a third of a page; no reference is that long.
  const kept = (value: string): string => value.toLowerCase().slice(0, 500);
  for (const { attribute, value: given } of inverseValues(object)) {
    const value = kept(given);
    if (isNew(attribute, value)) yield { attribute, value };
  }
  for (const { attribute, key } of references(object)) {
    const value = kept(key);
    if (isNew(attribute, value)) yield { attribute, value };
  }
  for (const attribute of ['members', 'mp-members'])
    for (const line of valuesOf(object, attribute))
      for (const item of eachListValue(line)) {
        const value = kept(item);
        if (isNew(attribute, value)) yield { attribute, value };
      }
}

/** The same, all together. */
export const referencesOf = (object: RpslObject): { attribute: string; value: string }[] => [...eachReference(object)];

/** Values of an attribute that may be a list, as written. */
export const listOf = (object: RpslObject, attribute: string): string[] => valuesOf(object, attribute).flatMap(listValues);

/** Keys of the maintainers an attribute names, each once; of `mnt-routes` without their prefixes. */
export const maintainersIn = (object: RpslObject, attribute: string): string[] => [
  ...new Set(
    (attribute === 'mnt-routes' ? valuesOf(object, attribute).map(value => value.split(/[\s{]/)[0]!) : listOf(object, attribute)).map(
      lower,
    ),
  ),
];

const lower = (text: string): string => text.toLowerCase();
