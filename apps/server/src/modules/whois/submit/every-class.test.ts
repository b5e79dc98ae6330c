import { api } from '@portal/contract/api';
import type { WhoisOutcome, WhoisProblem, WhoisUpdates } from '@portal/contract/whois/whois';
import { type ClassName, classes, classNames } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  registryClasses,
  rightTexts,
  type InvalidObject,
  invalidObjects,
  withLine,
} from '../../../../../../packages/rpsl/test/update-table.ts';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
type Writer = { account: string; call: Client };
type Update = WhoisUpdates['updates'][number];

let portal: TestPortal;
let member: Writer;
let stranger: Writer;
let helper: Writer;
beforeAll(async () => {
  portal = await testPortal();
  const as = async (account: string, name: string): Promise<Writer> => ({ account, call: await portal.as(name) });
  [member, stranger, helper] = await Promise.all([as('EXAMPLE-AU', 'tess'), as('OTHER-SG', 'olive'), as('EXAMPLE-AU', 'bill')]);
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Sends one object, as the page of an object does: a dry run before the write. */
async function byPage(
  { account, call }: Writer,
  update: Partial<Update> & { text: string },
  { write = false } = {},
): Promise<WhoisOutcome> {
  const endpoint = write ? api.whois.submitUpdates : api.whois.previewUpdates;
  const { data, errors } = await call(endpoint, { account, body: { updates: [{ ...update }] } });
  if (!data) throw new Error(JSON.stringify(errors));
  return data.outcomes[0]!;
}

/** Sends any number of objects in one text, as the upload does. */
async function byUpload({ account, call }: Writer, texts: readonly string[], { write = false } = {}): Promise<WhoisOutcome[]> {
  const { data, errors } = await call(api.whois.uploadText, { account, body: { text: texts.join('\n'), dryRun: !write } });
  if (!data?.outcomes) throw new Error(JSON.stringify(errors));
  return data.outcomes;
}

const said = ({ state, problems }: WhoisOutcome) => ({ state, problems });
const errorsOf = ({ problems }: { problems: readonly WhoisProblem[] }): string[] =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
/** The page and the upload must give the same result. */
async function tryBoth(who: Writer, text: string, update: Partial<Update> = {}, sent = text): Promise<WhoisOutcome> {
  const [page, [upload]] = await Promise.all([byPage(who, { text, ...update }), byUpload(who, [sent])]);
  expect(said(upload!)).toEqual(said(page));
  return page;
}

describe.each(classNames)('%s', className => {
  const spoilt = invalidObjects(className);
  const right = rightTexts[className];
  const isRegistrys = registryClasses.has(className);

  /** Breaks an object in every way, together by upload and one by one by page; each finding is at its attribute and line. */
  const refuseAll = async (
    cases: readonly InvalidObject[],
    update: Partial<Update>,
    onPage: (of: InvalidObject) => boolean = () => true,
  ): Promise<void> => {
    const [uploads, pages] = await Promise.all([
      byUpload(
        member,
        cases.map(({ text }) => text),
      ),
      Promise.all(cases.map(each => (onPage(each) ? byPage(member, { text: each.text, ...update }) : Promise.resolve(null)))),
    ]);
    expect(uploads).toHaveLength(cases.length);
    for (const [index, { name, code, attribute, line }] of cases.entries()) {
      const [upload, page] = [uploads[index]!, pages[index]];
      if (page) expect({ name, ...said(upload) }).toEqual({ name, ...said(page) });
      expect({ name, state: upload.state, problems: upload.problems }).toEqual({
        name,
        state: 'failed',
        problems: expect.arrayContaining([expect.objectContaining({ severity: 'error', code, attribute, line })]),
      });
    }
  };

  test('that is new is refused in every way the template knows, by page and upload', () =>
    // Each with its own key where that is easy: objects of one key are processed one after another.
    refuseAll(
      spoilt.map((each, index) => ({
        ...each,
        text: each.text
          .replaceAll(/\bTABLE\b/g, `$&${index}`)
          .replaceAll(/\b(AT|TO|TB)77-EX/g, `$1${100 + index}-EX`)
          .replaceAll('edge2.', `edge${100 + index}.`),
      })),
      {},
    ));

  test('can be created, changed and deleted only by its maintainers', async () => {
    expect(errorsOf(await tryBoth(stranger, right))).toEqual(
      expect.arrayContaining([className === 'aut-num' ? 'kept-by-registry' : 'not-authorised']),
    );
  });

  if (isRegistrys)
    test('is the registry’s to make and to delete', async () => {
      const free = right.replace('AS64505', 'AS65551');
      expect(errorsOf(await tryBoth(member, free))).toContain(className === 'aut-num' ? 'no-parent' : 'registry-only');
    });
  else
    test('is created, changed and deleted, by page and upload in turn; once there it is refused in every way as well', async () => {
      const created = await byPage(member, { text: right, operation: 'create' }, { write: true });
      expect([errorsOf(created), created.state, created.done]).toEqual([[], 'ok', 'create']);
      const { class: stored, key, shown } = created;
      const of = { class: stored as ClassName, key: shown };
      const first = created.afterVersion!;
      expect((await tryBoth(member, created.after!, { operation: 'modify', expectedVersion: first, of })).state).toBe('unchanged');

      // Another key is another object, which doesn't exist.
      const keys = classes[className].template.flatMap(row => (row.key.includes('primary') ? [row.attribute as string] : []));
      await refuseAll(
        spoilt.filter(({ shows, attribute }) => shows === 'alone' || !keys.includes(attribute!)),
        { operation: 'modify' },
        // The page as one of each kind: what it sends differs in the operation alone.
        ({ code, name }) => spoilt.find(each => each.code === code)!.name === name,
      );
      const other = withLine(right, 'remarks', 'Changed');
      expect(errorsOf(await tryBoth(stranger, other, { operation: 'modify' }))).toContain('not-authorised');
      expect(errorsOf(await tryBoth(stranger, created.after!, { operation: 'delete' }, `${created.after!}delete: x\n`))).toContain(
        'not-authorised',
      );
      expect(errorsOf(await tryBoth(member, withLine(right, 'mnt-by', 'MAINT-SG-OTHER'), { operation: 'modify' }))).toContain(
        'maintainer-not-authorised',
      );

      const [changed] = await byUpload(member, [other], { write: true });
      expect([errorsOf(changed!), changed!.done, changed!.afterVersion]).toEqual([[], 'modify', first + 1]);
      const late = await byPage(member, { text: right, operation: 'modify', expectedVersion: first, of });
      expect(errorsOf(late)).toEqual(['changed-meanwhile']);
      const again = await byPage(member, { text: right, operation: 'modify', expectedVersion: first + 1, of }, { write: true });
      expect([again.state, again.afterVersion]).toEqual(['ok', first + 2]);

      expect(errorsOf(await tryBoth(member, other, { operation: 'delete' }, `${other}delete: x\n`))).toEqual(['delete-differs']);
      const [gone] = await byUpload(member, [`${again.after!}delete: Tested\n`], { write: true });
      expect([errorsOf(gone!), gone!.done, gone!.after]).toEqual([[], 'delete', null]);
      expect(errorsOf(await tryBoth(member, again.after!, { operation: 'delete' }, `${again.after!}delete: x\n`))).toEqual(['not-there']);
      const history = await portal.db.read.rows<{ operation: string; reason: string }>(
        sql`select operation, reason from whois_journal where class = ${stored} and key = ${key} and version >= ${first} order by version`,
      );
      expect(history.map(({ operation, reason }) => [operation, reason])).toEqual([
        ['ADD', ''],
        ['ADD', ''],
        ['ADD', ''],
        ['DEL', 'Tested'],
      ]);
      expect(await portal.db.read.rows(sql`select from whois_object where class = ${stored} and key = ${key}`)).toEqual([]);
    });
});

/** Consents needed besides the maintainers' own: each is left out once, by class. */
const sets = ['as-set', 'route-set', 'filter-set', 'peering-set', 'rtr-set'] as const;
const withAbuse = ['inetnum', 'inet6num', 'aut-num'] as const;
const theirs = (text: string): string => text.replace('mnt-by: MAINT-AU-EXAMPLE', 'mnt-by: MAINT-SG-OTHER');
type Refusal = [ClassName, string, () => Writer, string, code: string, attribute: string | null];
const refusals: Refusal[] = [
  ...(['inetnum', 'inet6num', 'domain', ...sets] as const).map((name): Refusal => [name, 'whose parent is another’s', () => stranger, theirs(rightTexts[name]), 'parent-not-authorised', null]),
  ...withAbuse.map((name): Refusal => [name, 'that names another’s irt', () => member, withLine(rightTexts[name], 'mnt-irt', 'IRT-SG-OTHER'), 'irt-not-authorised', 'mnt-irt']),
  ...classNames
    .filter(name => !registryClasses.has(name))
    .map((name): Refusal => [name, 'that names another’s organisation', () => member, withLine(rightTexts[name], 'org', 'ORG-OTHER'), 'organisation-not-authorised', 'org']),
  ['inetnum', 'outside what the registry delegated', () => member, rightTexts.inetnum.replace('198.18.30.0 - 198.18.30.255', '11.0.0.0 - 11.0.0.255'), 'no-parent', null],
  ['inet6num', 'outside what the registry delegated', () => member, rightTexts.inet6num.replace('2001:db8:f000::', '2a00:1::'), 'no-parent', null],
  ['route', 'for another’s addresses', () => member, rightTexts.route.replace('198.18.16.0', '198.51.100.0'), 'prefix-not-authorised', null],
  ['route', 'from another’s AS number', () => member, rightTexts.route.replace('AS64500', 'AS64501'), 'origin-not-authorised', 'origin'],
  ['route6', 'for another’s addresses', () => member, rightTexts.route6.replace('2001:db8:f000::/48', '3fff:200:1::/48'), 'prefix-not-authorised', null],
  ['route6', 'from another’s AS number', () => member, rightTexts.route6.replace('AS64500', 'AS64501'), 'origin-not-authorised', 'origin'],
  ['aut-num', 'that calls itself a member of a set', () => member, withLine(rightTexts['aut-num'], 'member-of', 'AS64501:AS-OTHER'), 'not-a-member', 'member-of'],
  ['route', 'that calls itself a member of a set', () => stranger, withLine(theirs(rightTexts.route), 'member-of', 'AS64500:RS-ROUTES'), 'not-a-member', 'member-of'],
  ['route6', 'that calls itself a member of a set', () => stranger, withLine(theirs(rightTexts.route6), 'member-of', 'AS64500:RS-ROUTES'), 'not-a-member', 'member-of'],
  ['inet-rtr', 'that calls itself a member of a set', () => member, withLine(rightTexts['inet-rtr'], 'member-of', 'AS64500:RTRS-CLOSED'), 'not-a-member', 'member-of'],
  ['domain', 'without the permission for reverse domains', () => helper, rightTexts.domain, 'no-domain-permission', null],
]; // biome-ignore format: a table is read along its lines

describe('authorisation', () => {
  let organisation = '';
  beforeAll(async () => {
    const { data } = await stranger.call(api.whois.listObjects, { account: stranger.account, query: { class: 'organisation' } });
    organisation = data!.rows[0]!.shown;
    await byPage(member, { text: rightTexts['rtr-set'].replace('RTRS-TABLE', 'RTRS-CLOSED') }, { write: true });
    await portal.db.change({ action: 'test', summary: 'Gave a maintainer', traceId: '0'.repeat(32) }, change =>
      change
        .updateTable('contact')
        .set({ maintainers: ['MAINT-AU-EXAMPLE'] })
        .where('fullName', '=', 'Bill Okonkwo')
        .execute(),
    );
  });

  test.each(refusals)('%s %s is refused both by page and by upload', async (_, _why, who, text, code, attribute) => {
    const { state, problems } = await tryBoth(who(), text.replace('ORG-OTHER', organisation));
    expect(state).toBe('failed');
    expect(problems).toContainEqual(expect.objectContaining({ severity: 'error', code, ...(attribute !== null && { attribute }) }));
  });
});
