import type { WhoisProblem } from '@portal/contract/whois/whois';
import { listReverseZones, parsePrefix, printClasslessZone, ResourceSyntaxError } from '@portal/number-resources';
import {
  attributeOf,
  attributeRule,
  type CheckMode,
  checkObject,
  classes,
  type ClassName,
  formatObject,
  isClassName,
  isFilledIn,
  normalise,
  objectOf,
  parseObject,
  printObject,
  type RpslAttribute,
  type RpslObject,
  type TemplateRow,
  templateRow,
  withValue,
} from '@portal/rpsl';

/** Something found in a text, at one of its lines. */
export type Finding = Pick<WhoisProblem, 'severity' | 'code' | 'attribute' | 'line' | 'message'> &
  Partial<Pick<WhoisProblem, 'objects' | 'count'>>;

/** Returns all findings of a text: syntax, template, values. Notes on spelling are left to the server. */
export function findingsOf(text: string, mode: CheckMode): Finding[] {
  const { object, problems } = parseObject(text);
  const read = problems.map(({ attribute, ...rest }) => ({ ...rest, attribute: object?.attributes[attribute ?? -1]?.name ?? null }));
  if (!object)
    return read.length > 0
      ? read
      : [{ severity: 'error', code: 'no-object', attribute: null, line: null, message: 'No object in this text' }];
  const { object: spelled } = normalise(object);
  const checked = checkObject(spelled, mode).map(({ attribute, line, ...rest }) => {
    const at = attribute === null ? undefined : spelled.attributes[attribute];
    return { ...rest, attribute: at?.name ?? null, line: line ?? (at && at.line > 0 ? at.line : null) };
  });
  return [...read, ...checked].filter(({ severity }) => severity !== 'info');
}

/** Lines of an attribute in its text, the end exclusive. */
export const linesOf = ({ line, raw }: RpslAttribute): { from: number; to: number } => ({
  from: line,
  to: line + raw.replace(/\r?\n$/, '').split('\n').length,
});

/** Returns whether the value has more than one line. */
export const isLong = ({ raw }: RpslAttribute): boolean => raw.trimEnd().includes('\n');

/** The value as edited in a field: multi-line values without their continuation marks. */
export function fieldValue(attribute: RpslAttribute): string {
  if (!isLong(attribute)) return attribute.value;
  return attribute.raw
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/^\+(?=\s*$)/, '').trim())
    .join('\n');
}

/** The text with another value in one attribute; everything else stays as it is written. */
export function setValue(text: string, index: number, value: string): string {
  return change(text, attributes => {
    const old = attributes[index];
    if (!old) return attributes;
    const isSeveral = isLong(old) || value.includes('\n');
    const next = isSeveral ? attributeOf(old.name, value) : withValue(old, value);
    // The attribute's name keeps its spelling, abbreviated or in capitals.
    return attributes.with(index, { ...next, written: old.written });
  });
}

/** The text without one attribute. */
export const removeAttribute = (text: string, index: number): string => change(text, attributes => attributes.toSpliced(index, 1));

/** The text with one more attribute, in template order: after the last one that precedes it. */
export function addAttribute(text: string, name: string, value = ''): { text: string; index: number } {
  let place = 0;
  const next = change(text, (attributes, object) => {
    const order = orderIn(object.class);
    const own = order(name);
    place = attributes.findLastIndex(each => order(each.name) <= own) + 1;
    return attributes.toSpliced(place, 0, attributeOf(name, value));
  });
  return { text: next, index: place };
}

function orderIn(className: string): (name: string) => number {
  const rows = isClassName(className) ? classes[className].template : [];
  return name => {
    const found = rows.findIndex(row => row.attribute === name);
    return found < 0 ? rows.length : found;
  };
}

function change(text: string, edit: (attributes: readonly RpslAttribute[], object: RpslObject) => readonly RpslAttribute[]): string {
  const { object } = parseObject(text);
  if (!object) return text;
  const attributes = edit(object.attributes, object).map(each => (each.raw.endsWith('\n') ? each : { ...each, raw: `${each.raw}\n` }));
  return printObject({ ...object, attributes });
}

/** Attributes one may still add: those of the template that are not generated, and single ones only while they are missing. */
export function addable(object: RpslObject): TemplateRow[] {
  if (!isClassName(object.class)) return [];
  const there = new Set(object.attributes.map(({ name }) => name));
  return classes[object.class].template.filter(row => row.need !== 'generated' && (row.often === 'many' || !there.has(row.attribute)));
}

/**
 * The findings of a new object while it is filled in: a field that is still empty has not been reached, and is not wrong. After a dry run all findings count.
 */
export function findingsWhileFilling(findings: readonly Finding[], text: string, initial: string): Finding[] {
  const began = parseObject(initial).object?.attributes.filter(({ value }) => value.trim() === '') ?? [];
  const empty = parseObject(text).object?.attributes.filter(({ value }) => value.trim() === '') ?? [];
  const unreached = empty.filter(({ name }) => began.some(each => each.name === name));
  return findings.filter(({ line }) => line === null || !unreached.some(attribute => attribute.line === line));
}

