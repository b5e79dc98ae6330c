import { api } from '@portal/contract/api';
import { longestObject, maxObjectLines, maxReferences, maxRepeated } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { longestTurnOf } from '../../../../test/thread-costs.ts';
import { submitUpdates } from './updates.ts';

const accountName = 'EXAMPLE-AU';
let portal: TestPortal;
let contactId: string;
beforeAll(async () => {
  portal = await testPortal();
  const [tess] = await portal.db.read.rows<{ contactId: string }>(
    sql`select contact_id::text as contact_id from contact c join login l using (login_id) where l.username = 'tess' and c.account_name = ${accountName}`,
  );
  contactId = tess!.contactId;
});
afterAll(() => portal[Symbol.asyncDispose]());

const person = `person: Corin Large
address: Brisbane
country: AU
phone: +61 7 5555 0100
e-mail: large@example-au.example
nic-hdl: AUTO-1
mnt-by: MAINT-AU-EXAMPLE
`;
const set = (name: string) => `as-set: AS64500:AS-${name}
descr: Large
admin-c: CA1-EX
tech-c: CA1-EX
mnt-by: MAINT-AU-EXAMPLE
`;
const source = 'source: EXAMPLE\n';

/** An object that is as long as it may be: a beginning, as many lines or items as there is room for, an end. */
function filled(head: string, next: (n: number) => string, end = source, most = longestObject - 100): string {
  let text = head;
  let lines = head.split('\n').length + end.split('\n').length;
  for (let n = 0; ; n++) {
    const more = next(n);
    if (text.length + more.length + end.length > most || (more.endsWith('\n') && ++lines > maxObjectLines - 10)) return text + end;
    text += more;
  }
}
const lines = (head: string, line: string, end = source): string => filled(head, n => `${line}${String(n).padStart(5, '0')}\n`, end);

class Undone extends Error {}
type Outcome = Awaited<ReturnType<typeof submitUpdates>>['outcomes'][number];

