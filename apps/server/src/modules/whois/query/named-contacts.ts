import { parseObject } from '@portal/rpsl';
import { referencesOf } from '../store/object-facts.ts';

/** Attributes that name contacts of an object. */
const contactAttributes = ['mnt-irt', 'org', 'admin-c', 'tech-c', 'zone-c', 'abuse-c', 'ping-hdl'];
const isContact = new Set(contactAttributes);

const NAMED = new RegExp(`^(${contactAttributes.join('|')}):(.*)$`, 'gim');
/** A single name that needs no parser, unlike lists and remarks. */
const PLAIN = /^[ \t]*([^\s,#]+)[ \t\r]*$/;
/** Short names of attributes, and these attributes continued on the next line. */
const INTRICATE = new RegExp(`^\\*?[a-z]{2}:|^(?:${contactAttributes.join('|')}):.*\\n[ \\t+]`, 'im');

/** The name of a contact, and the attribute that has it. */
export type NamedContact = { attribute: string; key: string };

/** The contacts an object names, as `whois_reference` has them. Read from the text because that is at hand; a query would cost as much as finding the object. */
export function namedContacts(text: string): { attribute: string; key: string }[] {
  if (INTRICATE.test(text)) return parsedContacts(text);
  const named: { attribute: string; key: string }[] = [];
  for (const [, attribute = '', value = ''] of text.matchAll(NAMED)) {
    const key = PLAIN.exec(value)?.[1];
    if (key === undefined) return parsedContacts(text);
    named.push({ attribute: attribute.toLowerCase(), key: key.toLowerCase() });
  }
  return named;
}

/** Prints the contacts as one line, which parses faster than the object's text. */
export const printNamed = (named: readonly { attribute: string; key: string }[]): string =>
  named.map(({ attribute, key }) => `${attribute} ${key}`).join('\0');

/** Reads what `printNamed` wrote: texts of the database hold no NUL. */
export const readNamed = (line: string): { attribute: string; key: string }[] =>
  line === ''
    ? []
    : line.split('\0').map(pair => {
        const blank = pair.indexOf(' ');
        return { attribute: pair.slice(0, blank), key: pair.slice(blank + 1) };
      });

function parsedContacts(text: string): { attribute: string; key: string }[] {
  const { object } = parseObject(text);
  if (!object) return [];
  return referencesOf(object).flatMap(({ attribute, value }) => (isContact.has(attribute) ? [{ attribute, key: value }] : []));
}