/** Attributes that are filled in for a new object of an account. */
export type Defaults = { maintainer: string | null; country: string | null; contact: string | null; irt: string | null; source: string };

/** Optional attributes that such an object usually has. */
const usual = new Set([
  'filter-set filter',
  'peering-set peering',
  'as-set members',
  'route-set members',
  'rtr-set members',
  'domain nserver',
]);

/** The initial text of a new object: mandatory attributes in template order, with known values. */
export function newText(className: ClassName, { maintainer, country, contact, irt, source }: Defaults): string {
  const known: Record<string, string | null> = {
    'mnt-by': maintainer,
    'mnt-ref': maintainer,
    'upd-to': null,
    country,
    'admin-c': contact,
    'tech-c': contact,
    'zone-c': contact,
    'mnt-irt': irt,
    'nic-hdl': 'AUTO-1',
    organisation: 'AUTO-1',
    'key-cert': null,
    status: 'ASSIGNED NON-PORTABLE',
    auth: 'PORTAL',
    source,
  };
  const wanted = classes[className].template.filter(
    row => (row.need === 'mandatory' && !isFilledIn(className, row.attribute)) || usual.has(`${className} ${row.attribute}`),
  );
  return formatObject(objectOf(wanted.map(({ attribute }) => [attribute, known[attribute] ?? ''] as const)));
}

/**
 * The reverse zone of a prefix: `198.18.12.0/24` is 12.18.198.in-addr.arpa, a part of a /24 as RFC 2317 names it. Null if it is not a prefix, or
 * needs several zones.
 */
export function reverseZoneOf(text: string): string | null {
  try {
    const prefix = parsePrefix(text.trim());
    const [zone, ...more] = listReverseZones(prefix);
    if (zone === undefined || (prefix.family === 'ipv4' && prefix.length > 24)) return printClasslessZone(prefix) ?? null;
    return more.length === 0 ? zone : null;
  } catch (error) {
    if (error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** Returns how a value is completed: kinds of the endpoint; null for values that aren't references. */
export function completionKind(name: string) {
  const rule = attributeRule(name);
  if (!rule) return null;
  const refers = new Set<string>(rule.refersTo);
  if (refers.has('person')) return 'contact';
  if (refers.has('role')) return 'role';
  if (refers.has('mntner')) return 'maintainer';
  if (refers.has('irt')) return 'irt';
  if (refers.has('organisation')) return 'organisation';
  if (refers.has('key-cert')) return 'key-cert';
  if (name === 'members' || name === 'mp-members' || name === 'member-of' || [...refers].some(each => each.endsWith('-set'))) return 'set';
  if (rule.type === 'as-number' || refers.has('aut-num')) return 'as-number';
  return null;
}

/** Returns the attribute whose value the caret is in, and the word before it. */
export function placeAt(text: string, caret: number): { name: string; word: string; from: number } | null {
  const start = text.lastIndexOf('\n', caret - 1) + 1;
  const { object } = parseObject(text);
  const line = text.slice(0, start).split('\n').length;
  const attribute = object?.attributes.findLast(each => each.line <= line);
  if (!attribute) return null;
  const head = text.slice(start, caret);
  const colon = attribute.line === line ? head.indexOf(':') : -1;
  if (attribute.line === line && colon < 0) return null;
  const word = /[^\s,]*$/.exec(head.slice(colon + 1))?.[0] ?? '';
  return { name: attribute.name, word, from: caret - word.length };
}

/** Why an attribute is not to be edited; null when it is. */
export function whyLocked(
  attribute: RpslAttribute,
  { object, isNew, changeable, index }: { object: RpslObject; isNew: boolean; changeable: readonly string[] | null; index: number },
): string | null {
  const row = isClassName(object.class) ? templateRow(classes[object.class], attribute.name) : undefined;
  if (row?.need === 'generated') return 'set automatically';
  if (attribute.name === 'source') return 'the name of this database';
  if (!isNew && row?.key.includes('primary')) return 'Primary key: can’t be changed';
  if (changeable && !changeable.includes(attribute.name)) return 'set by the registry';
  if (changeable && attribute.name === 'descr' && object.attributes.findIndex(each => each.name === 'descr') === index)
    return 'The registry sets the first line. Add lines below it.';
  return null;
}

/** Numbers of the lines that are locked. */
export function lockedLines(text: string, given: { isNew: boolean; changeable: readonly string[] | null }): Set<number> {
  const { object } = parseObject(text);
  const locked = new Set<number>();
  for (const [index, attribute] of object?.attributes.entries() ?? []) {
    if (!object || !whyLocked(attribute, { object, index, ...given })) continue;
    const { from, to } = linesOf(attribute);
    for (let line = from; line < to; line++) locked.add(line);
  }
  return locked;
}