/** Writes a text in a change, as the call does behind what carries it here and back. */
async function write(text: string, { undone = false } = {}): Promise<Outcome> {
  let outcome: Outcome | undefined;
  const body = { updates: [{ operation: 'auto', text, reason: '' }], mode: 'atomic' };
  await portal.db
    .change({ action: 'test', summary: 'Wrote a large object', traceId: '0'.repeat(32) }, async change => {
      const { outcomes } = await submitUpdates({ change, account: { accountName, contactId }, body, registry: portal.context } as never);
      outcome = outcomes[0]!;
      if (undone) throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  return outcome!;
}
/** The longest, in ms, for which a text holds up everything else. */
const longestOf = (text: string): Promise<number> => longestTurnOf(MAX_MS, () => write(text, { undone: true }));
const MAX_MS = 5;

/** The dearest objects within the limits, and what comes of them: their state. */
const dearest: [string, string, string][] = [
  ['remarks', lines(person, 'remarks: xxx '), 'ok'],
  ['short names', lines(person, '*rm: '), 'ok'],
  ['lines that go on', lines(`${person}remarks: x\n`, '+'), 'ok'],
  ['comments', lines(`${person}remarks: x\n`, ' x # y'), 'ok'],
  ['countries', lines('inetnum: 10.0.0.0/8\n', 'country: au #'), 'failed'],
  ['members, a line each', lines(set('LINES'), 'members: AS641'), 'ok'],
  ['members in a list', filled(`${set('LIST')}members: AS1`, n => `,AS${n}`, `\n${source}`), 'ok'],
  ['attributes that are none', lines('person: x\n', 'a: '), 'failed'],
  ['characters that are none', lines(person, 'remarks: \ufffd '), 'failed'],
  ['policies', lines('aut-num: AS64500\nas-name: LARGE-AS\n', 'import: from AS1 accept AS641'), 'failed'],
  ['one policy', filled('aut-num: AS64500\nmp-import: afi any { ', n => `from AS${n} accept ANY; `, `}\n${source}`), 'failed'],
  ['brackets', filled('aut-num: AS64500\nmp-import: from AS1 accept ', () => '(', `\n${source}`), 'failed'],
  [
    'holes',
    filled(
      'route6: 2001:db8::/32\norigin: AS64500\nholes: 2001:db8::/48',
      n => `,2001:DB8:${(n & 0xffff).toString(16)}::/48`,
      `\n${source}`,
    ),
    'failed',
  ],
  [
    'prefixes of maintainers',
    filled('inetnum: 10.0.0.0/8\nmnt-routes: M {10.0.0.0/32', n => `,10.0.0.${n & 255}/32`, `}\n${source}`),
    'failed',
  ],
  [
    'references to what is not there',
    filled(person, n => (n < maxReferences - 1 ? `mnt-by: M${n}\n` : `remarks: ${n} xxxxxxx\n`)),
    'failed',
  ],
];

describe('the longest object', () => {
  test.each(dearest)('of %s never holds up everything else', async (_, text, state) => {
    expect(text.length).toBeGreaterThan(longestObject / 3);
    expect(await longestOf(text)).toBeLessThan(MAX_MS);
    const outcome = await write(text);
    expect([outcome.state, outcome.problems.filter(({ severity }) => severity === 'error' && state === 'ok')]).toEqual([state, []]);
    if (state !== 'ok') return;
    const changed = `${outcome.after!.trimEnd()}\nremarks: changed\n`;
    expect(await longestOf(changed)).toBeLessThan(MAX_MS);
    expect(await write(changed)).toMatchObject({ state: 'ok', done: 'modify' });
    const deleted = `${changed}delete: no longer needed\n`;
    expect(await longestOf(deleted)).toBeLessThan(MAX_MS);
    expect(await write(deleted)).toMatchObject({ state: 'ok', done: 'delete', problems: [] });
  });
});

describe('an object beyond a limit is refused with that limit alone', () => {
  test.each([
    [
      'characters',
      filled(person, () => `remarks: ${'x'.repeat(50)}\n`, source, longestObject + 100),
      'object-too-long',
      /characters, the longest may have 200.000/,
    ],
    ['lines', person + 'a:\n'.repeat(60_000), 'object-too-long', /60.007 lines, the longest may have 10.000/],
    [
      'references',
      `${set('MANY')}mbrs-by-ref: M${Array.from({ length: 20_000 }, (_, n) => `,M${n}`).join('')}\n${source}`,
      'too-many-references',
      /at most 1.000 others/,
    ],
    [
      'addresses to notify',
      person + Array.from({ length: 9_000 }, (_, n) => `notify: a${n}@b.cc\n`).join('') + source,
      'attribute-too-often',
      /at most 100 times/,
    ],
  ])('%s', async (_, text, code, message) => {
    expect(await longestOf(text)).toBeLessThan(MAX_MS);
    expect(await write(text)).toMatchObject({
      state: 'failed',
      problems: [{ severity: 'error', code, message: expect.stringMatching(message) }],
    });
  });

  test('and the others of its text are written', async () => {
    const tess = await portal.as('tess');
    const long = filled(person, () => 'remarks: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n', source, longestObject + 1000);
    const { data } = await tess(api.whois.uploadText, {
      account: accountName,
      body: { text: `${long}\n${person}${source}`, dryRun: false },
    });
    expect(data!.outcomes!.map(({ state, problems }) => [state, problems.map(({ code }) => code)])).toEqual([
      ['failed', ['object-too-long']],
      ['ok', []],
    ]);
  });
});

test(`an attribute may be there ${maxRepeated} times, and its object is written`, async () => {
  const outcome = await write(person + Array.from({ length: maxRepeated }, (_, n) => `notify: a${n}@b.example\n`).join('') + source);
  expect(outcome).toMatchObject({ state: 'ok', done: 'create' });
});

test('of thousands of findings the first are answered, and how many more there are', async () => {
  const outcome = await write(lines(person, 'nonsense: '));
  expect(outcome.problems).toHaveLength(101);
  expect(outcome.problems.at(-1)).toMatchObject({
    severity: 'error',
    code: 'more-problems',
    message: expect.stringMatching(/^There are \d+ more problems/),
  });
});

test('a large object goes to the thread and back unchanged: its text, lines and findings are those of a small one', async () => {
  const odd = `Person:\tCorin   Odd # who\naddress: a\n+\n b\n${person.replace(/^person.*\n/, '')}`;
  const long = Array.from({ length: 300 }, (_, n) => `*rm: line ${n} # with a comment\n`).join('');
  const problems = 'countri: AU\ncountry: au\n';
  const small = await write(`${odd}${problems}${source}`);
  const large = await write(`${odd}${problems}${source}${long}`);
  const found = ({ problems: all }: Outcome) => all.filter(({ code }) => code !== 'name-written-out' && code !== 'more-problems');
  expect(found(large)).toEqual(found(small));
  const right = await write(`${odd}${source}${long}`);
  expect([right.state, right.problems.filter(({ severity }) => severity === 'error')]).toEqual(['ok', []]);
  expect(right.after).toMatch(/^person: {9}Corin {3}Odd\naddress: a\n\+\n b\naddress/);
  expect(right.after).toContain('\nremarks: line 299 # with a comment\n');
});
