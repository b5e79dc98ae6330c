import { type AttributeName, attributeRule, attributes, type FormerAttributeName, formerAttributes } from './attributes.ts';
import { type ClassRule, classes, classNames, isClassName, isFilledIn, type TemplateRow } from './classes.ts';
import { checkCounts, isBeyondLimits } from './limits.ts';
import { nearest } from './nearest.ts';
import { listValues, type RpslAttribute, type RpslObject, valuesOf } from './object.ts';
import { firstProblems, quote, type RpslProblem } from './problem.ts';
import { longestValue, syntaxes } from './syntaxes.ts';
import { isWrong } from './syntax/reading.ts';

/** `load` accepts objects that exist elsewhere: violations of the present rules become warnings, as long as the object has a class and a key. */
export type CheckMode = 'create' | 'modify' | 'load';

/**
 * Returns the findings that need no other object, in the order of the object's lines: template, syntax of every value, rules within the
 * object; of many the first ones, and how many more there are. One that is beyond the limits is judged no further. Rules that need other objects (references, authorisation, parents) are the server's.
 */
export function checkObject(object: RpslObject, mode: CheckMode): RpslProblem[] {
  if (!isClassName(object.class)) return [unknownClass(object)];
  const rule = classes[object.class];
  const problems: RpslProblem[] = [];
  const report: Report = (code, index, message, severity = 'error') =>
    problems.push({
      severity: severity === 'error' && mode === 'load' && !isKey(rule, object, index) ? 'warning' : severity,
      code,
      attribute: index,
      line: index === null ? null : object.attributes[index]?.line || null,
      message,
    });
  checkCounts(object, report);
  if (isBeyondLimits(problems)) return problems;
  checkTemplate(object, rule, report);
  checkValues(object, rule, report);
  for (const check of objectRules) check(object, report);
  if (mode === 'create') checkNewSet(object, report);
  return firstProblems(problems.sort((a, b) => (a.attribute ?? object.attributes.length) - (b.attribute ?? object.attributes.length)));
}

/** Checks one attribute's value, for a field while it is filled in; `object` is the object it belongs to. Null if it is valid. */
export function checkValue(object: RpslObject, name: string, value: string): { readonly code: string; readonly message: string } | null {
  const rule = attributeRule(name);
  if (rule === undefined) return null;
  for (const item of rule.list ? listValues(value) : [value]) {
    if (item.length > longestValue(rule.type))
      return {
        code: 'value-too-long',
        message: `This value of ${name} has ${item.length} characters, the longest may have ${longestValue(rule.type)}`,
      };
    const reading = syntaxes[rule.type](item, object);
    if (isWrong(reading)) return reading;
  }
  return null;
}

type Report = (code: string, index: number | null, message: string, severity?: RpslProblem['severity']) => void;

function checkTemplate(object: RpslObject, rule: ClassRule, report: Report): void {
  const rows = new Map<string, TemplateRow>(rule.template.map(row => [row.attribute, row]));
  const seen = new Map<string, number>();
  let strangers = 0;
  for (const [index, { name, line }] of object.attributes.entries()) {
    const row = rows.get(name);
    const earlier = seen.get(name);
    if (earlier === undefined) seen.set(name, index);
    if (row === undefined) reportStranger(object, rule, index, strangers++ < 20, report);
    else if (row.often === 'single' && row.need !== 'generated' && earlier !== undefined) {
      const first = object.attributes[earlier];
      const where = line > 0 && first !== undefined && first.line > 0 ? `; the first one is on line ${first.line}` : '';
      report('attribute-repeated', index, `${name} can be given once in ${rule.name}${where}`);
    }
  }
  for (const name of missingAttributes(object)) {
    const pair = pairOf(object);
    report('attribute-missing', null, `Add ${name}. Every ${rule.name} needs ${pair === name ? `${pair} or mp-${pair}` : 'one'}`);
  }
}

