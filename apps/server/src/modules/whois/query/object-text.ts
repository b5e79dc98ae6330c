import { attributeRule, checkObject, classes, parseObject, publicationOf, publicText, type RpslAttribute } from '@portal/rpsl';
import type { Shown } from './shown-object.ts';

/** How objects are printed. */
export type TextStyle = { brief: boolean; keysOnly: boolean; filtering: boolean };

/**
 * Returns the public text of an object in the style of the query; empty for persons with `keysOnly`. Its lines are as they were submitted, like those of
 * the history and of differences: who compares them with a file of their own finds the same. Copies for mirrors are aligned (`copiedText`), so that all
 * copies of an object have the same bytes, however it was submitted.
 */
export function textOf({ class: className, text, isPublic }: Shown, style: TextStyle): string {
  const safe = isPublic ? text : publicText(text);
  if (!style.brief && !style.keysOnly && !style.filtering) return safe;
  const { object } = parseObject(safe);
  if (!object) return '';
  let shown: readonly RpslAttribute[] = object.attributes;
  if (style.keysOnly) {
    if (className === 'person' || className === 'role') return '';
    const kept = new Set<string>(classes[className].template.flatMap(row => (row.key.includes('primary') ? [row.attribute] : [])));
    if (className.endsWith('-set')) for (const name of ['members', 'mp-members']) kept.add(name);
    shown = shown.filter(({ name }) => kept.has(name));
  }
  let hidden = false;
  if (style.filtering) {
    const before = shown.length;
    shown = shown.filter(({ name }) => publicationOf(name) !== 'asked');
    hidden = shown.length < before;
  }
  return shown
    .map(({ name, written, raw }) => {
      const short = style.brief ? attributeRule(name)?.short : null;
      const value = hidden && name === 'source' ? `${raw.trimEnd()} # Filtered\n` : raw;
      return short ? `*${short}: ${value.trimStart()}` : `${written}:${value}`;
    })
    .map(line => (line.endsWith('\n') ? line : `${line}\n`))
    .join('');
}

/** The mailbox for abuse that an irt or role names. */
export const abuseMailboxOf = ({ text }: Shown): string | null => /^abuse-mailbox:[ \t]*([^\s#]+)/im.exec(text)?.[1] ?? null;

/** Characters of the longest object that is judged by all rules; of a longer one only whether it can be read. */
const LONGEST_JUDGED = 8_000;

/** Returns whether the object follows the present rules. */
export function isValid({ text }: Shown): boolean {
  const { object, problems } = parseObject(text);
  if (object === null) return false;
  const found = text.length > LONGEST_JUDGED ? problems : [...problems, ...checkObject(object, 'modify')];
  return found.every(({ severity }) => severity !== 'error');
}
