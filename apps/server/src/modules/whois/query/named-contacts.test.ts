import { parseObject } from '@portal/rpsl';
import { expect, test } from 'vitest';
import { referencesOf } from '../store/object-facts.ts';
import { namedContacts } from './named-contacts.ts';

const object = (lines: string): string =>
  `inetnum:        192.0.2.0 - 192.0.2.255\nnetname:        A-NET\n${lines}source:         EXAMPLE\n`;

/** Returns the contacts as the store writes them to whois_reference. */
function stored(text: string): string[] {
  const names = new Set(['mnt-irt', 'org', 'admin-c', 'tech-c', 'zone-c', 'abuse-c', 'ping-hdl']);
  return referencesOf(parseObject(text).object!)
    .filter(({ attribute }) => names.has(attribute))
    .map(({ attribute, value }) => `${attribute} ${value}`)
    .sort();
}

test.each([
  ['plain lines', 'admin-c:        AA1-EX\ntech-c:         AA1-EX\nmnt-irt:        IRT-A-EX\norg:            ORG-A1-EX\nabuse-c: x1-ex\n'],
  ['letters of any case and blanks', 'Admin-C:\tAa1-eX  \nTECH-C:AA2-EX\n'],
  ['lines that end with CR LF', 'admin-c:        AA1-EX\r\ntech-c:         AA2-EX\r\n'],
  ['a list', 'admin-c:        AA1-EX, AA2-EX\n'],
  ['a remark', 'admin-c:        AA1-EX # not AA9-EX\n'],
  ['a continued line', 'admin-c:        AA1-EX,\n                AA2-EX\n+               , AA3-EX\ntech-c:\n AA4-EX\n'],
  ['short names', '*ac: AA1-EX\ntc: AA2-EX\n'],
  ['other attributes that look alike', 'remarks:        admin-c: AA1-EX\nmnt-by:         MAINT-A-EX\n'],
  ['none', ''],
])('contacts are named the same in the text and in the table: %s', (_what, lines) => {
  const named = namedContacts(object(lines)).map(({ attribute, key }) => `${attribute} ${key}`);
  expect([...new Set(named)].sort()).toEqual(stored(object(lines)));
});
