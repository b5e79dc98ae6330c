import { describe, expect, test } from 'vitest';
import { findingsIn, type Rule, rules, staleExceptions } from './house-rules.ts';

/** For each rule a file that breaks it and one that keeps it: a rule without an example fails below. */
const examples: Record<string, { broken: [string, string]; kept: [string, string] }> = {
  'settings in one place': {
    broken: ['apps/server/src/modules/billing/fees/fees.ts', 'const year = process.env.YEAR;'],
    kept: ['apps/server/src/main.ts', 'const config = readConfig(process.env);'],
  },
  'one clock': {
    broken: ['apps/server/src/modules/billing/fees/fees.ts', 'const due = Date.now() + month;'],
    kept: ['apps/server/src/modules/billing/fees/fees.ts', 'const due = new Date(change.now);'],
  },
  'forms stand on useForm': {
    broken: [
      'apps/desk/src/tickets/Note.tsx',
      'const add = useChange(tickets.addNote);\nreturn <TextArea value={words} onChange={event => setWords(event.target.value)} />;',
    ],
    kept: [
      'apps/desk/src/tickets/Note.tsx',
      "const add = useChange(tickets.addNote);\nconst form = useForm(tickets.addNote.body, { words: '' }, { name: 'note', change: add, send });\nreturn <TextArea {...form.input('words')} />;",
    ],
  },
  'forms check by bodies': {
    broken: [
      'apps/resource-manager/src/resources/nir/Comparison.tsx',
      "import { type Differences, nirComparison } from '@portal/contract/nir/comparison';\nconst form = useForm(\n  nirComparison\n    .compareRows.query,\n  { rows: '' },\n);",
    ],
    kept: [
      'apps/resource-manager/src/resources/nir/Comparison.tsx',
      "import { nirComparison } from '@portal/contract/nir/comparison';\ntype Filters = z.infer<typeof nirComparison.compareRows.query>;\nconst form = useForm(nirComparison.compareRows.body, { rows: place.search.query }, {});",
    ],
  },
  'one form element': {
    broken: ['apps/desk/src/tickets/Note.tsx', 'return <form onSubmit={send}>'],
    kept: ['apps/desk/src/tickets/Note.tsx', 'return <Form form={form}>'],
  },
  'one shape of ids': {
    broken: ['apps/server/src/modules/mail/stored-mail.ts', 'const mail = /^\\d{1,15}$/.test(mailId) ? mailOf(mailId) : null;'],
    kept: ['apps/server/src/modules/mail/stored-mail.ts', 'const mail = isRowId(mailId) ? mailOf(mailId) : null;'],
  },
  'streams are joined with pipeline': {
    broken: ['apps/server/src/modules/mirrors/dump.ts', 'gzip.pipe(out);'],
    kept: ['apps/server/src/modules/mirrors/dump.ts', 'await pipeline(gzip, out);'],
  },
  'errors of streams are heard': {
    broken: ['apps/server/src/adapters/bird.ts', "const socket = net.connect(file);\nsocket.on('data', hear);"],
    kept: ['apps/server/src/adapters/bird.ts', "const socket = net.connect(file);\nsocket.on('error', fail);"],
  },
  'rows fail alone': {
    broken: [
      'apps/server/src/modules/home/notices.ts',
      'for (const { id } of due) {\n  const row = await rowOf(id);\n  await db.change(line, change => notify(change, row));\n}',
    ],
    kept: [
      'apps/server/src/modules/home/notices.ts',
      'await eachAlone(due, ({ id }) => id, ({ id }) => db.change(line, change => notify(change, id)));',
    ],
  },
  'strangers’ texts are read apart': {
    broken: ['apps/server/src/modules/reverse-dns/zone-upload.ts', "import { readZoneFile } from './zone-file.ts';"],
    kept: ['apps/server/src/modules/reverse-dns/zone-file-thread.ts', "import { readZoneFile } from './zone-file.ts';"],
  },
  'limits of bodies are those of routes': {
    broken: ['apps/server/src/modules/home/pages.ts', "scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit: 4096 }, parse);"],
    kept: ['apps/server/src/modules/home/pages.ts', 'limitBodies(scope, 4096);'],
  },
  'limits are counted in turn': {
    broken: [
      'apps/server/src/modules/tickets/tickets.ts',
      "if (sent.count >= MAX_TICKETS_A_DAY) throw refuse('TOO_MANY_REQUESTS', { seconds: '3600' });",
    ],
    kept: [
      'apps/server/src/modules/tickets/tickets.ts',
      'await refuseBeyond(change, { of, counted, limit: MAX_TICKETS_A_DAY, seconds: 3600 });',
    ],
  },
  'sentences go on': {
    broken: ['apps/server/src/modules/a/b.ts', "throw refuse('STALE', { what: 'The list' });"],
    kept: ['apps/server/src/modules/a/b.ts', "throw refuse('STALE', { what: 'the list' });"],
  },
  'counts end now': {
    broken: ['apps/server/src/modules/a/b.ts', 'sql`select count(*) as count from a where made_at > ${since}`'],
    kept: ['apps/server/src/modules/a/b.ts', 'sql`select count(*) as count from a where made_at between ${since} and ${until}`'],
  },
  'one parser of forms': {
    broken: ['apps/server/src/modules/a/b.ts', 'parsed(null, new URLSearchParams(body as string))'],
    kept: ['apps/server/src/modules/a/b.ts', 'readForms(scope, 16_384);'],
  },
  'one module of days': {
    broken: ['apps/server/src/modules/billing/fees/fees.ts', 'const today = change.now.slice(0, 10);'],
    kept: ['apps/server/src/modules/billing/fees/fees.ts', 'const today = dayIn(profile.timeZone, clock());'],
  },
  'limits are called max': {
    broken: ['apps/server/src/modules/billing/fees/fees.ts', 'const MOST_LINES = 20;'],
    kept: ['apps/server/src/modules/billing/fees/fees.ts', 'const MAX_LINES = 20;'],
  },
  'one way to the storage of the device': {
    broken: ['packages/app-kit/src/form/draft.ts', 'const kept = localStorage.getItem(key);'],
    kept: ['packages/app-kit/src/form/draft.ts', 'const kept = deviceStorage().getItem(key);'],
  },
  'one way to the address of a caller': {
    broken: ['apps/server/src/modules/home/routes.ts', 'const from = request.ip;'],
    kept: ['apps/server/src/modules/home/routes.ts', 'const from = request.address;'],
  },
  'writes outside of an activity are listed': {
    broken: ['apps/server/src/modules/home/home.ts', "await db.unrecorded.deleteFrom('visit').execute();"],
    kept: ['apps/server/src/modules/whois/objects/presence.ts', 'await statement.execute(db.unrecorded);'],
  },
  'handlers have what they are handed': {
    broken: ['apps/server/src/modules/home/routes.ts', 'getHome: ({ account }) => getHome(db, account),'],
    kept: ['apps/server/src/modules/home/routes.ts', 'getHome: ({ read, account }) => getHome(read, account),'],
  },
  'docstrings say what a function does': {
    broken: ['apps/server/src/modules/home/home.ts', '/** What the account holds. */'],
    kept: ['apps/server/src/modules/home/home.ts', '/** Returns the holdings of the account, and what the registry knows of them. */'],
  },
  'no bare TODO': { broken: ['packages/ui/src/Table.tsx', '// TODO sort'], kept: ['packages/ui/src/Table.tsx', 'const todo = 1;'] },
  'one door to history': {
    broken: ['apps/server/src/modules/home/home.ts', "set_config('portal.activity_id', '1', true)"],
    kept: ['apps/server/src/platform/database/database.ts', "set_config('portal.activity_id', '1', true)"],
  },
  'calls to the outside have their places': {
    broken: ['apps/server/src/modules/home/home.ts', 'const answer = await fetch(url);'],
    kept: ['apps/server/src/modules/identity/provider/logout.ts', 'const call = fetch(target, { redirect: "manual" });'],
  },
  'one door to whois': {
    broken: ['apps/server/src/modules/routes/roas.ts', 'const outcomes = await submit(change, updates, options);'],
    kept: ['apps/server/src/modules/routes/roas.ts', 'const outcomes = await submitForAccount(change, account, updates, options);'],
  },
  'objects of other registries are asked for by their source': {
    broken: ['apps/server/src/modules/rdap/networks.ts', "import { foreignAround } from '../foreign-sources/index.ts';"],
    kept: ['apps/server/src/modules/whois/query/irr.ts', "import { foreignAround } from '../../foreign-sources/index.ts';"],
  },
  'code that is loaded later': {
    broken: ['apps/portal/src/shell/Bell.tsx', "const Menu = lazy(() => import('./Menu.tsx'));"],
    kept: ['apps/portal/src/shell/Bell.tsx', "const Menu = optionalPart(() => import('./Menu.tsx'), 'Menu');"],
  },
  'no sleeping tests': {
    broken: ['e2e/home.e2e.ts', 'await page.waitForTimeout(500);'],
    kept: ['e2e/home.e2e.ts', "await page.waitForURL('/');"],
  },
  'shared processes': {
    broken: ['apps/server/src/modules/home/home.test.ts', "vi.mock('./home.ts');"],
    kept: ['apps/server/src/modules/home/home.test.ts', "const sent = vi.spyOn(post, 'deliver');"],
  },
  'shared documents': {
    broken: ['apps/portal/src/pages/HomePage.test.tsx', "vi.mock('../portal.ts');"],
    kept: ['apps/portal/src/pages/HomePage.test.tsx', "vi.spyOn(portal.router, 'go');"],
  },
  'functions fit on a screen': {
    broken: ['apps/server/src/modules/home/home.ts', `export const getHome = () => {\n${'  count();\n'.repeat(99)}};\n`],
    kept: ['apps/server/src/modules/home/home.ts', `export const getHome = () => {\n${'  count();\n'.repeat(98)}};\n`],
  },
  'named exports': {
    broken: ['apps/server/src/modules/home/home.ts', 'export default function home() {}'],
    kept: ['apps/portal/src/home/HomePage.tsx', 'export default function HomePage() {}'],
  },
  'nothing of this machine': {
    broken: ['README.md', 'cd /home/sam/registry'],
    kept: ['README.md', 'the folder ./data/files, served at /work-orders'],
  },
  'suppressions say why': {
    broken: ['packages/ui/src/Table.tsx', '// oxlint-disable-next-line no-console'],
    kept: ['packages/ui/src/Table.tsx', '// oxlint-disable-next-line no-console -- a tool prints'],
  },
  'files are nouns of the field': {
    broken: ['apps/server/src/modules/billing/invoice-service.ts', ''],
    kept: ['apps/server/src/modules/billing/invoices/invoices.ts', ''],
  },
  'names of files': {
    broken: ['packages/number-resources/src/asNumber.ts', ''],
    kept: ['packages/number-resources/src/as-number.ts', ''],
  },
};

