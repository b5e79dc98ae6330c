import { attributeRule, type FormerAttributeName, formerAttributes, type ValueType } from './attributes.ts';
import { classes, isClassName } from './classes.ts';
import { listValues, type RpslAttribute, type RpslObject, withValue } from './object.ts';
import { firstProblems, quote, type RpslProblem } from './problem.ts';
import { longestValue, syntaxes } from './syntaxes.ts';
import { isWrong } from './syntax/reading.ts';

/** Types written in one way only, whatever the member typed. Names and texts keep their spelling. */
const spelled: ReadonlySet<ValueType> = new Set<ValueType>([
  'ipv4-range',
  'ipv4-prefix',
  'ipv6-prefix',
  'as-number',
  'as-block',
  'country',
  'language',
  'status',
  'source',
  'org-type',
  'domain',
  'domain-name',
  'nserver',
  'ds-rdata',
  'email',
  'holes',
  'mnt-routes',
  'auth',
  'key-cert',
]);

/**
 * Returns the object as it should be stored, with an info or warning for each line that changed, of many for the first ones: old attributes dropped, names written out, keys on one line
 * without comment, prefixes of inetnum as ranges, addresses, AS numbers, zones, mail domains and DS digests in canonical form, LF line ends. All other
 * lines stay as typed, in their order. Idempotent. Invalid values stay, for `checkObject` to report.
 * The problems' `attribute` is an index into the given object.
 */
export function normalise(object: RpslObject): { readonly object: RpslObject; readonly problems: RpslProblem[] } {
  const problems: RpslProblem[] = [];
  const primary = new Set<string>(
    isClassName(object.class) ? classes[object.class].template.flatMap(row => (row.key.includes('primary') ? [row.attribute] : [])) : [],
  );
  const attributes: RpslAttribute[] = [];
  for (const [index, given] of object.attributes.entries()) {
    const report = (severity: RpslProblem['severity'], code: string, message: string) =>
      problems.push({ severity, code, attribute: index, line: given.line || null, message });
    if (index > 0 && Object.hasOwn(formerAttributes, given.name) && formerAttributes[given.name as FormerAttributeName].dropped) {
      report('warning', 'former-attribute-dropped', `${given.name} is no longer supported. The line was removed`);
      continue;
    }
    let attribute = plainLineEnds(given);
    const isKey = index === 0 || primary.has(attribute.name);
    if (isKey && (attribute.comment !== null || attribute.raw.slice(0, -1).includes('\n'))) {
      attribute = withValue({ ...attribute, comment: null }, attribute.value);
      report('info', 'key-on-one-line', `${attribute.name} was put on one line without comment`);
    }
    if (attribute.written.startsWith('*') && attribute.name !== attribute.written.toLowerCase()) {
      report('info', 'name-written-out', `${attribute.written} was written out as ${attribute.name}`);
      attribute = { ...attribute, written: attribute.name };
    }
    const canonical = canonicalValue(object, attribute);
    if (canonical !== null && canonical !== attribute.value) {
      report('info', 'value-normalised', `${quote(attribute.value)} was written as ${quote(canonical)}`);
      attribute = withValue(attribute, canonical);
    }
    attributes.push(attribute);
  }
  return { object: { class: object.class, attributes }, problems: firstProblems(problems) };
}

function canonicalValue(object: RpslObject, { name, value }: RpslAttribute): string | null {
  const rule = attributeRule(name);
  if (rule === undefined || value === '' || !spelled.has(rule.type)) return null;
  const canonical: string[] = [];
  let changed = false;
  for (const item of rule.list ? listValues(value) : [value]) {
    if (item.length > longestValue(rule.type)) return null;
    const reading = syntaxes[rule.type](item, object);
    if (isWrong(reading)) return null;
    changed ||= reading.canonical !== item;
    canonical.push(reading.canonical);
  }
  return changed ? canonical.join(', ') : null;
}

function plainLineEnds(attribute: RpslAttribute): RpslAttribute {
  if (attribute.raw.endsWith('\n') && !attribute.raw.includes('\r')) return attribute;
  const raw = attribute.raw.replace(/\r+\n/g, '\n');
  return { ...attribute, raw: raw.endsWith('\n') ? raw : `${raw}\n` };
}
