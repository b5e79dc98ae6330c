import { fixedAttributes, type WhoisClass, whoisClasses } from '@portal/contract/whois/whois';
import { attributeRule, classes, readKey } from '@portal/rpsl';

/** Attributes that may be changed in many objects of these classes, or of all, in the order of the alphabet. */
export function changeableIn(chosen: readonly WhoisClass[]): string[] {
  const names = (chosen.length === 0 ? whoisClasses : chosen).flatMap(name =>
    classes[name].template.flatMap(({ attribute, need }) =>
      need === 'generated' || fixedAttributes.includes(attribute) ? [] : [attribute],
    ),
  );
  return [...new Set<string>(names)].sort();
}

/** Classes that can be bulk-updated. */
export const changedClasses = whoisClasses.filter(name => name !== 'as-block').map(name => ({ name }));

/** Attributes by whose values objects are found. */
export const findingAttributes = [
  'mnt-by',
  'mnt-lower',
  'mnt-routes',
  'mnt-irt',
  'admin-c',
  'tech-c',
  'zone-c',
  'abuse-c',
  'org',
  'notify',
  'member-of',
] as const;

/** A value that names an object is written in capitals, as whois shows it. */
export const spelled = (attribute: string, value: string): string =>
  (attributeRule(attribute)?.refersTo.length ?? 0) > 0 ? value.toUpperCase() : value;

/** Objects of a pasted list, class and key on each line; and the lines that name none. */
export function readObjectList(text: string): { keys: { class: WhoisClass; key: string }[]; wrong: number[] } {
  const keys: { class: WhoisClass; key: string }[] = [];
  const wrong: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, word = '', key = ''] = /^\s*([a-z0-9-]+):?\s+(.+?)\s*$/i.exec(line) ?? [];
    const name = whoisClasses.find(each => each === word.toLowerCase());
    if (name && readKey(name, key)) keys.push({ class: name, key });
    else if (line.trim() !== '') wrong.push(index + 1);
  }
  return { keys, wrong };
}