describe.each(rules)('$name', ({ name }) => {
  const example = examples[name]!;

  test('finds what breaks it, and where', () => {
    const [path, text] = example.broken;
    expect(findingsIn({ path, text })).toEqual([expect.stringContaining(name)]);
    expect(findingsIn({ path, text })[0]).toContain(path);
  });

  test('lets pass what keeps it', () => {
    const [path, text] = example.kept;
    expect(findingsIn({ path, text })).toEqual([]);
  });
});

test('a finding names the line', () => {
  const findings = findingsIn({ path: 'dev/people.ts', text: 'const one = 1;\n// FIXME two\n' });
  expect(findings).toEqual([expect.stringMatching(/^dev\/people\.ts:2: /)]);
});

test.each([
  'const dayMs = 24 * 3_600_000;',
  'const dayMs = 86400000;',
  'const minuteMs = 60_000;',
  'const until = began + minutes * 60_000;',
  'const dayMs = 24 * 60 * 60 * 1000;',
  'const since = new Date(now.getTime() - lasts).toISOString();',
  'const since = new Date(Date.parse(change.now) + lasts).toISOString();',
])('lengths of time and instants later are not written by hand: %s', text => {
  expect(findingsIn({ path: 'apps/server/src/modules/billing/fees/fees.ts', text })).toEqual([
    expect.stringContaining('one module of days'),
  ]);
});

