import { formatObject, objectOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { readProfile } from '../../profile.ts';
import { submit } from './submit.ts';
import type { Credentials, WhoisOutcome, WhoisUpdate } from './update.ts';

const profile = readProfile('');
const activity = { action: 'test', summary: 'Tested whois', traceId: '0'.repeat(32) };
const member: Credentials = {
  maintainers: new Set(['maint-au-example']),
  holder: 'EXAMPLE-AU',
  mayWriteDomains: true,
  registry: false,
  who: 'Tess of EXAMPLE-AU',
};
const stranger: Credentials = { ...member, maintainers: new Set(['maint-sg-other']), holder: 'OTHER-SG', who: 'Olive of OTHER-SG' };
const registry: Credentials = { maintainers: new Set(), holder: null, mayWriteDomains: true, registry: true, who: 'The registry' };

const common = 'admin-c: ENO1-EX\ntech-c: ENO1-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
const person = 'address: 1 Street\ncountry: AU\nphone: +61 7 5550 0100\ne-mail: a@example.net\n';
const key = `-----BEGIN PGP PUBLIC KEY BLOCK-----
+
mDMEZVxr0BYJKwYBBAHaRw8BAQdAQ0vR0Qm0m1o0m1o0m1o0m1o0m1o0m1o0m1o0m1o0m1q0
-----END PGP PUBLIC KEY BLOCK-----`;

/**
 * Every class once: a right object of a member (or of the registry, where only that makes it), an attribute that may change, the attributes that refer
 * and what they are given that is not there, and whose word is missing when a stranger writes it.
 */
type Row = { class: string; text: string; as?: Credentials; change?: [string, string]; dangling: Record<string, string>; stranger: string };
const rows: Row[] = [
  {
    class: 'person',
    text: `person: Ann Table\n${person}nic-hdl: AT77-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
    dangling: { 'mnt-by': 'MAINT-NONE', org: 'ORG-NO99-EX' },
    stranger: 'not-authorised',
  },
  {
    class: 'role',
    text: `role: Table Operations\n${person}nic-hdl: TO77-EX\n${common}`,
    dangling: { 'admin-c': 'NO99-EX', 'tech-c': 'NO99-EX', 'mnt-by': 'MAINT-NONE' },
    stranger: 'not-authorised',
  },
  {
    class: 'irt',
    text: `irt: IRT-TABLE\naddress: 1 Street\ne-mail: irt@example.net\nabuse-mailbox: abuse@example.net\nauth: PORTAL\n${common}`,
    dangling: { 'admin-c': 'NO99-EX', 'mnt-by': 'MAINT-NONE', encryption: 'PGPKEY-00000000' },
    stranger: 'not-authorised',
  },
  {
    class: 'mntner',
    text: `mntner: MAINT-TABLE\ndescr: Table\nupd-to: noc@example.net\nauth: PORTAL\n${common.replace('tech-c: ENO1-EX\n', '')}`,
    dangling: { 'admin-c': 'NO99-EX', auth: 'PGPKEY-00000000' },
    stranger: 'not-authorised',
  },
  {
    class: 'inetnum',
    text: `inetnum: 198.18.30.0 - 198.18.30.255\nnetname: TABLE\ndescr: Table\ncountry: AU\nstatus: ASSIGNED NON-PORTABLE\nmnt-irt: IRT-AU-EXAMPLE\n${common}`,
    dangling: { 'mnt-irt': 'IRT-NONE', 'mnt-lower': 'MAINT-NONE', org: 'ORG-NO99-EX', 'abuse-c': 'NO99-EX' },
    stranger: 'parent-not-authorised',
  },
  {
    class: 'inet6num',
    text: `inet6num: 2001:db8:f000::/48\nnetname: TABLE\ndescr: Table\ncountry: AU\nstatus: ASSIGNED NON-PORTABLE\nmnt-irt: IRT-AU-EXAMPLE\n${common}`,
    dangling: { 'mnt-irt': 'IRT-NONE', 'mnt-routes': 'MAINT-NONE', 'tech-c': 'NO99-EX' },
    stranger: 'parent-not-authorised',
  },
  {
    class: 'route',
    text: 'route: 198.18.16.0/24\ndescr: Table\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n',
    dangling: { 'member-of': 'AS64500:RS-NONE', org: 'ORG-NO99-EX' },
    stranger: 'prefix-not-authorised',
  },
  {
    class: 'route6',
    text: 'route6: 2001:db8:f000::/48\ndescr: Table\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n',
    dangling: { 'member-of': 'AS64500:RS-NONE', 'mnt-routes': 'MAINT-NONE' },
    stranger: 'origin-not-authorised',
  },
  {
    class: 'domain',
    text: `domain: 4.18.198.in-addr.arpa\ndescr: Table\nzone-c: ENO1-EX\nnserver: ns1.example.net\n${common}`,
    dangling: { 'zone-c': 'NO99-EX', 'mnt-lower': 'MAINT-NONE' },
    stranger: 'parent-not-authorised',
  },
  ...(
    [
      ['as-set', 'AS64500:AS-TABLE', 'members: AS64500\n'],
      ['route-set', 'AS64500:RS-TABLE', 'members: 198.18.0.0/19^+\n'],
      ['filter-set', 'AS64500:FLTR-TABLE', 'filter: AS64500\n'],
      ['peering-set', 'AS64500:PRNG-TABLE', 'peering: AS64501\n'],
      ['rtr-set', 'AS64500:RTRS-TABLE', 'members: edge1.syd.example.net\n'],
    ] as const
  ).map(
    ([objectClass, name, more]): Row => ({
      class: objectClass,
      text: `${objectClass}: ${name}\ndescr: Table\n${more}${common}`,
      dangling: { 'admin-c': 'NO99-EX', 'mnt-lower': 'MAINT-NONE' },
      stranger: 'parent-not-authorised',
    }),
  ),
  {
    class: 'inet-rtr',
    text: `inet-rtr: edge2.example.net\ndescr: Table\nlocal-as: AS64500\nifaddr: 198.18.2.2 masklen 24\n${common}`,
    dangling: { 'member-of': 'AS64500:RTRS-NONE', 'tech-c': 'NO99-EX' },
    stranger: 'not-authorised',
  },
  {
    class: 'aut-num',
    text: `aut-num: AS64505\nas-name: TABLE\ndescr: Table\ncountry: AU\nmnt-irt: IRT-AU-EXAMPLE\n${common}`,
    as: registry,
    dangling: { 'mnt-irt': 'IRT-NONE', 'admin-c': 'NO99-EX' },
    stranger: 'parent-not-authorised',
  },
  {
    class: 'as-block',
    text: `as-block: AS64496 - AS64499\ndescr: Table\n${common}`,
    as: registry,
    dangling: { 'admin-c': 'NO99-EX', org: 'ORG-NO99-EX' },
    stranger: 'registry-only',
  },
  {
    class: 'organisation',
    text: 'organisation: ORG-TB77-EX\norg-name: Table\norg-type: LIR\ncountry: AU\naddress: 1 Street\ne-mail: a@example.net\nmnt-ref: MAINT-AU-EXAMPLE\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n',
    as: registry,
    change: ['address', '2 Street'],
    dangling: { 'mnt-ref': 'MAINT-NONE', 'tech-c': 'NO99-EX' },
    stranger: 'registry-only',
  },
];

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  // AS64505 is free, so that it can be made.
  await go([{ operation: 'delete', text: 'aut-num: AS64505\n' }], registry);
});
afterAll(() => portal[Symbol.asyncDispose]());

const go = (
  updates: WhoisUpdate[],
  credentials: Credentials = member,
  more: { mode?: 'atomic'; dryRun?: boolean } = {},
): Promise<WhoisOutcome[]> =>
  portal.db.change(activity, change => submit(change, updates, { credentials, mode: 'best-effort', profile, ...more }));
const one = async (text: string, credentials: Credentials = member, more: Partial<WhoisUpdate> = {}): Promise<WhoisOutcome> =>
  (await go([{ operation: 'auto', text, ...more }], credentials))[0]!;
const errors = ({ problems }: WhoisOutcome): string[] => problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
const withLine = (text: string, name: string, value: string): string => {
  const present = new RegExp(`^${name}: .*$`, 'm');
  return present.test(text) ? text.replace(present, `${name}: ${value}`) : text.replace(/^source:/m, `${name}: ${value}\nsource:`);
};

describe.each(rows)(
  '$class',
  ({ class: objectClass, text, as = member, change: [name, value] = ['remarks', 'Changed'], dangling, stranger: code }) => {
    test.each(Object.entries(dangling))('is refused while its %s is not there', async (attribute, missing) => {
      const outcome = await one(withLine(text, attribute, missing), as);
      expect([outcome.state, errors(outcome)]).toEqual(['failed', expect.arrayContaining(['reference-missing'])]);
      expect(outcome.problems.find(each => each.code === 'reference-missing')!.message).toContain(missing);
    });

    test('is refused to a stranger, who is told whose word is missing', async () => {
      const theirs = await one(text, stranger);
      expect(errors(theirs)).toContain(code);
      if (code !== 'registry-only' && !['aut-num'].includes(objectClass))
        expect(theirs.problems.flatMap(({ maintainers = [] }) => maintainers)).toContain('MAINT-AU-EXAMPLE');
    });

    test('is created, left alone when nothing differs, changed and deleted, each with its version', async () => {
      const created = await one(text, as, { operation: 'create' });
      expect([created.problems.filter(each => each.severity === 'error'), created.state, created.done]).toEqual([[], 'ok', 'create']);
      const first = created.afterVersion!;
      expect((await one(created.after!, as)).state).toBe('unchanged');
      expect(errors(await one(text, as, { operation: 'create' }))).toContain('exists');
      const foreign = await one(withLine(text, name, 'Not mine'), stranger);
      expect(errors(foreign)).toContain('not-authorised');
      const changed = await one(withLine(text, name, value), as, { operation: 'modify', expectedVersion: first });
      expect([changed.state, changed.done, changed.afterVersion]).toEqual(['ok', 'modify', first + 1]);
      const late = await one(withLine(text, name, 'Late'), as, { expectedVersion: first });
      expect([errors(late), late.before]).toEqual([['changed-meanwhile'], changed.after]);
      expect(errors(await one(text, as, { operation: 'delete' }))).toEqual(['delete-differs']);
      expect(errors(await one(changed.after!, stranger, { operation: 'delete' }))).toContain('not-authorised');
      const deleted = await one(changed.after!, as, { operation: 'delete', reason: 'Tested' });
      expect([deleted.state, deleted.done, deleted.after]).toEqual(['ok', 'delete', null]);
      expect(errors(await one(changed.after!, as, { operation: 'delete' }))).toContain('not-there');
      const versions = await portal.db.read.rows<{ operation: string; reason: string }>(
        sql`select operation, reason from whois_journal where class = ${created.class} and key = ${created.key} and version >= ${first} order by version`,
      );
      expect(versions).toEqual([
        { operation: 'ADD', reason: '' },
        { operation: 'ADD', reason: '' },
        { operation: 'DEL', reason: 'Tested' },
      ]);
      const left = await portal.db.read.rows(sql`select from whois_object where class = ${created.class} and key = ${created.key}`);
      expect(left).toEqual([]);
    });
  },
);

describe('a submission', () => {
  const pair = (name: string, suffix = ''): WhoisUpdate[] => [
    {
      operation: 'create',
      text: `inetnum: 198.18.31.0 - 198.18.31.63\nnetname: INNER\ndescr: Inner\ncountry: AU\nstatus: ASSIGNED NON-PORTABLE\nadmin-c: AUTO-1\ntech-c: AUTO-1\nmnt-by: ${name}\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
    },
    {
      operation: 'create',
      text: `inetnum: 198.18.31.0 - 198.18.31.255\nnetname: OUTER\ndescr: Outer\ncountry: AU\nstatus: ALLOCATED NON-PORTABLE\nadmin-c: AUTO-1\ntech-c: AUTO-1\nmnt-by: MAINT-AU-EXAMPLE\nmnt-lower: ${name}\nmnt-irt: IRT-AU-EXAMPLE\nsource: EXAMPLE\n`,
    },
    {
      operation: 'create',
      text: `mntner: ${name}\ndescr: New\nadmin-c: AUTO-1\nupd-to: new@example.net\nauth: PORTAL\nmnt-by: ${name}\nsource: EXAMPLE\n`,
    },
    { operation: 'create', text: `person: Nora Newcomer\n${person}nic-hdl: AUTO-1${suffix}\nmnt-by: ${name}\nsource: EXAMPLE\n` },
  ];

  test('makes children before their parents, and a person with the maintainer that maintains it', async () => {
    const rehearsed = await go(pair('MAINT-NEW'), member, { dryRun: true });
    expect(rehearsed.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const outcomes = await go(pair('MAINT-NEW'), member, { mode: 'atomic' });
    expect(outcomes.map(({ state, problems }) => [state, problems.filter(each => each.severity === 'error')])).toEqual(
      outcomes.map(() => ['ok', []]),
    );
    // A rehearsal takes no number away.
    expect(outcomes[3]!.shown).toBe('NN1-EX');
    expect(outcomes[0]!.after).toContain('NN1-EX');
    const maker = { ...member, maintainers: new Set(['maint-au-example', 'maint-new']) };
    const gone = await go(
      outcomes.map(({ after }) => ({ operation: 'delete', text: after! })),
      maker,
    );
    expect(gone.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    // The number is not given again, nor taken by hand.
    const again = await go([
      { operation: 'auto', text: `person: Ned Nobody\n${person}nic-hdl: AUTO-7\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n` },
    ]);
    expect(again[0]!.shown).toBe('NN2-EX');
    expect(errors(await one(`person: Nora Newcomer\n${person}nic-hdl: NN1-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`))).toEqual([
      'handle-used',
    ]);
  });

  test('that is atomic leaves nothing behind when one object fails, and says of the others that they were skipped', async () => {
    const outcomes = await go([...pair('MAINT-ATOMIC'), { operation: 'auto', text: 'person: X\nsource: EXAMPLE\n' }], member, {
      mode: 'atomic',
    });
    expect(outcomes.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped', 'skipped', 'failed']);
    expect(await portal.db.read.rows(sql`select from whois_object where key = 'maint-atomic'`)).toEqual([]);
  });

  test('changes an object that comes twice in the order given: a status is changed by deleting and creating', async () => {
    const text = rows.find(each => each.class === 'inetnum')!.text;
    const { after } = await one(text);
    expect(errors(await one(text.replace('ASSIGNED', 'ALLOCATED')))).toEqual(['status-changed']);
    const outcomes = await go([
      { operation: 'delete', text: after! },
      { operation: 'create', text: text.replace('ASSIGNED', 'ALLOCATED') },
    ]);
    expect(outcomes.map(({ done }) => done)).toEqual(['delete', 'create']);
    await one(outcomes[1]!.after!, member, { operation: 'delete' });
  });

  test('keeps an object that others name, and lists them; changed and deleted together it goes', async () => {
    const contact = await one(`person: Cara Contact\n${person}nic-hdl: CC77-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`);
    const text = rows.find(each => each.class === 'inet-rtr')!.text;
    const router = await one(withLine(text, 'tech-c', 'CC77-EX'));
    const refused = await one(contact.after!, member, { operation: 'delete' });
    expect(refused.problems).toMatchObject([{ code: 'referenced', count: 1, objects: [{ shown: 'edge2.example.net' }] }]);
    const outcomes = await go([
      { operation: 'delete', text: contact.after! },
      { operation: 'modify', text },
    ]);
    expect(outcomes.map(({ state }) => state)).toEqual(['ok', 'ok']);
    await one(router.after!.replace('CC77-EX', 'ENO1-EX').replace(/^last-modified.*\n/m, ''), member, { operation: 'delete' });
  });

  test('tells all that is wrong at once, of every step', async () => {
    const outcome = await one(
      'route: 10.0.0.0/8\ndescr: x\ncountry: australia\norigin: AS4200000000\nmnt-by: MAINT-SG-OTHER\nmnt-by: MAINT-NONE\nsource: RIPE\n',
    );
    expect(errors(outcome)).toEqual(
      expect.arrayContaining(['reference-missing', 'not-authorised', 'no-parent', 'bogon-prefix', 'bogon-origin', 'wrong-source']),
    );
    expect(errors(outcome).length).toBeGreaterThan(6);
  });

  test('of noise is refused without a defect', async () => {
    const outcomes = await go(
      ['', '\n', 'x', ':', 'poem: a\n', 'inetnum:\n', `person: ${'x'.repeat(50_000)}\n`, 'route: 1.2.3.0/24\norigin: AS0\n'].map(text => ({
        operation: 'auto',
        text,
      })),
    );
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['failed']));
    expect(outcomes.every(outcome => errors(outcome).length > 0)).toBe(true);
  });
});

