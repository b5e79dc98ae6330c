import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { checkInvariants, violationInWords } from '../../../platform/invariants.ts';
import { readProfile } from '../../../profile.ts';
import { listSharedHandles } from '../objects/shared-handles.ts';
import { submit } from '../submit/submit.ts';
import type { Credentials, WhoisOutcome, WhoisUpdate } from './update.ts';

const profile = readProfile('');
const member: Credentials = {
  maintainers: new Set(['maint-au-example']),
  holder: 'EXAMPLE-AU',
  mayWriteDomains: true,
  registry: false,
  who: 'Tess of EXAMPLE-AU',
};
const registry: Credentials = { maintainers: new Set(), holder: null, mayWriteDomains: true, registry: true, who: 'The registry' };
const activity = { action: 'test', summary: 'Tested handles', traceId: '0'.repeat(32) };

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const writeAll = (texts: readonly string[], credentials = member, more: Partial<WhoisUpdate> = {}): Promise<WhoisOutcome[]> =>
  portal.db.change(activity, change =>
    submit(
      change,
      texts.map(text => ({ operation: 'auto', text, ...more })),
      { credentials, mode: 'best-effort', profile },
    ),
  );
const write = async (text: string, credentials = member, more: Partial<WhoisUpdate> = {}): Promise<WhoisOutcome> =>
  (await writeAll([text], credentials, more))[0]!;
const codes = (outcome: WhoisOutcome): string[] => outcome.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);

