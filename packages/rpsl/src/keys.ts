import { type AddressRange, type AsRange, parseAsRange, parsePrefix, parseRange, parseReverseZone } from '@portal/number-resources';
import { type AttributeName, type AttributeRule, attributeRule } from './attributes.ts';
import { classes, isClassName } from './classes.ts';
import type { ClassName } from './class-name.ts';
import { listValues, type RpslObject, valueOf } from './object.ts';
import { readIpv4Prefix, readIpv4Range, readIpv6Prefix } from './syntax/addresses.ts';
import { readAsBlock, readAsNumber } from './syntax/as-numbers.ts';
import { readEmail } from './syntax/contact-details.ts';
import { readDomain, readDomainName, readDsData } from './syntax/domains.ts';
import { isWrong, type Syntax } from './syntax/reading.ts';

/** Identity of an object. */
export interface ObjectKey {
  readonly class: ClassName;
  /** Normalised and in lower case: equal keys of a class are the same object. */
  readonly key: string;
  /** Normalised, in the spelling of the object's author. */
  readonly shown: string;
}

/** An object's wish that another one exists. */
export interface ObjectReference {
  /** Index in the object's attributes. */
  readonly index: number;
  readonly attribute: AttributeName;
  /** One of these classes must have the key. */
  readonly classes: readonly ClassName[];
  /** Normalised as in ObjectKey; `auto-1` for an object of the same message. */
  readonly key: string;
  /** The original spelling. */
  readonly value: string;
}

/** A value by which `-i` finds an object. */
export interface InverseValue {
  readonly attribute: AttributeName;
  /** Normalised, in lower case. */
  readonly value: string;
}

/** The key attributes whose spelling varies, and how each is normalised. Names keep their spelling; only case is ignored. */
const keySyntaxes: Readonly<Partial<Record<string, Syntax>>> = {
  inetnum: readIpv4Range,
  inet6num: readIpv6Prefix,
  route: readIpv4Prefix,
  route6: readIpv6Prefix,
  origin: readAsNumber,
  'aut-num': readAsNumber,
  'local-as': readAsNumber,
  'as-block': readAsBlock,
  domain: readDomain,
  'inet-rtr': readDomainName,
};

/** Set names hold AS numbers, whose case people vary. */
const setClasses: ReadonlySet<string> = new Set<ClassName>(['as-set', 'route-set', 'filter-set', 'peering-set', 'rtr-set']);

/** The key of an object; null when its class is unknown, or a part of the key is missing or cannot be read. */
export function primaryKey(object: RpslObject): ObjectKey | null {
  if (!isClassName(object.class)) return null;
  let shown = '';
  for (const row of classes[object.class].template) {
    if (!row.key.includes('primary')) continue;
    const value = valueOf(object, row.attribute);
    if (value === undefined || value === '') return null;
    const part = normaliseKeyPart(row.attribute, value);
    if (part === null) return null;
    shown += part;
  }
  return { class: object.class, key: shown.toLowerCase(), shown };
}

/**
 * The key a person means for an object of this class, normalised as `primaryKey` does: `192.0.2.0/24` for an inetnum, `192.0.2.0/24AS64500` for a
 * route. Null when it can be no such key.
 */
export function readKey(className: ClassName, text: string): ObjectKey | null {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  if (trimmed === '') return null;
  if (className === 'route' || className === 'route6') {
    const origin = trimmed.search(/as\d+$/i);
    if (origin < 1) return null;
    return primaryKey(keyObject(className, [className, trimmed.slice(0, origin).trim()], ['origin', trimmed.slice(origin)]));
  }
  const keyAttribute = className === 'person' || className === 'role' ? 'nic-hdl' : className;
  return primaryKey(keyObject(className, [keyAttribute, trimmed]));
}

/**
 * Returns the texts by which a plain query finds the object besides its primary key, in lower case: netname, e-mail addresses, each word of a person's, role's or
 * organisation's name. Each once.
 */
export function lookupKeys(object: RpslObject): string[] {
  if (!isClassName(object.class)) return [];
  const found = new Set<string>();
  const lookup = new Set<string>();
  for (const row of classes[object.class].template)
    if (row.key.includes('lookup') && !row.key.includes('primary')) lookup.add(row.attribute);
  for (const { name, value } of object.attributes) {
    if (!lookup.has(name) || value === '') continue;
    const type = attributeRule(name)?.type;
    if (type === 'person-name' || type === 'org-name') for (const word of value.toLowerCase().split(/\s+/)) found.add(word);
    else found.add(type === 'email' ? normaliseEmail(value) : value.toLowerCase());
  }
  return [...found];
}

/** Attributes of each class that refer to other objects, with their rules: looked up for each line of an object that may have thousands. */
const referring: ReadonlyMap<string, ReadonlyMap<string, AttributeRule>> = new Map(
  Object.entries(classes).map(([objectClass, { template }]) => [
    objectClass,
    new Map(
      template.flatMap(({ attribute }): [string, AttributeRule][] => {
        const rule = attributeRule(attribute);
        return rule !== undefined && rule.refersTo.length > 0 && attribute !== objectClass ? [[attribute, rule]] : [];
      }),
    ),
  ]),
);

/** All objects this one needs, in the order of its lines. Members and policies are no references (they may name what does not exist). */
export function references(object: RpslObject): ObjectReference[] {
  const found: ObjectReference[] = [];
  const rules = referring.get(object.class);
  if (rules === undefined || !isClassName(object.class)) return found;
  for (const [index, { name, value }] of object.attributes.entries()) {
    const rule = rules.get(name);
    if (rule === undefined) continue;
    for (const item of rule.list ? listValues(value) : [value]) {
      const key = referenceKey(name, item);
      if (key !== null)
        found.push({ index, attribute: name as AttributeName, classes: referredClasses(object.class, name), key, value: item });
    }
  }
  return found;
}