/** Attributes the object has to have and has not, in the order of its template. */
export function missingAttributes(object: RpslObject): AttributeName[] {
  if (!isClassName(object.class)) return [];
  const there = new Set(object.attributes.map(({ name }) => name));
  const pair = pairOf(object);
  return classes[object.class].template.flatMap(({ attribute, need }) => {
    const isNeeded = attribute === pair ? !there.has(`mp-${pair}`) : need === 'mandatory' && !isFilledIn(object.class, attribute);
    return isNeeded && !there.has(attribute) ? [attribute] : [];
  });
}

/** In some classes each object needs an attribute or its variant for all protocols. */
const pairOf = (object: RpslObject): 'filter' | 'peering' | null =>
  object.class === 'filter-set' ? 'filter' : object.class === 'peering-set' ? 'peering' : null;

/** `suggest`: finding the name that was meant costs time, which noise must not use up. */
function reportStranger(object: RpslObject, rule: ClassRule, index: number, suggest: boolean, report: Report): void {
  const { name } = object.attributes[index] as RpslAttribute;
  const former = Object.hasOwn(formerAttributes, name) ? formerAttributes[name as FormerAttributeName] : undefined;
  if (former?.dropped) report('former-attribute', index, `${name} is no longer supported. The line is ignored`, 'warning');
  else if (former) report('former-attribute', index, `${name} is no longer used. Remove the line`);
  else if (Object.hasOwn(attributes, name)) report('attribute-not-in-class', index, `${rule.name} can’t have ${name}. Remove the line`);
  else {
    const meant = suggest
      ? nearest(
          name,
          rule.template.map(row => row.attribute),
        )
      : undefined;
    report(
      'attribute-unknown',
      index,
      `${quote(name)} is not an attribute${meant === undefined ? '. Remove the line' : `; did you mean ${meant}?`}`,
    );
  }
}

function checkValues(object: RpslObject, rule: ClassRule, report: Report): void {
  const rows = new Map<string, TemplateRow>(rule.template.map(row => [row.attribute, row]));
  const filled = new Set(object.attributes.flatMap(({ name, value }) => (value === '' ? [] : [name])));
  for (const [index, attribute] of object.attributes.entries()) {
    const { name, value, comment } = attribute;
    const row = rows.get(name);
    if (row === undefined || row.need === 'generated') continue;
    if (value === '') {
      const { type } = attributes[row.attribute];
      const isText = type === 'free-text' || type === 'postal-address' || type === 'key-text';
      if (/^filtered\b/i.test(comment ?? ''))
        report('value-filtered', index, `This ${name} was filtered from an answer. Enter its real value or remove the line`);
      else if (!isText)
        report('value-missing', index, `${name} has no value. Enter one${row.need === 'optional' ? ' or remove the line' : ''}`);
      else if (row.need === 'mandatory' && !filled.has(name)) report('value-missing', index, `${name} has no value. Enter one`);
      continue;
    }
    if (name === 'source' && comment !== null) report('comment-not-allowed', index, 'source can’t have a comment. Remove it');
    const fault = checkValue(object, name, value);
    if (fault) report(fault.code, index, fault.message);
  }
}

/** Rules between attributes of one object. */
const objectRules: readonly ((object: RpslObject, report: Report) => void)[] = [
  checkGeofeed,
  checkOneOfPair,
  checkSelfContact,
  checkMembersByReference,
  checkRouteMaintainers,
  checkRepeatedValues,
];

function checkGeofeed(object: RpslObject, report: Report): void {
  if (!object.attributes.some(one => one.name === 'geofeed')) return;
  for (const [index, { name, value }] of object.attributes.entries())
    if (name === 'remarks' && /^geofeed:?\s+https?:/i.test(value))
      report('geofeed-twice', index, 'The geofeed is in both geofeed and a remark. Remove the remark');
}

