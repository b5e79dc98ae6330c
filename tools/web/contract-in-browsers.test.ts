import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { bodiesIn, contractInBrowsers } from './contract-in-browsers.ts';

const slim = (code: string, ...formBodies: string[]): string =>
  contractInBrowsers(code, text => parseAst(text, { lang: 'ts' }), new Set(formBodies));

const declared = `import * as z from 'zod/mini';
export const Shape = z.object({ name: z.string().check(z.maxLength(9)) });
export const things = group('things', {
  addThing: endpoint({
    method: 'POST',
    path: '/api/things',
    summary: 'Add a thing.',
    access: member('resources-view', { staff: true }),
    body: Shape,
    answer: z.object({ id: z.string() }),
    activity: 'Added a thing',
    errors: ['STALE'],
    alone: 'it is a test',
  }),
  getFile: endpoint({ method: 'GET', path: '/api/file', summary: 'A file.', access: anyone, answer: 'download' }),
});
`;

it('an endpoint keeps what a call needs, and a file stays a file', () => {
  const code = slim(declared);
  for (const gone of ['Add a thing', 'body:', 'activity', 'STALE', 'id:']) expect(code).not.toContain(gone);
  for (const kept of [
    "method: 'POST'",
    "path: '/api/things'",
    "member('resources-view', { staff: true })",
    "alone: 'it is a test'",
    "answer: 'download'",
  ])
    expect(code).toContain(kept);
});

it('a change keeps its place in the registry API, a read does not', () => {
  const publicly = (method: string) =>
    slim(
      `export const all = group('all', { one: endpoint({ method: '${method}', path: '/api/a', publicApi: { path: '/all', scope: 'all:write' } }) });`,
    );
  expect(publicly('POST')).toContain("publicApi: { path: '/all', scope: 'all:write' }");
  expect(publicly('GET')).not.toContain('publicApi');
});

it('a body against which a form checks stays', () => expect(slim(declared, 'addThing')).toContain('body: Shape,'));

it('what nothing uses may be left out: constants that call functions or spread others say so', () => {
  expect(slim(declared)).toContain('Shape = /*@__PURE__*/ (() => (z.object({ name: z.string().check(z.maxLength(9)) })))();');
  expect(slim('export const all = { ...one, ...two } as const;')).toBe(
    'export const all = /*@__PURE__*/ (() => ({ ...one, ...two } as const))();',
  );
});

it('functions and plain values stay as they are, and lines where they were', () => {
  const plain =
    "const row = (name: string) => make(name);\nexport const keys = ['a', 'b'] as const;\nexport function f() {\n  return z.object({});\n}\n";
  expect(slim(plain)).toBe(plain);
  expect(slim(declared).split('\n')).toHaveLength(declared.split('\n').length);
});

it('the bodies that forms check against are found by the name of their endpoint', () => {
  expect(bodiesIn('useForm(contacts.updateContact.body, x); [billing.pay\n.body]; response.body')).toEqual(['updateContact', 'pay']);
});
