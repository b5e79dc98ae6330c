import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiScopeKeys, type ApiScope } from '@portal/contract/api-scopes';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deprecationOf } from '../../platform/http/registry-api.ts';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import { clientCallsText } from './client-calls.ts';
import { type PublicOperation, registryApiDescription } from './description.ts';
import { promisesOf } from './promises.ts';

const account = 'EXAMPLE-AU';
const description = registryApiDescription({ title: 'MyRegistry registry API', url: 'https://portal.example.net' });
type Call = { method: string; path: string; operation: PublicOperation };
const calls: Call[] = Object.entries(description.paths).flatMap(([place, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path: place, operation })),
);

/** Everything that clients of this version can rely on. Lines may be added, but never removed. */
const promisesFile = path.join(import.meta.dirname, '../../../test/registry-api/registry-api-v1.txt');

/** Fails where the file isn't what is made from the contract, and writes it: a run that passes leaves nothing to be committed. */
function writeAnew(file: string, made: string): void {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (kept !== made && !process.env['CI']) writeFileSync(file, made);
  expect(kept === made, `${path.basename(file)} is what the contract says; it is written anew by this run, commit it`).toBe(true);
}

test('what the registry API promises only grows: calls, parameters, fields and their types stay as they are', () => {
  const present = promisesOf(description);
  const promised = existsSync(promisesFile) ? readFileSync(promisesFile, 'utf8').split('\n').filter(Boolean) : [];
  const kept = new Set(present);
  expect(promised.filter(promise => !kept.has(promise))).toEqual([]);
  writeAnew(promisesFile, `${present.join('\n')}\n`);
  expect(present.length).toBeGreaterThan(1000);
});

test('the calls and types of the client are those of the contract', () => {
  const file = path.join(import.meta.dirname, '../../../../../packages/client/src/calls.ts');
  writeAnew(file, clientCallsText(description));
});

test('a call that will end says since when it is deprecated, and when it ends', () => {
  const deprecated = { since: '2026-11-23', sunset: '2027-11-23', use: 'resources.listDelegations' };
  const publicApi = { path: '/old', scope: 'resources:read', deprecated } as const;
  expect(deprecationOf(publicApi)).toEqual({ deprecation: '@1795392000', sunset: 'Tue, 23 Nov 2027 00:00:00 GMT' });
  expect(deprecationOf({ path: '/new', scope: 'resources:read' })).toEqual({});
});

test('the promises list required input, so that an existing call can’t require anything new', () => {
  const promises = promisesOf(description);
  expect(promises).toContain('PUT /customers/details body name required string');
  expect(promises).toContain('GET /resources/delegations 200 rows[].resource string');
  expect(promises).toContain('GET /resources/delegations scope resources:read');
});

test('the promises list each value of a field that has only certain ones, so that none is renamed', () => {
  const states = promisesOf(description).filter(line => line.startsWith('DELETE /reverse-dns/waiting/{waitingId} 200 state'));
  expect(states).toEqual(
    expect.arrayContaining([expect.stringMatching(/ enum$/), expect.stringMatching(/ = waiting$/), expect.stringMatching(/ = cancelled$/)]),
  );
});