function checkOneOfPair(object: RpslObject, report: Report): void {
  const pair = pairOf(object);
  if (pair === null) return;
  const plain = object.attributes.some(one => one.name === pair);
  const mp = object.attributes.findIndex(one => one.name === `mp-${pair}`);
  if (plain && mp >= 0) report('attributes-exclude', mp, `A ${object.class} can have ${pair} or mp-${pair}, not both. Remove one`);
}

function checkSelfContact(object: RpslObject, report: Report): void {
  if (object.class !== 'role') return;
  const own = valuesOf(object, 'nic-hdl')[0]?.toLowerCase();
  for (const [index, { name, value }] of object.attributes.entries())
    if ((name === 'admin-c' || name === 'tech-c') && value !== '' && value.toLowerCase() === own)
      report('self-contact', index, `A role can’t be its own ${name}. Use a person or another role`);
}

function checkMembersByReference(object: RpslObject, report: Report): void {
  const values = valuesOf(object, 'mbrs-by-ref').flatMap(listValues);
  if (values.length > 1 && values.some(value => /^any$/i.test(value)))
    report(
      'any-with-others',
      object.attributes.findIndex(one => one.name === 'mbrs-by-ref'),
      'ANY allows every maintainer. Remove ANY or the others',
    );
}

/**
 * A maintainer that may make all routes can’t be limited to some too: `ANY` beside a list, or beside nothing, of the same maintainer. Those of other maintainers are
 * another matter, and `ANY` said twice says the same (as the RIPE Database has it).
 */
function checkRouteMaintainers(object: RpslObject, report: Report): void {
  const isAnyOf = new Map<string, boolean>();
  for (const [index, { name, value }] of object.attributes.entries()) {
    if (name !== 'mnt-routes') continue;
    const maintainer = value.split(/[\s{]/, 1)[0]!.toLowerCase();
    const isAny = /\sany$/i.test(value);
    if ((isAnyOf.get(maintainer) ?? isAny) !== isAny)
      report('any-with-others', index, `mnt-routes names ${quote(maintainer.toUpperCase())} with ANY and without it. Remove one`);
    isAnyOf.set(maintainer, isAny);
  }
}

/** New as-sets must be below an AS number, so that two registries never have two sets of one name (APNIC policy prop-151). Old ones keep their names. */
function checkNewSet(object: RpslObject, report: Report): void {
  const name = object.class === 'as-set' ? (object.attributes[0]?.value ?? '') : ':';
  if (/^as-/i.test(name) && !name.includes(':'))
    report('set-not-hierarchical', 0, `New as-sets must start with your AS number, such as AS64500:${quote(name.toUpperCase())}`);
}

/** Contacts and maintainers named twice are harmless and only reported. */
function checkRepeatedValues(object: RpslObject, report: Report): void {
  const seen = new Set<string>();
  for (const [index, { name, value }] of object.attributes.entries()) {
    const rule = attributeRule(name);
    if (rule === undefined || rule.refersTo.length === 0 || value === '') continue;
    const line = `${name} ${value.toLowerCase()}`;
    if (seen.has(line)) report('value-repeated', index, `${name}: ${quote(value)} is given twice`, 'info');
    seen.add(line);
  }
}

function isKey(rule: ClassRule, object: RpslObject, index: number | null): boolean {
  const name = index === null ? undefined : object.attributes[index]?.name;
  return name !== undefined && rule.template.some(row => row.attribute === name && row.key.includes('primary'));
}

function unknownClass(object: RpslObject): RpslProblem {
  const meant = nearest(object.class, classNames);
  return {
    severity: 'error',
    code: 'class-unknown',
    attribute: 0,
    line: object.attributes[0]?.line || null,
    message: /^poe(m|tic-form)$/.test(object.class)
      ? `${object.class} objects aren’t supported here`
      : `${quote(object.class)} isn’t an object type${meant === undefined ? '. The first attribute is the object type, such as inetnum' : `; did you mean ${meant}?`}`,
  };
}
