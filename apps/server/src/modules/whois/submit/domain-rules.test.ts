import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../../test/portal.ts';
import { readProfile } from '../../../profile.ts';
import { submit } from './submit.ts';
import type { Credentials, WhoisOutcome, WhoisUpdate } from '../store/update.ts';

const profile = readProfile('');
const member: Credentials = {
  maintainers: new Set(['maint-au-example']),
  holder: 'EXAMPLE-AU',
  mayWriteDomains: true,
  registry: false,
  who: 'Tess of EXAMPLE-AU',
};
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const activity = { action: 'test', summary: 'Tested domains', traceId: '0'.repeat(32) };
const write = async (text: string, more: Partial<WhoisUpdate> = {}): Promise<WhoisOutcome> => {
  const outcomes = await portal.db.change(activity, change =>
    submit(change, [{ operation: 'auto', text, ...more }], { credentials: member, mode: 'best-effort', profile }),
  );
  return outcomes[0]!;
};
const codesOf = (outcome: WhoisOutcome, severity: string): string[] =>
  outcome.problems.filter(each => each.severity === severity).map(({ code }) => code);
const two = 'nserver: ns1.example.net\nnserver: ns2.example.net\n';
const domain = (zone: string, lines = two): string =>
  `domain: ${zone}\ndescr: Rules\nadmin-c: ENO1-EX\ntech-c: ENO1-EX\nzone-c: ENO1-EX\n${lines}mnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
const sha1 = '64431 13 1 278BF194C29A812B33935BB2517E17D1486210FA';
const sha256 = `64431 13 2 ${'AB'.repeat(32)}`;

describe('a domain object, however it is submitted', () => {
  test.each([
    ['a part of a /24', '0-127.27.18.198.in-addr.arpa'],
    ['a single address', '1.27.18.198.in-addr.arpa'],
  ])('is none of %s', async (_, zone) => {
    expect(codesOf(await write(domain(zone)), 'error')).toContain('zone-not-delegated');
  });

  test('has two to twelve name servers', async () => {
    const of = async (count: number) =>
      codesOf(
        await write(domain('27.18.198.in-addr.arpa', Array.from({ length: count }, (_, i) => `nserver: ns${i}.example.net\n`).join(''))),
        'error',
      );
    expect(await of(1)).toEqual(['too-few-servers']);
    expect(await of(13)).toEqual(['too-many-servers']);
  });

  test.each([
    ['nserver: ns_1.example.net', 'not-a-host-name', 'ns_1.example.net has an underscore, which names of servers can’t have (RFC 1123)'],
    ['nserver: -ns.example.net', 'not-a-host-name', '-ns.example.net isn’t a host name. Enter one such as ns1.example.net'],
    ['nserver: ns1.example.7', 'not-a-host-name', 'ns1.example.7 isn’t a host name. Enter one such as ns1.example.net'],
    ['ds-rdata: 0 0 0 00', 'ds-deletes', '0 0 0 00 is how a zone asks for its DS to be deleted (RFC 8078). Remove the line instead'],
    [
      `ds-rdata: 1 13 9 ${'AB'.repeat(32)}`,
      'ds-not-for-parents',
      'Digest type 9 isn’t used for DS records. Use 2 (SHA-256) or 4 (SHA-384)',
    ],
    [`ds-rdata: 1 99 2 ${'AB'.repeat(32)}`, 'ds-not-for-parents', 'Algorithm 99 is unknown. Sign with 13 (ECDSA P-256) or 15 (Ed25519)'],
  ])('can’t say %s', async (line, code, message) => {
    const { problems } = await write(domain('27.18.198.in-addr.arpa', `${two}${line}\n`));
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([{ code, message }]);
  });

  test.each([
    ['127.0.0.1', ['glue-unreachable']],
    ['10.1.2.3', ['glue-unreachable']],
    ['0.0.0.0', ['glue-unreachable']],
    ['::1', ['glue-unreachable']],
    ['fe80::53', ['glue-unreachable']],
    ['::ffff:192.0.2.1', ['glue-unreachable']],
    ['198.18.27.53', []],
    ['2001:db8::53', []],
  ])('publishes the address %s of a server inside the zone only if other resolvers can reach it', async (address, codes) => {
    const zone = '27.18.198.in-addr.arpa';
    expect(codesOf(await write(domain(zone, `${two}nserver: ns.${zone} ${address}\n`)), 'error')).toEqual(codes);
  });

  const zone = '27.18.198.in-addr.arpa';
  test.each([
    [
      'any1.example.net.18.198.in-addr.arpa',
      'error',
      'server-unfindable',
      'any1.example.net.18.198.in-addr.arpa lies inside 18.198.in-addr.arpa and has no address. If its name is any1.example.net, enter just that',
    ],
    [
      'ns1.198.in-addr.arpa',
      'error',
      'server-unfindable',
      `ns1.198.in-addr.arpa lies inside 198.in-addr.arpa and has no address. Name a server elsewhere, such as ns1.example.net, or one inside ${zone} with its address`,
    ],
    [
      'ns1.28.18.198.in-addr.arpa',
      'warning',
      'server-beside',
      `ns1.28.18.198.in-addr.arpa lies inside 28.18.198.in-addr.arpa, so its address isn’t published with ${zone}. Resolvers find it only where 28.18.198.in-addr.arpa is delegated and has it`,
    ],
  ])('names the server %s with this %s, by whichever way it is written', async (server, severity, code, message) => {
    const { state, problems } = await write(domain(zone, `${two}nserver: ${server}\n`));
    expect(problems.filter(each => each.code !== 'servers-unchecked')).toMatchObject([{ severity, code, message, attribute: 7 }]);
    expect(state).toBe(severity === 'error' ? 'failed' : 'ok');
    if (state === 'ok') await write(domain(zone, `${two}nserver: ${server}\n`), { operation: 'delete' });
  });

  test('from before this rule keeps a server without an address while other lines change, and is published without it', async () => {
    const old = '29.18.198.in-addr.arpa';
    const server = 'ns1.example.net.18.198.in-addr.arpa';
    await write(domain(old));
    await portal.db.change(activity, change =>
      change.rows(
        sql`update whois_object set text = replace(text, ${'nserver: ns1.example.net\n'}, ${`nserver: ${server}\n`}) where key = ${old}`,
      ),
    );
    const [stored] = await portal.db.read.rows<{ text: string }>(sql`select text from whois_object where key = ${old}`);
    expect(stored!.text).toContain(server);
    expect((await write(stored!.text.replace('Rules', 'Other words'))).state).toBe('ok');
    expect(codesOf(await write(stored!.text.replace('ns2.', 'ns9.')), 'error')).toEqual(['server-unfindable']);
  });

  test('with a SHA-1 DS is accepted with a warning, and with one that its servers were not checked', async () => {
    const outcome = await write(domain('27.18.198.in-addr.arpa', `${two}ds-rdata: ${sha1}\nds-rdata: ${sha256}\n`));
    expect([outcome.state, codesOf(outcome, 'warning')]).toEqual(['ok', ['ds-outdated', 'servers-unchecked']]);
    const described = await write(outcome.after!.replace('descr: Rules', 'descr: Other words'));
    expect([described.state, codesOf(described, 'warning')]).toEqual(['ok', ['ds-outdated']]);
    const checked = await write(outcome.after!.replace('ns2.example.net', 'ns3.example.net'), { serversChecked: true });
    expect([checked.state, codesOf(checked, 'warning')]).toEqual(['ok', ['ds-outdated']]);
  });

  test('from before these rules keeps its single server while other lines change', async () => {
    await write(domain('28.18.198.in-addr.arpa'));
    await portal.db.change(activity, change =>
      change.rows(
        sql`update whois_object set text = replace(text, ${'nserver: ns2.example.net\n'}, '') where key = '28.18.198.in-addr.arpa'`,
      ),
    );
    const one = domain('28.18.198.in-addr.arpa', 'nserver: ns1.example.net\n');
    expect((await write(one.replace('descr: Rules', 'descr: Other words'))).state).toBe('ok');
    expect(codesOf(await write(one.replace('ns1.', 'ns9.')), 'error')).toEqual(['too-few-servers']);
  });
});