const end = 'mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
const contact = 'address: 1 Street\ncountry: AU\nphone: +61 7 5550 0100\ne-mail: a@example.net\n';
const person = (handle: string): string => `person: Mallory Mimic\n${contact}nic-hdl: ${handle}\n${end}`;
const role = (handle: string): string => `role: Mimic Desk\n${contact}admin-c: ENO1-EX\ntech-c: ENO1-EX\nnic-hdl: ${handle}\n${end}`;
const maintainer = (name: string): string =>
  `mntner: ${name}\ndescr: Names\nadmin-c: ENO1-EX\nupd-to: a@example.net\nauth: PORTAL\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;

describe('the name space of handles', () => {
  test('the handle of a role can’t be taken by a person, by members or the registry', async () => {
    for (const credentials of [member, registry]) {
      const [refused] = (await write(person('ONO1-EX'), credentials)).problems;
      expect(refused).toMatchObject({
        code: 'handle-in-use',
        message: 'ONO1-EX is the name of the role ONO1-EX. Enter AUTO-1 for a new handle',
      });
    }
  });

  test('of a person and a role with the same handle in one text, only one is made', async () => {
    const outcomes = await writeAll([person('MM7001-EX'), role('MM7001-EX')]);
    expect(outcomes.map(({ state }) => state).toSorted()).toEqual(['failed', 'ok']);
  });

  test('a handle of a deleted object of another class is not reused', async () => {
    const { after } = await write(role('MM7002-EX'));
    expect((await write(after!, member, { operation: 'delete' })).state).toBe('ok');
    expect(codes(await write(person('MM7002-EX')))).toEqual(['handle-used']);
    expect(codes(await write(role('MM7002-EX')))).toEqual(['handle-used']);
    expect((await write(role('MM7002-EX'), member, { restores: true })).state).toBe('ok');
  });

  test('the handle of a contact can’t be taken by a maintainer, for the registry either', async () => {
    expect(codes(await write(maintainer('ONO1-EX'), registry))).toContain('handle-in-use');
  });

  test('the database refuses duplicates that bypass the rules', async () => {
    const copied = portal.db.change(activity, change =>
      change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at)
        select 'person', key, shown, text, 1, created_at, changed_at from whois_object where class = 'role' and key = 'ono1-ex'`),
    );
    await expect(copied).rejects.toThrow('whois_object_one_handle');
  });

  test('pairs from before the rule are found by verify and the desk, until one is deleted', async () => {
    const { after } = await write(person('MM7003-EX'));
    await portal.db.change(activity, change =>
      change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at, handle_shared)
        select 'role', key, shown, replace(text, 'person:', 'role:'), 1, created_at, changed_at, true from whois_object where class = 'person' and key = 'mm7003-ex'`),
    );
    const pairs = async () =>
      (await checkInvariants(portal.context, null))
        .filter(({ name }) => name === 'whois.handles')
        .flatMap(({ violations }) => violations.map(violationInWords));
    expect(await pairs()).toEqual([
      'The handle MM7003-EX names several objects: person MM7003-EX and role MM7003-EX. Have all but one deleted (at the desk: Registry data).',
    ]);
    expect(await listSharedHandles({ read: portal.db.read })).toMatchObject({
      total: 1,
      rows: [{ handle: 'MM7003-EX', objects: [{ class: 'person', name: 'Mallory Mimic' }, { class: 'role' }] }],
    });
    expect((await write(after!, member, { operation: 'delete' })).state).toBe('ok');
    expect(await pairs()).toEqual([]);
    expect((await listSharedHandles({ read: portal.db.read })).rows).toEqual([]);
    const again = portal.db.change(activity, change =>
      change.rows(sql`insert into whois_object (class, key, shown, text, version, created_at, changed_at)
        select 'person', key, shown, text, 1, created_at, changed_at from whois_object where class = 'role' and key = 'mm7003-ex'`),
    );
    await expect(again).rejects.toThrow('whois_object_one_handle');
  });
});

describe('names that look like another’s', () => {
  test.each([
    ['EXAMPLE-HM2', 'Names that start with EXAMPLE-HM are kept for registries. Choose another name'],
    ['EXAMPLE-NOC', 'Names that start with EXAMPLE- are kept for registries. Choose another name'],
    ['APNIC-HM', 'Names that start with APNIC- are kept for registries. Choose another name'],
    ['AS64500', 'AS64500 looks like the name of an AS number. Choose another name'],
    ['PGPKEY-1', 'PGPKEY-1 looks like the name of a key. Choose another name'],
    ['X509-1', 'X509-1 looks like the name of a key. Choose another name'],
    ['ZZ999-EX', 'ZZ999-EX looks like the name of a contact. Choose another name'],
    ['AUTO-1', 'AUTO-1 looks like the name of a handle to be made. Choose another name'],
  ])('a member can’t make a maintainer %s', async (name, message) => {
    const { state, problems } = await write(maintainer(name));
    expect([state, problems.find(({ code }) => code === 'reserved-look')?.message]).toEqual(['failed', message]);
  });

  test.each(['AS-EX', 'RS-EX', 'IRT-EX', 'ORG-EX'])('a member can’t make a contact %s', async handle => {
    expect(codes(await write(person(handle)))).toEqual(['reserved-look']);
  });

  test('the registry may use its own names, and other names are free', async () => {
    expect((await write(maintainer('EXAMPLE-NOC'), registry)).state).toBe('ok');
    expect(codes(await write(maintainer('MAINT-PLAIN')))).not.toContain('reserved-look');
  });

  test('a handle requested twice in one text is reported once', async () => {
    const outcomes = await writeAll([person('AUTO-1'), role('AUTO-1')]);
    expect(outcomes.map(codes)).toEqual([['handle-twice'], ['handle-twice']]);
  });
});

describe('what the registry keeps', () => {
  const stored = async (objectClass: string, key: string): Promise<string> => {
    const [row] = await portal.db.read.rows<{ text: string }>(
      sql`select text from whois_object where class = ${objectClass} and key = ${key}`,
    );
    return row!.text;
  };
  test.each([
    ['status', (text: string) => text.replace(/^(status:.*)$/m, '$1 # sold')],
    ['org', (text: string) => text.replace(/^(org:.*)$/m, '$1 # no longer')],
    ['mnt-by', (text: string) => text.replace(/^(mnt-by:.*)$/m, '$1 # x')],
    ['netname', (text: string) => text.replace(/^(netname:\s+)(\S+)$/m, '$1\n+$2')],
    ['netname', (text: string) => text.replace(/^(netname:.*)$/m, '$1\n# nobody’s')],
  ])('takes neither comments nor spacing from a member on %s', async (attribute, changed) => {
    const text = await stored('inetnum', '198.18.0.0 - 198.18.31.255');
    const given = changed(text);
    expect(given).not.toBe(text);
    // Beside a change that the holder may make.
    const { problems } = await write(given.replace(/^source:/m, 'remarks: Ask first\nsource:'));
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      `The registry sets ${attribute} of 198.18.0.0 - 198.18.31.255. Ask the registry to change it`,
    ]);
  });

  test('what a holder may change still takes comments', async () => {
    const text = await stored('inetnum', '198.18.0.0 - 198.18.31.255');
    expect((await write(text.replace(/^(admin-c:.*)$/m, '$1 # ask first'))).state).toBe('ok');
  });
});

describe('deletions', () => {
  test('accept every spelling that a change accepts, and a line with the creation time', async () => {
    const route = (prefix: string): string => `route6: ${prefix}\norigin: AS64500\ndescr: Spelled\n${end}`;
    const made = await write(route('2001:db8::/32'), registry);
    expect(made.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const spelled = `${made.after!.replace('2001:db8::/32', '2001:0DB8::/32').trimEnd()}\ncreated: 2020-01-01T00:00:00Z\n`;
    const gone = await write(spelled, registry, { operation: 'delete' });
    expect([gone.state, codes(gone)]).toEqual(['ok', []]);
  });

  test('with two reasons are refused, as one would be lost', async () => {
    const made = await write(person('MM7005-EX'));
    const outcome = await write(`${made.after!.trimEnd()}\ndelete: one reason\ndelete: another\n`);
    expect(codes(outcome)).toEqual(['delete-twice']);
  });

  test('still require the text of the present object', async () => {
    const made = await write(person('MM7004-EX'));
    expect(codes(await write(made.after!.replace('1 Street', '2 Street'), member, { operation: 'delete' }))).toEqual(['delete-differs']);
  });
});