describe('networks', () => {
  const network = (range: string, status = 'ASSIGNED NON-PORTABLE'): string =>
    `inetnum: ${range}\nnetname: TEST\ndescr: Test\ncountry: AU\nstatus: ${status}\nmnt-irt: IRT-AU-EXAMPLE\n${common}`;

  test.each([
    ['that is portable is for a registry to give', network('198.18.28.0 - 198.18.28.255', 'ASSIGNED PORTABLE'), 'status-not-yours'],
    ['inside an assigned one is refused', network('198.18.8.0 - 198.18.8.127'), 'parent-assigned'],
    ['across the edge of another is refused', network('198.18.7.0 - 198.18.8.127'), 'overlaps'],
    ['outside every delegation has no parent', network('11.0.0.0 - 11.0.0.255'), 'no-parent'],
  ])('one %s', async (_, text, code) => {
    expect(errors(await one(text))).toContain(code);
  });

  test('what the registry keeps is its holder’s to complete, and not to change or delete', async () => {
    const { text } = (await portal.db.read
      .selectFrom('whoisObject')
      .select('text')
      .where('key', '=', '198.18.0.0 - 198.18.31.255')
      .executeTakeFirst())!;
    expect((await one(text.replace('source:', 'remarks:        Ours\nsource:'))).state).toBe('ok');
    expect(errors(await one(text.replace(/^netname:.*$/m, 'netname:        OTHER')))).toEqual(['frozen-attribute']);
    expect(errors(await one(text.replace(/^mnt-by:.*$/m, 'mnt-by:         MAINT-AU-EXAMPLE')))).toEqual(
      expect.arrayContaining(['frozen-attribute']),
    );
    expect(errors(await one(text.replace('source:', 'remarks: Theirs\nsource:'), stranger))).toContain('kept-by-registry');
    expect(errors(await one('inetnum: 198.18.0.0 - 198.18.31.255\n', member, { operation: 'delete' }))).toEqual(
      expect.arrayContaining(['kept-by-registry']),
    );
  });

  test('the holder of a delegation takes back what a customer made below it', async () => {
    const outer = await one(
      `${network('198.18.29.0 - 198.18.29.255', 'ALLOCATED NON-PORTABLE')}`.replace('source:', 'mnt-lower: MAINT-SG-OTHER\nsource:'),
    );
    expect(outer.state).toBe('ok');
    const inner = await one(
      network('198.18.29.0 - 198.18.29.63')
        .replace('mnt-by: MAINT-AU-EXAMPLE', 'mnt-by: MAINT-SG-OTHER')
        .replace('IRT-AU', 'IRT-SG')
        .replace('IRT-SG-EXAMPLE', 'IRT-SG-OTHER'),
      stranger,
    );
    expect([inner.state, errors(inner)]).toEqual(['ok', []]);
    expect(errors(await one(inner.after!.replace('descr: Test', 'descr: Mine')))).toContain('not-authorised');
    expect((await one(inner.after!, member, { operation: 'delete' })).state).toBe('ok');
  });
});

