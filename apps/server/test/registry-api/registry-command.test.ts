import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openRegistry, RegistryProblem } from '@portal/client';
import { api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../registry-command/src/run.ts';
import { testPortal, type TestPortal } from '../portal.ts';

const account = 'EXAMPLE-AU';
const url = 'https://portal.test';

describe('the client and the command registry, against the real server', () => {
  let portal: TestPortal;
  let key: string;
  let home: string;
  beforeAll(async () => {
    portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '100000' });
    const corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    const added = { prefix: '198.18.66.0/24', asn: 'AS64500', comment: 'of the portal' };
    const { version } = (await corin(api.routes.listRoutes, { account, query: {} })).data!;
    const saved = await corin(api.routes.saveRoutes, { account, body: { add: [added], version } });
    expect(saved.errors).toBeUndefined();
    const made = await corin(api.apiKeys.createApiKey, { account, body: { label: 'as code', scopes: [...apiScopeKeys], days: 30 } });
    key = made.data!.secret!;
    home = await mkdtemp(path.join(os.tmpdir(), 'registry-command-'));
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const send = (address: string, init: RequestInit): Promise<Response> => portal.request(address.slice(url.length), init);
  const client = (fetch = send, waited: number[] = []) =>
    openRegistry({ url, account, key, fetch, pause: async milliseconds => void waited.push(milliseconds) });
  async function registry(
    words: string[],
    { input = '', environment = {}, signal }: { input?: string; environment?: Record<string, string>; signal?: AbortSignal } = {},
  ) {
    let [output, errors] = ['', ''];
    const code = await run(words, {
      environment: { HOME: home, ...environment },
      input: Readable.from([input]),
      output: { write: text => void (output += text) },
      errors: { write: text => void (errors += text) },
      fetch: send,
      ...(signal && { signal }),
    });
    return { code, output, errors };
  }
  const withKey = () => ({ environment: { REGISTRY_URL: url, REGISTRY_API_KEY: key, REGISTRY_ACCOUNT: account } });
  const file = (name: string) => path.join(home, name);
  const lastActivity = async () => (await portal.lastActivity())!.activityId;

  test('a list is read to its end, a page at a time', async () => {
    const { total } = await client().call('whois.listObjects', { query: { limit: 1 } });
    const keys: string[] = [];
    for await (const { class: name, key: own } of client().each('whois.listObjects', { query: { limit: 3 } })) keys.push(`${name} ${own}`);
    expect(keys.length).toBe(total);
    expect(new Set(keys).size).toBe(total);
  });

  test('a write whose answer was lost is sent again with its key, and done once; 429 waits as long as asked', async () => {
    const waited: number[] = [];
    let calls = 0;
    const lossy = async (address: string, init: RequestInit): Promise<Response> => {
      calls++;
      const answer = await send(address, init);
      if (calls === 1) throw new TypeError('fetch failed');
      return calls === 2 ? new Response(null, { status: 429, headers: { 'retry-after': '7' } }) : answer;
    };
    const body = {
      name: 'Once Pty',
      address: '',
      economy: 'AU',
      contactName: '',
      phone: '',
      email: '',
      remarks: '',
      visibility: 'private' as const,
    };
    expect(await client(lossy, waited).call('customers.saveCustomer', { body })).toMatchObject({ name: 'Once Pty' });
    expect([calls, ...waited]).toEqual([3, 500, 7_000]);
    expect(await portal.db.read.rows(sql`select from activity where action = 'customers.saveCustomer' and refusal is null`)).toHaveLength(
      1,
    );
  });

  test('a refusal is an error with the code, the fields and the trace of the problem details', async () => {
    const refused = client().call('tickets.accountTickets.openAccountTicket', { body: { queue: 'helpdesk', subject: 'x', text: 'y' } });
    const problem = await refused.then(
      () => null,
      (error: unknown) => error as RegistryProblem,
    );
    expect(problem).toBeInstanceOf(RegistryProblem);
    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST', errors: [{ field: 'subject' }] });
    expect(problem!.traceId).toMatch(/^[0-9a-f]{32}$/);
    const opened = await client().call('tickets.accountTickets.openAccountTicket', {
      body: { queue: 'helpdesk', subject: 'From a program', text: 'Hello' },
    });
    expect((await client().call('tickets.accountTickets.listAccountTickets')).rows.map(({ ticketId }) => ticketId)).toContain(
      opened.ticketId,
    );
  });

  test('login stores a checked key in a file for its owner alone, and another portal never gets it', async () => {
    expect(await registry(['login', url, '--account', account], { input: 'mr_live_wrong\n' })).toMatchObject({ code: 1, output: '' });
    expect(await registry(['login', url, '--account', account], { input: `${key}\n` })).toMatchObject({ code: 0, errors: '' });
    const stored = file('.config/registry/credentials.json');
    expect((await stat(stored)).mode & 0o777).toBe(0o600);
    expect(await readFile(stored, 'utf8')).toContain(key);
    expect((await registry(['get', 'aspas'], { environment: { REGISTRY_URL: 'https://elsewhere.test' } })).errors).toContain(
      'There is no API key',
    );
    expect((await registry(['get', 'aspas'])).code).toBe(0);
    expect((await registry(['login', 'http://portal.test'])).errors).toContain('over https only');
    expect((await registry(['logout'])).code).toBe(0);
    expect((await registry(['get', 'aspas'])).code).toBe(1);
  });

  test('what get prints is as declared; after a change diff says 2, apply makes it so, and a second apply does nothing', async () => {
    const got = await registry(['get'], withKey());
    expect(got).toMatchObject({ code: 0, errors: '' });
    await writeFile(file('all.yaml'), got.output);
    expect(await registry(['diff', '-f', file('all.yaml')], withKey())).toEqual({
      code: 0,
      output: 'The registry is as declared.\n',
      errors: '',
    });

    const content = JSON.parse((await registry(['get', 'routes', '--json'], withKey())).output) as {
      routes: { prefix: string; origin: string; comment?: string; roa?: boolean }[];
    };
    const [first] = content.routes;
    await writeFile(
      file('routes.yaml'),
      `version: 1\naccount: ${account}\nroutes:\n${content.routes.map((route, i) => `  - ${JSON.stringify(i === 0 ? { ...route, comment: 'as code' } : route)}\n`).join('')}`,
    );
    const before = await lastActivity();
    const differs = await registry(['diff', '-f', file('routes.yaml')], withKey());
    expect(differs).toMatchObject({ code: 2, errors: '' });
    expect(differs.output).toContain(`~ ${first!.prefix} ${first!.origin}`);
    expect(differs.output).toContain('→ as code');
    expect(differs.output).not.toContain('\u001b');
    // Without a terminal nothing is applied unasked.
    expect(await registry(['apply', '-f', file('routes.yaml')], withKey())).toMatchObject({ code: 2 });
    expect(await portal.db.read.rows(sql`select from activity where action = 'routes.saveRoutes' and activity_id > ${before}`)).toEqual([]);
    const applied = await registry(['apply', '-f', file('routes.yaml'), '--yes'], withKey());
    expect(applied).toMatchObject({ code: 0, errors: '' });
    expect(applied.output).toContain('Applied 1 change.');
    const after = await lastActivity();
    expect(await registry(['apply', '-f', file('routes.yaml'), '--yes'], withKey())).toMatchObject({
      code: 0,
      output: 'The registry is as declared.\n',
    });
    expect(
      await portal.db.read.rows(
        sql`select from activity where activity_id > ${after} and action in ('routes.saveRoutes', 'routes.checkRoutes')`,
      ),
    ).toEqual([]);
  });

  test('the example of the documentation is compared and applied as it is', async () => {
    const example = path.join(import.meta.dirname, '../../../../examples/registry-as-code/registry.yaml');
    const differs = await registry(['diff', '-f', example], withKey());
    expect(differs).toMatchObject({ code: 2, errors: '' });
    const applied = await registry(['apply', '-f', example, '--yes'], withKey());
    expect(applied).toMatchObject({ code: 0, errors: '' });
    expect(await registry(['diff', '-f', example], withKey())).toMatchObject({ errors: '' });
    await writeFile(file('none.yaml'), 'version: 1\naspas: []\n');
    expect(await registry(['apply', '-f', file('none.yaml'), '--yes', '--prune'], withKey())).toMatchObject({ code: 0, errors: '' });
  });

  test('what is there can be described, also what was stored before the rules of today', async () => {
    const zone = '2.18.198.in-addr.arpa';
    const old = Array.from({ length: 13 }, (_, n) => `nserver:        ns${n + 1}.example.net`).join('\n');
    const [row] = await portal.db.read.rows<{ text: string }>(sql`select text from whois_object where class = 'domain' and key = ${zone}`);
    const write = (text: string) =>
      portal.db.change({ action: 'test', summary: 'Stored an old object', traceId: '0'.repeat(32) }, change =>
        change.rows(sql`update whois_object set text = ${text} where class = 'domain' and key = ${zone}`),
      );
    for (const servers of [old, 'nserver:        ns1.example.net']) {
      await write(row!.text.replace(/(?:^nserver:.*\n)+/m, `${servers}\n`));
      const got = await registry(['get'], withKey());
      await writeFile(file('old.yaml'), got.output);
      expect(await registry(['diff', '-f', file('old.yaml')], withKey())).toMatchObject({ code: 0, errors: '' });
      // What changes keeps to them.
      await writeFile(file('old.yaml'), got.output.replace('ns1.example.net', 'ns99.example.net'));
      const differs = await registry(['diff', '-f', file('old.yaml')], withKey());
      expect(differs.code).toBe(1);
      expect(differs.errors).toMatch(/:\d+:\d+: .*name servers/);
    }
    await write(row!.text);
  });

  test('a key that only reads finds differences, says that nothing was checked, and can’t apply', async () => {
    const corin = await portal.as('corin');
    const scopes = ['whois:read', 'routes:read', 'reverse-dns:read', 'tasks:read'] as const;
    const made = await corin(api.apiKeys.createApiKey, { account, body: { label: 'compares', scopes: [...scopes], days: 30 } });
    const reading = { environment: { ...withKey().environment, REGISTRY_API_KEY: made.data!.secret! } };
    const got = await registry(['get'], reading);
    expect(got).toMatchObject({ code: 0, errors: '' });
    await writeFile(file('read.yaml'), got.output);
    expect(await registry(['diff', '-f', file('read.yaml')], reading)).toMatchObject({ code: 0, errors: '' });
    const content = JSON.parse((await registry(['get', '--json'], reading)).output) as Record<string, Record<string, unknown>[]>;
    const { contacts, reverseZones, routes } = content as Record<'contacts' | 'reverseZones' | 'routes', Record<string, unknown>[]>;
    const changed = {
      ...content,
      contacts: contacts.map((one, at) => (at === 0 ? { ...one, remarks: ['Ask at the front desk'] } : one)),
      reverseZones: reverseZones.map((one, at) => (at === 0 ? { ...one, servers: ['ns8.example.net', 'ns9.example.net'] } : one)),
      aspas: [{ customer: 'AS64500', providers: ['AS1221'] }],
      routes: routes.map((one, at) => (at === 0 ? { ...one, comment: 'changed' } : one)),
      roas: [{ prefix: '198.18.4.0/24', origin: 'AS64500' }],
    };
    await writeFile(file('read.yaml'), JSON.stringify(changed));
    const differs = await registry(['diff', '-f', file('read.yaml')], reading);
    expect(differs).toMatchObject({ code: 2, errors: '' });
    for (const line of ['+ remarks: Ask at the front desk', '+ ns8.example.net', '+ AS64500', '→ changed', '+ 198.18.4.0/24 AS64500'])
      expect(differs.output).toContain(line);
    expect(differs.output).toMatch(/The registry didn’t check these changes\. .*routes:write/);
    const writing = await registry(['diff', '-f', file('read.yaml')], withKey());
    const steps = (output: string): string[] => output.split('\n').filter(line => /^ {2}[+~-] /.test(line));
    expect(writing).toMatchObject({ code: 2, errors: '' });
    expect(steps(differs.output)).toEqual(steps(writing.output));
    expect(await registry(['apply', '-f', file('read.yaml'), '--yes'], reading)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('scope'),
    });
  });

  test('a file with one bad line changes nothing, and the line and column are named', async () => {
    const before = await lastActivity();
    const cases: [string, string][] = [
      ['version: 1\nroutes:\n  - prefix: 198.18.0.0/19\n    origin: AS64500\n    orgin: AS64500\n', ':5:12: orgin: there is no such field'],
      ['version: 1\nroutes:\n  - prefix: 198.18.0.0/19\n    origin: 64500\n', ':4:13: origin: enter text'],
      ['version: 1\nroutes:\n  - prefix: 198.18.0.0/19\n    origin: AS64500\n  - origin: AS64501\n', ':5:5: prefix is missing'],
      ['version: 1\nroutes: [\n', ':'],
      [
        'version: 1\nroutes:\n  - { prefix: 198.18.0.0/19, origin: AS64500 }\n  - { prefix: 198.18.0.0/19, origin: as64500 }\n',
        ':4:5: 198.18.0.0/19 as64500 is declared twice',
      ],
      // The registry finds this one.
      ['version: 1\nroutes:\n  - { prefix: 8.8.8.0/24, origin: AS64500 }\n', ':3:'],
      ['version: 1\naccount: OTHER-SG\nroutes: []\n', 'is for OTHER-SG'],
    ];
    for (const [content, words] of cases) {
      await writeFile(file('bad.yaml'), content);
      const { code, output, errors } = await registry(['apply', '-f', file('bad.yaml'), '--yes', '--prune'], withKey());
      expect([code, output], content).toEqual([1, '']);
      expect(errors).toContain(words);
    }
    expect(await portal.db.read.rows(sql`select from activity where activity_id > ${before} and action = 'routes.saveRoutes'`)).toEqual([]);
  });

  test('contacts, reverse zones, ASPAs and ROAs are created, changed and, with prune alone, deleted', async () => {
    const list = async (what: string) =>
      (JSON.parse((await registry(['get', what, '--json'], withKey())).output) as Record<string, Record<string, unknown>[]>)[what]!;
    const [zone] = await list('reverseZones');
    const contacts = await list('contacts');
    const declared = (name: string) => `version: 1
contacts:
${contacts.map(contact => `  - ${JSON.stringify(contact)}\n`).join('')}  - class: role
    name: ${name}
    address: [1 Test Street, Brisbane]
    country: AU
    phone: [+61 7 5550 0199]
    email: [noc@example.net]
    adminC: [${contacts[0]!['handle'] as string}]
    techC: [${contacts[0]!['handle'] as string}]
aspas:
  - customer: AS64500
    providers: [AS4826, AS1221]
${zone ? `reverseZones:\n  - ${JSON.stringify({ ...zone, description: 'Declared in a file' })}\n` : ''}`;
    await writeFile(file('more.yaml'), declared('Code NOC'));
    const applied = await registry(['apply', '-f', file('more.yaml'), '--yes'], withKey());
    expect(applied).toMatchObject({ code: 0, errors: '' });
    expect(applied.output).toContain('+ role Code NOC');
    expect(applied.output).toMatch(/[+~] AS64500/);
    if (zone) expect(applied.output).toContain(`~ ${zone['zone'] as string}`);
    expect((await list('contacts')).map(({ name }) => name)).toContain('Code NOC');
    const again = await registry(['apply', '-f', file('more.yaml'), '--yes'], withKey());
    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(again.output).not.toContain('Applied');
    await writeFile(file('fewer.yaml'), 'version: 1\naspas: []\n');
    const kept = await registry(['apply', '-f', file('fewer.yaml'), '--yes'], withKey());
    expect(kept).toMatchObject({ code: 0 });
    expect(kept.output).toContain('stay: add --prune');
    expect(await list('aspas')).not.toEqual([]);
    expect(await registry(['apply', '-f', file('fewer.yaml'), '--yes', '--prune'], withKey())).toMatchObject({ code: 0, errors: '' });
    expect(await list('aspas')).toEqual([]);
  });

  test('watch prints what happens after it began, as JSON lines for programs', async () => {
    const end = new AbortController();
    let output = '';
    const watching = run(['watch', '--json', '--interval', '1'], {
      environment: { HOME: home, ...withKey().environment },
      input: Readable.from([]),
      output: {
        write: text => {
          output += text;
          end.abort();
        },
      },
      errors: { write: () => {} },
      signal: end.signal,
      fetch: async (address, init) => {
        const answer = await send(address, init);
        // Something happens after the first look.
        if (output === '' && address.includes('/activity'))
          await client().call('customers.saveCustomer', {
            body: {
              name: `Seen ${Math.random()}`,
              address: '',
              economy: 'AU',
              contactName: '',
              phone: '',
              email: '',
              remarks: '',
              visibility: 'private',
            },
          });
        return answer;
      },
    });
    expect(await watching).toBe(0);
    expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({ action: 'customers.saveCustomer' });
  });

  test('a plan that leaves announcements without a ROA says so, and is applied with their number only', async () => {
    const kept = JSON.parse((await registry(['get', 'roas', '--json'], withKey())).output) as { roas: Record<string, unknown>[] };
    const write = (name: string, roas: readonly unknown[]) =>
      writeFile(
        file(name),
        `version: 1\naccount: ${account}\nroas:${roas.length === 0 ? ' []' : ''}\n${roas.map(roa => `  - ${JSON.stringify(roa)}\n`).join('')}`,
      );
    await portal.db.change({ action: 'test', summary: 'A table', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`delete from bgp_announcement`);
      await change.rows(sql`delete from bgp_table`);
      const [table] = await change.rows<{
        id: string;
      }>(sql`insert into bgp_table (family, file_name, collected_at, imported_at, peers, announcements, state)
        values (4, 'test', now(), now(), 300, 1, 'current') returning bgp_table_id::text as id`);
      await change.rows(sql`insert into bgp_announcement values (${table!.id}::bigint, '198.18.64.0/24', 64500, 300)`);
    });
    await write('one.yaml', [...kept.roas, { prefix: '198.18.64.0/24', origin: 'AS64500' }]);
    expect(await registry(['apply', '-f', file('one.yaml'), '--yes'], withKey())).toMatchObject({ code: 0, errors: '' });
    await write('none.yaml', kept.roas);
    const apply = (...more: string[]) => registry(['apply', '-f', file('none.yaml'), '--yes', '--prune', ...more], withKey());
    const refused = await apply();
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 announcement becomes invalid or loses its last ROA. Nothing was changed'),
    });
    expect((await apply('--accept-invalid', '2')).code).toBe(1);
    expect(await apply('--accept-invalid', '1')).toMatchObject({ code: 0, errors: '' });
  });

  test('a shell completes its commands, help names the exit codes, and a wrong word is an error', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) expect((await registry(['completion', shell])).output).toContain('accept-invalid');
    expect((await registry(['completion', 'tcsh'])).code).toBe(1);
    for (const words of [['--help'], ['help'], []]) expect((await registry(words)).output).toContain('Exit codes: 0');
    for (const words of [
      ['apply', '--help'],
      ['help', 'apply'],
    ])
      expect(await registry(words)).toMatchObject({ code: 0, output: expect.stringContaining('--accept-invalid N') });
    expect(await registry(['help', 'aply'])).toMatchObject({ code: 1, output: '' });
    expect(await registry(['aply'])).toMatchObject({ code: 1, output: '' });
    expect((await registry(['diff', '--nothing'])).errors).toContain('--nothing');
  });

  test('the portal publishes the JSON Schema of the file, for editors anywhere', async () => {
    const answer = await portal.request('/schemas/apply-v1.json');
    expect(answer.headers.get('content-type')).toContain('application/schema+json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      additionalProperties: false,
      required: ['version'],
    });
  });
});