describe('the registry API', () => {
  let portal: TestPortal;
  const keys = new Map<string, string>();
  beforeAll(async () => {
    portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '100000' });
    const corin = await portal.as('corin');
    const make = async (label: string, scopes: ApiScope[]) => {
      const { data } = await corin(api.apiKeys.createApiKey, { account, body: { label, scopes, days: 30 } });
      keys.set(label, data!.secret!);
    };
    await make('everything', [...apiScopeKeys]);
    await make('billing-alone', ['billing:read']);
    await make('resources-alone', ['resources:read']);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  type Asked = { key?: string | null; body?: unknown; headers?: Record<string, string>; params?: string; query?: string };
  async function ask(
    { method, path: place }: Pick<Call, 'method' | 'path'>,
    { key = 'everything', body, headers = {}, params = '1', query = '' }: Asked = {},
  ) {
    const address = place.replace('{account}', account).replace(/\{\w+\}/g, params);
    const secret = key === null ? null : keys.get(key)!;
    const answer = await portal.request(`${address}${query}`, {
      method,
      headers: {
        ...(secret !== null && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    return {
      status: answer.status,
      headers: answer.headers,
      type,
      text,
      json: /json/.test(type) && text ? (JSON.parse(text) as Record<string, unknown>) : null,
    };
  }
  const at = (place: string, method = 'GET') => ({ method, path: `/registry-api/v1/{account}${place}` });

  test('every call needs a key with its scope; errors are problem details', async () => {
    for (const call of calls) {
      const none = await ask(call, { key: null, ...(call.method !== 'GET' && { body: {} }) });
      expect([call.operation.operationId, none.status, none.json?.code]).toEqual([call.operation.operationId, 401, 'API_KEY_MISSING']);
      const other = call.operation['x-scope'] === 'billing:read' ? 'resources-alone' : 'billing-alone';
      const lacking = await ask(call, { key: other, ...(call.method !== 'GET' && { body: {} }) });
      expect([call.operation.operationId, lacking.status, lacking.json?.code]).toEqual([call.operation.operationId, 403, 'API_KEY_SCOPE']);
      expect(lacking.type).toBe('application/problem+json; charset=utf-8');
      expect(lacking.json).toMatchObject({ title: 'Forbidden', status: 403, errors: [{ code: 'API_KEY_SCOPE' }] });
    }
  });

  test('invalid input of any kind is refused with the documented statuses, never with a defect', async () => {
    const bodies: unknown[] = [[], null, { rows: 'x', updates: [null], objects: [{}], name: { a: 1 } }];
    const params = ['1', '999999999999999999999', "'; drop table"];
    for (const call of calls) {
      const inputs: Asked[] = [
        ...params.map(each => ({ params: encodeURIComponent(each), ...(call.method !== 'GET' && { body: {} }) })),
        ...(call.method === 'GET'
          ? ['?limit=-1&offset=x&before=z&cursor=%F0', '?q[]=1&q=2&class=%27'].map(query => ({ query }))
          : bodies.map(body => ({ body }))),
      ];
      for (const input of inputs) {
        const { status } = await ask(call, input);
        expect(status, `${call.operation.operationId} ${JSON.stringify(input)}`).toBeLessThan(500);
        const described = Object.keys(call.operation.responses).map(Number);
        expect(described, `${call.operation.operationId} ${JSON.stringify(input)}`).toContain(status);
      }
    }
  });

  test('a read has an entity tag, and a caller with the same tag gets no body', async () => {
    const first = await ask(at('/contacts'));
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await ask(at('/contacts'), { headers: { 'if-none-match': `W/${tag}, "other"` } })).toMatchObject({ status: 304, text: '' });
    expect(await ask(at('/contacts'), { headers: { 'if-none-match': '"other"' } })).toMatchObject({ status: 200, text: first.text });
  });

  test('a dry run checks and answers without storing anything; the change itself is logged with its key', async () => {
    const customer = {
      name: 'Dry Run Pty',
      address: '1 Test St',
      economy: 'AU',
      contactName: '',
      phone: '',
      email: '',
      remarks: '',
      visibility: 'private',
    };
    const count = async () => (await portal.db.read.rows(sql`select from customer where customer = 'Dry Run Pty'`)).length;
    const dry = await ask(at('/customers/details', 'PUT'), { body: customer, query: '?dry-run=true' });
    expect(dry).toMatchObject({ status: 200, json: { name: 'Dry Run Pty' } });
    expect(dry.headers.get('dry-run')).toBe('true');
    expect(await count()).toBe(0);
    expect((await portal.lastActivity())!.action).not.toBe('customers.saveCustomer');
    expect(await ask(at('/customers/details', 'PUT'), { body: customer, query: '?dry-run=perhaps' })).toMatchObject({ status: 400 });

    const once = { body: customer, headers: { 'idempotency-key': 'customer-of-today' } };
    const [first, second] = [await ask(at('/customers/details', 'PUT'), once), await ask(at('/customers/details', 'PUT'), once)];
    expect(first.status).toBe(200);
    expect(second.json).toEqual(first.json);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await count()).toBe(1);
    expect(await portal.lastActivity()).toMatchObject({
      action: 'customers.saveCustomer',
      accountName: account,
      amr: ['api-key'],
      sid: expect.stringMatching(/^api-key-\d+$/) as string,
    });
    expect(await ask(at('/customers/details', 'PUT'), { ...once, body: { ...customer, remarks: 'x' } })).toMatchObject({
      status: 409,
      json: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('If-Match refuses a change after another person’s change, and is refused where its path has no read', async () => {
    const customer = {
      name: 'Matched Pty',
      address: '',
      economy: 'AU',
      contactName: '',
      phone: '',
      email: '',
      remarks: '',
      visibility: 'private',
    };
    const save = (remarks: string, headers: Record<string, string> = {}, query = '?name=Matched%20Pty') =>
      ask(at('/customers/details', 'PUT'), {
        body: { ...customer, was: remarks === 'new' ? undefined : customer.name, remarks },
        headers,
        query,
      });
    expect((await save('new')).status).toBe(200);
    const tag = (await ask(at('/customers/details'), { query: '?name=Matched%20Pty' })).headers.get('etag')!;
    expect((await save('first', { 'if-match': tag })).status).toBe(200);
    expect(await save('second', { 'if-match': tag })).toMatchObject({ status: 412, json: { code: 'PRECONDITION_FAILED' } });
    expect((await save('third', { 'if-match': '*' })).status).toBe(200);
    expect(await save('fourth', { 'if-match': tag }, '')).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
    const { json } = await ask(at('/customers/details'), { query: '?name=Matched%20Pty' });
    expect(json).toMatchObject({ remarks: 'third' });
  });

  test('an unsupported method at a known address gets 405 with the supported ones', async () => {
    for (const [path, method, allowed] of [
      ['/contacts', 'DELETE', 'GET, HEAD'],
      ['/customers/details', 'PATCH', null],
      ['/reverse-dns/check/nothing', 'POST', undefined],
      ['/nowhere', 'POST', undefined],
    ] as const) {
      const { status, json, headers } = await ask(at(path, method), { key: null });
      if (allowed === undefined) expect([path, status, headers.get('allow')]).toEqual([path, 404, null]);
      else {
        expect([path, status, json?.['code']]).toEqual([path, 405, 'METHOD_NOT_ALLOWED']);
        const named = headers.get('allow')!.split(', ');
        expect(named).not.toContain(method);
        if (allowed !== null) expect(headers.get('allow')).toBe(allowed);
        // Each of them exists: only the key is missing.
        for (const each of named) if (each !== 'HEAD') expect((await ask(at(path, each), { key: null })).status).toBe(401);
      }
    }
    // The portal's own API too.
    const portalCall = await portal.request('/api/me', { method: 'PATCH' });
    expect([portalCall.status, portalCall.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await portal.request('/api/me/nothing', { method: 'PATCH' })).status).toBe(404);
  });

  test('scripts of any site may call with a key, and no other credential of the browser counts', async () => {
    const origin = 'https://tool.example';
    const preflight = await portal.request(`/registry-api/v1/${account}/customers/details`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,if-match' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    // A star would not stand for this one (Fetch, 3.3.3).
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const answers = [
      preflight,
      await ask(at('/contacts'), { headers: { origin } }),
      await ask(at('/contacts'), { key: null, headers: { origin, cookie: 'portal-tab=1' } }),
      await ask(at('/nowhere'), { headers: { origin } }),
      await portal.request('/registry-api/v1/openapi.json', { headers: { origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 401, 404, 200]);
    for (const { headers } of answers)
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual(['*', null]);
    expect(answers[1]!.headers.get('access-control-expose-headers')).toMatch(/\betag\b.*\blink\b.*\bretry-after\b/);
    // The portal's API, which people's bearers open, stays closed to other sites.
    const own = await portal.request('/api/me', { headers: { origin, authorization: `Bearer ${await portal.tokenOf('corin')}` } });
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    expect(
      (await portal.request('/api/me', { method: 'OPTIONS', headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  test('changing a zone that another person changed meanwhile is refused by the status', async () => {
    const zone = '2.18.198.in-addr.arpa';
    const { json } = await ask(at('/reverse-dns/zones'), { query: `?q=${zone}` });
    const [row] = (json as { rows: { version: number; servers: string[] }[] }).rows;
    const save = (version: number, query = '') =>
      ask(at('/reverse-dns/zones', 'POST'), { query, body: { zones: [zone], servers: row!.servers, version } });
    for (const query of ['', '?dry-run=true'])
      expect(await save(row!.version + 7, query)).toMatchObject({
        status: 412,
        json: { code: 'STALE', detail: `Someone else changed the delegation of ${zone}. Reload it, then repeat your change` },
      });
    expect(await save(row!.version)).toMatchObject({ status: 200, json: { zones: [{ outcome: { state: 'unchanged' } }] } });
  });

  test('its description and reference are served to everyone', async () => {
    const served = await portal.request('/registry-api/v1/openapi.json');
    expect(served.status).toBe(200);
    expect(Object.keys(((await served.json()) as typeof description).paths)).toEqual(Object.keys(description.paths));
    const page = await (await portal.request('/registry-api/docs')).text();
    for (const { operation } of calls) expect(page).toContain(`<article id="${operation.operationId}"`);
    expect(page).not.toContain('undefined');
  });
});