/** Values of the inverse attributes, each once for an attribute. Hashes never are among them. */
export function inverseValues(object: RpslObject): InverseValue[] {
  if (!isClassName(object.class)) return [];
  const inverse = new Set<string>(classes[object.class].template.flatMap(row => (row.key.includes('inverse') ? [row.attribute] : [])));
  const found = new Map<string, InverseValue>();
  for (const { name, value } of object.attributes) {
    const rule = inverse.has(name) ? attributeRule(name) : undefined;
    if (rule === undefined) continue;
    for (const item of rule.list ? listValues(value) : [value]) {
      const normalised = normaliseInverse(name, item);
      if (normalised !== null) found.set(`${name} ${normalised}`, { attribute: name as AttributeName, value: normalised });
    }
  }
  return [...found.values()];
}

/** Parses the value of `-i attribute` into the form of `inverseValues`; null if the attribute can't have it. */
export function readInverseValue(attribute: AttributeName, text: string): string | null {
  return normaliseInverse(attribute, text.trim());
}

/**
 * The number resources an object is about: addresses of inetnum, inet6num, route, route6 and reverse domains, AS numbers of aut-num and as-block.
 * Null for every other object, and while the key cannot be read.
 */
export function rangeOf(object: RpslObject): AddressRange | AsRange | null {
  const key = primaryKey(object);
  return key === null ? null : rangeOfKey(key.class, key.shown);
}

/** The same from a class and a normalised key. */
export function rangeOfKey(className: ClassName, key: string): AddressRange | AsRange | null {
  switch (className) {
    case 'inetnum':
      return parseRange(key);
    case 'inet6num':
      return plainRange(parsePrefix(key));
    case 'route':
    case 'route6':
      return plainRange(parsePrefix(key.slice(0, key.search(/as\d+$/i))));
    case 'aut-num':
    case 'as-block':
      return parseAsRange(key);
    case 'domain':
      return rangeOfDomain(key);
    default:
      return null;
  }
}

function plainRange({ family, first, last }: AddressRange): AddressRange {
  return { family, first, last };
}

function rangeOfDomain(name: string): AddressRange | null {
  if (name.endsWith('e164.arpa')) return null;
  const ends = /^(\d+)-(\d+)\.(.+)$/.exec(name);
  if (ends?.[3] === undefined) return plainRange(parseReverseZone(name));
  const parent = parseReverseZone(ends[3]);
  return { family: parent.family, first: parent.first + BigInt(ends[1] ?? 0), last: parent.first + BigInt(ends[2] ?? 0) };
}

function keyObject(className: ClassName, ...lines: [string, string][]): RpslObject {
  return {
    class: className,
    attributes: lines.map(([name, value]) => ({ name, written: name, value, raw: value, comment: null, line: 0 })),
  };
}

function normaliseKeyPart(attribute: string, value: string): string | null {
  const syntax = keySyntaxes[attribute];
  if (syntax !== undefined) {
    const reading = syntax(value, keyObject('inetnum'));
    return isWrong(reading) ? null : reading.canonical;
  }
  if (/\s/.test(value)) return null;
  return setClasses.has(attribute) ? value.replace(/(^|:)as(?=\d+(:|$))/gi, '$1AS') : value;
}

function normaliseEmail(value: string): string {
  const reading = readEmail(value, keyObject('person'));
  return (isWrong(reading) ? value : reading.canonical).toLowerCase();
}

function referenceKey(attribute: string, value: string): string | null {
  if (value === '') return null;
  if (attribute === 'mbrs-by-ref' && /^any$/i.test(value)) return null;
  if (attribute === 'auth' && !/^(pgpkey|x509)-/i.test(value)) return null;
  const name = attribute === 'mnt-routes' ? value.replace(/[\s{].*$/s, '') : value;
  return normaliseKeyPart(attribute, name)?.toLowerCase() ?? name.toLowerCase();
}

/** The class of the object decides which kind of set member-of names. */
function referredClasses(className: ClassName, attribute: string): readonly ClassName[] {
  if (attribute === 'member-of') return [className === 'aut-num' ? 'as-set' : className === 'inet-rtr' ? 'rtr-set' : 'route-set'];
  return attributeRule(attribute)?.refersTo ?? [];
}

function normaliseInverse(attribute: string, value: string): string | null {
  if (value === '') return null;
  if (attribute === 'auth' && !/^(pgpkey|x509)-/i.test(value)) return null;
  switch (attributeRule(attribute)?.type) {
    case 'email':
      return normaliseEmail(value);
    case 'nserver': {
      const host = value.replace(/\s.*$/s, '').toLowerCase();
      return host.endsWith('.') ? host.slice(0, -1) : host;
    }
    case 'ds-rdata': {
      const reading = readDsData(value, keyObject('domain'));
      return (isWrong(reading) ? value : reading.canonical).toLowerCase();
    }
    case 'ifaddr':
      return value.replace(/\s.*$/s, '').toLowerCase();
    case 'mnt-routes':
      return value.replace(/[\s{].*$/s, '').toLowerCase();
    case 'generated':
      return value.replace(/\s+/g, '').toLowerCase();
    default:
      return (normaliseKeyPart(attribute, value) ?? value).toLowerCase();
  }
}
