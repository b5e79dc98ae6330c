import {
  isClassName,
  attributeOf,
  attributeRule,
  type ClassName,
  eachListValue,
  formatObject,
  inverseValues,
  parseObjectInTurns,
  primaryKey,
  publicationOf,
  type RpslAttribute,
  type RpslObject,
  valueOf,
  valuesOf,
  type ValueType,
} from '@portal/rpsl';
import { type Breathe, inTurns } from '../../platform/breathing.ts';
import { WideSet } from '../../platform/wide-set.ts';
import { SourceProblem } from './source-problem.ts';

/** Classes that are kept of other registries: what routers are configured by. Networks, organisations and people are theirs to tell. */
const foreignClasses = [
  'aut-num',
  'as-set',
  'route',
  'route6',
  'route-set',
  'inet-rtr',
  'filter-set',
  'peering-set',
  'rtr-set',
  'mntner',
] as const satisfies readonly ClassName[];
const kept: ReadonlySet<string> = new Set(foreignClasses);

/** Characters of the longest object. */
export const LONGEST_OBJECT = 1_000_000;

/** An object as it is stored: what is kept of its text, and the columns that queries need. */
export type KeptObject = {
  class: ClassName;
  key: string;
  shown: string;
  text: string;
  prefix: string | null;
  origin: number | null;
  members: readonly string[];
  inverse: readonly string[];
};

const personal: ReadonlySet<ValueType> = new Set<ValueType>(['email', 'phone', 'postal-address', 'person-name']);

/** Whether an attribute is kept: it is published to everyone, about no person, and no free text but the description. */
function isKept(name: string): boolean {
  const rule = attributeRule(name);
  if (rule === undefined || name === 'remarks' || publicationOf(name) !== 'copied' || personal.has(rule.type)) return false;
  return !rule.refersTo.some(each => each === 'person' || each === 'role');
}
const decided = new Map<string, boolean>();
function isKeptAttribute({ name }: RpslAttribute): boolean {
  // The names are strangers': only those that there are, are remembered.
  const known = decided.get(name) ?? isKept(name);
  if (known) decided.set(name, known);
  return known;
}

/** Word by word: an expression over the whole text takes time without end where a stranger chose the letters. */
const withoutAddresses = (text: string): string =>
  text
    .split(/[ \t]/)
    .map(word => (word.includes('@') ? '***' : word))
    .join(' ');

/** An attribute without its comments, and without anything that looks like an e-mail address. */
function cleaned({ name, raw }: RpslAttribute): RpslAttribute {
  const lines = raw.split('\n').flatMap((line, index) => {
    if (index > 0 && /^[#%]/.test(line)) return [];
    const text = (index > 0 && line.startsWith('+') ? line.slice(1) : line).split('#', 1)[0]!.trim();
    return text === '' ? [] : [text.includes('@') ? withoutAddresses(text) : text];
  });
  return attributeOf(name, lines.join('\n'));
}

/** The class that a text begins with; null for comments alone. */
function classOf(text: string): string | null {
  const [, name] = /^(?:[#%].*\n|[ \t]*\n)*([a-z0-9-]{1,40}):/i.exec(text) ?? [];
  return name?.toLowerCase() ?? null;
}

/** An index takes values up to a third of a page; no name is that long. */
const short = (value: string): string => value.toLowerCase().slice(0, 500);

async function membersOf(object: RpslObject, breathe: Breathe): Promise<string[]> {
  const all = new WideSet();
  for (const attribute of ['members', 'mp-members'])
    for (const line of valuesOf(object, attribute))
      for (const item of eachListValue(line)) {
        all.add(short(item));
        await breathe();
      }
  return [...all];
}

/** The identity of an object: what a deletion names. Null where there is none, or its class isn't kept. */
export async function identityIn(text: string, breathe: Breathe): Promise<{ class: ClassName; key: string } | null> {
  const name = classOf(text);
  if (name === null || !kept.has(name)) return null;
  const { object } = await inTurns(parseObjectInTurns(text), breathe);
  const identity = object && primaryKey(object);
  return identity && { class: identity.class, key: identity.key };
}

/**
 * Reads an object of another registry: what is kept of it, or null where it isn't one of the source, of a class that is kept, with a key. `left`: an object that is left out.
 * Contacts, credentials, remarks and comments go; others have their turn meanwhile. @throws SourceProblem for one that is too long
 */
export async function readForeignObject(text: string, source: string, breathe: Breathe): Promise<KeptObject | 'left' | null> {
  if (text.length > LONGEST_OBJECT) throw new SourceProblem(`An object has more than ${LONGEST_OBJECT} characters.`);
  const name = classOf(text);
  if (name === null) return null;
  if (!kept.has(name)) return 'left';
  const { object, problems } = await inTurns(parseObjectInTurns(text), breathe);
  const identity = object && primaryKey(object);
  if (!object || !identity || !isClassName(identity.class) || problems.some(({ severity }) => severity === 'error')) return 'left';
  if (valueOf(object, 'source')?.toUpperCase() !== source) return 'left';
  const attributes: RpslAttribute[] = [];
  for (const attribute of object.attributes) {
    if (isKeptAttribute(attribute)) attributes.push(attribute.name === 'source' ? attributeOf('source', source) : cleaned(attribute));
    await breathe();
  }
  const own: RpslObject = { class: object.class, attributes };
  const [, prefix = null, origin] = (/^route6?$/.test(identity.class) && /^(.+\/\d{1,3})as(\d{1,10})$/.exec(identity.key)) || [];
  const inverse = new Set(
    inverseValues(own).flatMap(({ attribute, value }) => (attribute === 'origin' ? [] : [`${attribute} ${short(value)}`])),
  );
  return {
    ...identity,
    text: formatObject(own),
    prefix,
    origin: origin === undefined ? null : Number(origin),
    members: identity.class.endsWith('-set') ? await membersOf(own, breathe) : [],
    inverse: [...inverse],
  };
}