describe('exceptions', () => {
  const rule: Rule = { name: 'no shouting', because: 'people hear well', where: /^apps\/.*\.ts$/, except: ['apps/loud.ts'], finds: /!!/ };
  const stale = (files: Record<string, string>, except: Rule['except'] = rule.except): string[] =>
    staleExceptions(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      [{ ...rule, except: except! }],
    );

  test('one whose file has what the rule forbids stands', () => {
    expect(stale({ 'apps/loud.ts': 'Hear!!' })).toEqual([]);
    expect(stale({ 'apps/loud.ts': 'Hear!!', 'apps/quiet.ts': '' }, [/^apps\//])).toEqual([]);
  });

  test.each([
    ['whose file is gone', {}, rule.except],
    ['whose file has nothing of it', { 'apps/loud.ts': 'Hear' }, rule.except],
    ['whose file the rule isn’t about', { 'docs/loud.md': 'Hear!!' }, ['docs/loud.md']],
    ['that matches nothing', { 'apps/loud.ts': 'Hear!!' }, [/^apps\/louder/]],
  ])('one %s is refused', (_, files, except) => {
    expect(stale(files as Record<string, string>, except)).toEqual([expect.stringContaining('“no shouting”')]);
  });
});

test.each([
  'for (const row of due) await sendDigest(db, row);',
  'while (due.length > 0) await take({ db, clock }, due.pop());',
  'for (const row of due) try { await act(context, row); } finally { count(); }',
])('a loop that hands on what it writes with is bare: %s', text => {
  expect(findingsIn({ path: 'apps/server/src/modules/home/notices.ts', text: `${text} // db` })).toEqual([
    expect.stringContaining('rows fail alone'),
  ]);
});

test.each([
  'for (const row of due) try { await db.change(line, act); } catch (error) { failures.push(error); }',
  'for (const row of await due(db)) rows.push(row);',
  'await db.change(line, async change => { for (const row of rows) await notify(change, row); });',
])('a loop within a change, or one that catches, is not: %s', text => {
  expect(findingsIn({ path: 'apps/server/src/modules/home/notices.ts', text })).toEqual([]);
});
