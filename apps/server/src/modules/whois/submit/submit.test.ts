import { formatObject, objectOf, parseObject, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certifLines, openPgpKey, rightTexts, invalidObjects, withLine } from '../../../../../../packages/rpsl/test/update-table.ts';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { submit } from './submit.ts';
import type { Credentials, WhoisOutcome, WhoisUpdate } from '../store/update.ts';

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
/** Returns the bytes of an armoured key, without header and checksum. */
const bytesOf = (armour: string): Buffer =>
  Buffer.from(
    armour
      .split('\n')
      .filter(line => /^[A-Za-z0-9+/]+=*$/.test(line))
      .join(''),
    'base64',
  );
const errors = ({ problems }: WhoisOutcome): string[] => problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);

/** Classes that only the registry creates; every other class is tested by page and upload. */
describe.each(['as-block', 'aut-num', 'organisation'] as const)('%s of the registry', objectClass => {
  test('is created, left alone when nothing differs, changed and deleted, each with its version', async () => {
    const text = rightTexts[objectClass];
    const created = await one(text, registry, { operation: 'create' });
    expect([errors(created), created.state, created.done]).toEqual([[], 'ok', 'create']);
    const first = created.afterVersion!;
    expect((await one(created.after!, registry)).state).toBe('unchanged');
    expect(errors(await one(text, registry, { operation: 'create' }))).toEqual(['exists']);
    const other = withLine(text, objectClass === 'organisation' ? 'address' : 'remarks', 'Changed');
    expect(errors(await one(other, stranger))).toContain('not-authorised');
    const changed = await one(other, registry, { operation: 'modify', expectedVersion: first });
    expect([changed.state, changed.done, changed.afterVersion]).toEqual(['ok', 'modify', first + 1]);
    expect(errors(await one(changed.after!, stranger, { operation: 'delete' }))).toContain('not-authorised');
    const deleted = await one(changed.after!, registry, { operation: 'delete', reason: 'Tested' });
    expect([deleted.state, deleted.done, deleted.after]).toEqual(['ok', 'delete', null]);
  });

  test.each(invalidObjects(objectClass))('$name is refused to the registry too', async ({ text, code }) => {
    expect(errors(await one(text, registry))).toContain(code);
  });
});

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
    // A rehearsal uses no number.
    expect(outcomes[3]!.shown).toBe('NN1-EX');
    expect(outcomes[0]!.after).toContain('NN1-EX');
    const maker = { ...member, maintainers: new Set(['maint-au-example', 'maint-new']) };
    const gone = await go(
      outcomes.map(({ after }) => ({ operation: 'delete', text: after! })),
      maker,
    );
    expect(gone.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    // The number is not reused, automatically or by hand.
    const again = await go([
      { operation: 'auto', text: `person: Ned Nobody\n${person}nic-hdl: AUTO-7\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n` },
    ]);
    expect(again[0]!.shown).toBe('NN2-EX');
    expect(errors(await one(`person: Nora Newcomer\n${person}nic-hdl: NN1-EX\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`))).toEqual([
      'handle-used',
    ]);
  });

  test('that is atomic stores nothing if one object fails, and reports the others as skipped', async () => {
    const outcomes = await go([...pair('MAINT-ATOMIC'), { operation: 'auto', text: 'person: X\nsource: EXAMPLE\n' }], member, {
      mode: 'atomic',
    });
    expect(outcomes.map(({ state }) => state)).toEqual(['skipped', 'skipped', 'skipped', 'skipped', 'failed']);
    expect(await portal.db.read.rows(sql`select from whois_object where key = 'maint-atomic'`)).toEqual([]);
  });

  test('changes an object that comes twice in the order given: a status is changed by deleting and creating', async () => {
    const text = rightTexts.inetnum;
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
    const text = rightTexts['inet-rtr'];
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

  test('reports all errors of every step together', async () => {
    const outcome = await one(
      'route: 10.0.0.0/8\ndescr: x\ncountry: australia\norigin: AS4200000000\nmnt-by: MAINT-SG-OTHER\nmnt-by: MAINT-NONE\nsource: RIPE\n',
    );
    expect(errors(outcome)).toEqual(
      expect.arrayContaining(['reference-missing', 'not-authorised', 'no-parent', 'bogon-prefix', 'bogon-origin', 'wrong-source']),
    );
    expect(errors(outcome).length).toBeGreaterThan(6);
  });

  test('of garbage is refused without a defect', async () => {
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

  test('the holder can complete what the registry keeps, but not change or delete it', async () => {
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

test('a maintainer that old objects name cannot be recreated by another account', async () => {
  await portal.db.change(activity, change =>
    sql`insert into whois_reference (object_id, attribute, value) select object_id, 'mnt-by', 'maint-orphan' from whois_object where key = 'ns1-ex'`.execute(
      change,
    ),
  );
  const text = formatObject(objectOf([['mntner', 'MAINT-ORPHAN'], ['descr', 'x'], ['admin-c', 'TL1-EX'], ['upd-to', 'a@example.net'], ['auth', 'PORTAL'], ['mnt-by', 'MAINT-ORPHAN'], ['source', 'EXAMPLE']])); // biome-ignore format: one line
  expect(errors(await one(text))).toEqual(['maintainer-named-before']);
});

describe('a key-cert', () => {
  const keyCert = (name: string, armour: string): string =>
    `key-cert: ${name}\n${certifLines(armour)}mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;

  test('describes itself as GnuPG describes the key: method, owner, fingerprint', async () => {
    const { after } = await one(keyCert('PGPKEY-B2DE8421', openPgpKey), member, { operation: 'create' });
    const { object } = parseObject(after!);
    expect(['method', 'owner', 'fingerpr'].map(name => valuesOf(object!, name))).toEqual([
      ['PGP'],
      ['Example Networks Abuse Desk <abuse@example-au.example>'],
      ['11C8 0BD4 67CC E59F E8E7  568D 9AE2 248A B2DE 8421'],
    ]);
    await one('key-cert: PGPKEY-B2DE8421\n', member, { operation: 'delete' });
  });

  const armoured = (bytes: Buffer): string =>
    `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PGP PUBLIC KEY BLOCK-----`;
  /** The key with another tag on its first packet, whose head is of the old form. */
  const withTag = (tag: number): Buffer => {
    const bytes = bytesOf(openPgpKey);
    bytes[0] = 0x80 | (tag << 2) | (bytes[0]! & 3);
    return bytes;
  };
  test('may have headers in its armour', async () => {
    const { state } = await one(
      keyCert('PGPKEY-B2DE8421', openPgpKey.replace('\n\n', '\nVersion: GnuPG v2\nComment: of 2026\n\n')),
      member,
      {
        operation: 'create',
      },
    );
    expect(state).toBe('ok');
    await one('key-cert: PGPKEY-B2DE8421\n', member, { operation: 'delete' });
  });

  test.each([
    ['of another key', keyCert('PGPKEY-00000000', openPgpKey), 'wrong-key-id'],
    ['of nonsense', keyCert('PGPKEY-B2DE8421', 'nonsense'), 'not-a-key'],
    ['with a letter wrong', keyCert('PGPKEY-B2DE8421', openPgpKey.replace('ZS1hdS5l', 'ZS1hdS5m')), 'not-a-key'],
    ['cut short', keyCert('PGPKEY-B2DE8421', openPgpKey.replace(/^-----END[^]*/m, '')), 'not-a-key'],
    ['without its last lines', keyCert('PGPKEY-B2DE8421', openPgpKey.replace(/^ID01qk[^]*?(?=-----END)/m, '')), 'not-a-key'],
    ['of two keys', keyCert('PGPKEY-B2DE8421', armoured(Buffer.concat([bytesOf(openPgpKey), bytesOf(openPgpKey)]))), 'several-keys'],
    ['of two keys one after the other', keyCert('PGPKEY-B2DE8421', openPgpKey + openPgpKey), 'several-keys'],
    ['with its secret key after it', keyCert('PGPKEY-B2DE8421', openPgpKey + openPgpKey.replaceAll('PUBLIC', 'PRIVATE')), 'secret-key'],
    ['of a secret key that calls itself public', keyCert('PGPKEY-B2DE8421', armoured(withTag(5))), 'secret-key'],
    [
      'with a secret subkey',
      keyCert('PGPKEY-B2DE8421', armoured(Buffer.concat([bytesOf(openPgpKey), Buffer.of(0xc7, 1, 4)]))),
      'secret-key',
    ],
    ['with text before it', keyCert('PGPKEY-B2DE8421', `password: tiger\n${openPgpKey}`), 'not-a-key'],
    ['with text after it', keyCert('PGPKEY-B2DE8421', `${openPgpKey}password: tiger`), 'not-a-key'],
    ['with text within', keyCert('PGPKEY-B2DE8421', openPgpKey.replace('=toVo', 'my tiger\n=toVo')), 'not-a-key'],
    ['of a certificate', keyCert('X509-77', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'), 'certificate-not-taken'],
    [
      'of a certificate, which asks for a number',
      keyCert('AUTO-1', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----'),
      'not-a-key-id',
    ],
  ])('%s is refused', async (_, text, code) => {
    expect(errors(await one(text))).toEqual([code]);
  });
});

test('one mail per address reports everything a submission changed, and upd-to gets unauthorised attempts', async () => {
  const before = (await portal.mailsTo('noc@example-au.example')).length;
  await go(
    [rightTexts.person, rightTexts.irt].map(text => ({
      operation: 'auto',
      text: text.replace('AT77', 'AT78').replace('IRT-TABLE', 'IRT-MAILED'),
    })),
  );
  const mails = (await portal.mailsTo('noc@example-au.example')).slice(before);
  expect(mails.map(({ subject }) => subject)).toEqual(['Changed in the EXAMPLE database: 2 objects']);
  expect(mails[0]!.body).toMatch(/Tess of EXAMPLE-AU[^]*OBJECT BELOW CREATED:[^]*Ann Table[^]*IRT-MAILED/);
  await one('irt: IRT-MAILED\n', stranger, { operation: 'delete' });
  expect((await portal.mailsTo('noc@example-au.example')).at(-1)!.subject).toBe('Refused: a change of irt IRT-MAILED');
});
