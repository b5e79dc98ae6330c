import { expect, test } from 'vitest';
import { type Acknowledged, acknowledgement } from './acknowledgement.ts';

const item = (given: Partial<Acknowledged>): Acknowledged => ({
  state: 'ok',
  done: 'create',
  isThere: false,
  class: 'route',
  shown: '192.0.2.0/24AS64500',
  text: 'route:  192.0.2.0/24\norigin: AS64500\nsource: EXAMPLE\n',
  problems: [],
  ...given,
});
const write = async (items: Acknowledged[]): Promise<string> => {
  let text = '';
  for await (const piece of acknowledgement(() => items, {
    at: new Date('2026-11-21T18:00:00Z'),
    footer: 'The whois database EXAMPLE',
  }))
    text += piece;
  return text;
};

test('an acknowledgement has the totals where programs look for them, then errors, then what was done', async () => {
  const error = (line: number | null, message: string) => ({ severity: 'error' as const, line, message });
  const text = await write([
    item({}),
    item({ state: 'unchanged', done: null, class: 'person', shown: 'JE1-EX', text: 'person: Jo Example\nnic-hdl: JE1-EX\n' }),
    item({ done: 'delete', problems: [{ severity: 'info', line: null, message: 'Gone' }] }),
    item({
      state: 'failed',
      done: null,
      isThere: true,
      text: 'route:  192.0.2.0/24\ndescr:  one\n        two\norigin: AS64501\n',
      problems: [
        error(2, 'Wrong'),
        error(4, 'Routes from AS64501 are for its holder to allow: it takes MAINT-SG-OTHER, of which you may use none'),
        error(null, 'mnt-by is missing'),
      ],
    }),
    item({ state: 'skipped', done: null }),
    item({ state: 'failed', done: null, class: '', shown: '', text: 'hello\n', problems: [error(null, 'no object')] }),
  ]);
  expect(text).toBe(`- Date/Time: Sat, 21 Nov 2026 18:00:00 GMT

SUMMARY OF UPDATE:

Number of objects found:                   5
Number of objects processed successfully:  3
  Create:         1
  Modify:         0
  Delete:         1
  No Operation:   1
Number of objects processed with errors:   2
  Create:         1
  Modify:         1
  Delete:         0

DETAILED EXPLANATION:

~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
The following object(s) were found to have ERRORS:

---
Modify FAILED: [route] 192.0.2.0/24AS64500

route:  192.0.2.0/24
descr:  one
        two
***Error:   Wrong
origin: AS64501
***Error:   Routes from AS64501 are for its holder to allow: it takes
            MAINT-SG-OTHER, of which you may use none

***Error:   mnt-by is missing

---
Create FAILED: [route] 192.0.2.0/24AS64500

route:  192.0.2.0/24
origin: AS64500
source: EXAMPLE

***Error:   Left out, as others of the submission were refused

~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
The following object(s) were processed SUCCESSFULLY:

---
Create SUCCEEDED: [route] 192.0.2.0/24AS64500

---
No operation: [person] JE1-EX   Jo Example

---
Delete SUCCEEDED: [route] 192.0.2.0/24AS64500

***Info:    Gone

~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
The following paragraph(s) do not look like objects
and were NOT PROCESSED:

hello

~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
The whois database EXAMPLE
`);
});

test('a failed deletion is reported as a deletion', async () => {
  expect(
    await write([item({ state: 'failed', done: null, isThere: true, text: 'route: 192.0.2.0/24\norigin: AS64500\ndelete: over\n' })]),
  ).toContain('Delete FAILED: [route]');
});