test('a maintainer that old objects name cannot be made by whoever comes first', async () => {
  await portal.db.change(activity, change =>
    sql`insert into whois_reference (object_id, attribute, value) select object_id, 'mnt-by', 'maint-orphan' from whois_object where key = 'ns1-ex'`.execute(
      change,
    ),
  );
  const text = formatObject(objectOf([['mntner', 'MAINT-ORPHAN'], ['descr', 'x'], ['admin-c', 'TL1-EX'], ['upd-to', 'a@example.net'], ['auth', 'PORTAL'], ['mnt-by', 'MAINT-ORPHAN'], ['source', 'EXAMPLE']])); // biome-ignore format: one line
  expect(errors(await one(text))).toEqual(['maintainer-named-before']);
});

test('a key-cert is one of an OpenPGP key', async () => {
  const outcome = await one(
    `key-cert: PGPKEY-00000000\n${key
      .split('\n')
      .map(line => `certif: ${line}`)
      .join('\n')
      .replace('certif: +', '+')}\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  );
  expect(errors(outcome)).toEqual(['wrong-key-id']);
  expect(errors(await one('key-cert: PGPKEY-00000000\ncertif: nonsense\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n'))).toEqual([
    'not-a-key',
  ]);
});

test('one mail an address tells of all that a submission changed, and upd-to of what was not allowed', async () => {
  const before = (await portal.mailsTo('noc@example-au.example')).length;
  await go(
    rows
      .filter(({ class: objectClass }) => objectClass === 'person' || objectClass === 'irt')
      .map(({ text }) => ({ operation: 'auto', text: text.replace('AT77', 'AT78').replace('IRT-TABLE', 'IRT-MAILED') })),
  );
  const mails = (await portal.mailsTo('noc@example-au.example')).slice(before);
  expect(mails.map(({ subject }) => subject)).toEqual(['Changed in the EXAMPLE database: 2 objects']);
  expect(mails[0]!.body).toMatch(/Tess of EXAMPLE-AU[^]*OBJECT BELOW CREATED:[^]*Ann Table[^]*IRT-MAILED/);
  await one('irt: IRT-MAILED\n', stranger, { operation: 'delete' });
  expect((await portal.mailsTo('noc@example-au.example')).at(-1)!.subject).toBe('Refused: a change of irt IRT-MAILED');
});
