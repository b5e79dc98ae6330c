import { type Endpoint, isUpload } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { registryApiPathOf } from '@portal/contract/registry-api-paths';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../portal.ts';
import { staffFor, staffPeople } from '../staff-for.ts';
import { opened, valueOf, withStranger } from './words-in-schemas.ts';

const stranger = 'neverAField';
const writes = allEndpoints.filter(({ method }) => method !== 'GET');
const reads = allEndpoints.filter(({ method }) => method === 'GET');
const whoMay = ({ access }: Endpoint): { as: string; account: string } =>
  access.who === 'member' && access.accounts === 'nir'
    ? { as: 'nils', account: 'NATREG-XX' }
    : { as: access.who === 'staff' ? staffFor(access.permissions) : 'corin', account: 'EXAMPLE-AU' };

type Answer = { status: number; errors: { field?: string; message: string }[] };

describe('an unknown field or parameter is refused, never ignored', () => {
  let portal: TestPortal;
  const tokens = new Map<string, string>();
  beforeAll(async () => {
    portal = await testPortal();
    // Each call finds the registry in the same state.
    Object.assign(portal.db, { change: portal.db.rehearse });
    for (const name of ['corin', 'nils', ...staffPeople]) tokens.set(name, await portal.tokenOf(name));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const send = async (endpoint: Endpoint, { body, query = '' }: { body?: unknown; query?: string }): Promise<Answer> => {
    const { as, account } = whoMay(endpoint);
    const path = endpoint.path.replace(/:account\b/, account).replace(/:\w+/g, '1');
    const answer = await portal.request(`${path}${query}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${tokens.get(as)!}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const errors = answer.ok ? [] : ((await answer.json()) as { errors: Answer['errors'] }).errors;
    return { status: answer.status, errors };
  };

  test.each(writes)('$id', async endpoint => {
    const { body } = endpoint;
    const fields = !body ? [{ place: stranger, value: { [stranger]: 1 } }] : isUpload(body) ? [] : withStranger(opened(body), stranger);
    expect(fields.length > 0 || isUpload(body)).toBe(true);
    for (const { place, value } of fields) {
      const { status, errors } = await send(endpoint, { body: value });
      expect({ place, status, named: errors.filter(({ field }) => field === place).map(({ message }) => message) }).toEqual({
        place,
        status: 400,
        named: [expect.stringMatching(`^${stranger} isn’t a field here; `)],
      });
    }
    const valid = body && !isUpload(body) ? valueOf(opened(body)) : undefined;
    const { status, errors } = await send(endpoint, { body: valid, query: `?${stranger}=true` });
    expect({ status, fields: errors.map(({ field }) => field) }).toEqual({ status: 400, fields: expect.arrayContaining([stranger]) });
  });

  test.each(reads)('$id', async endpoint => {
    const { status, errors } = await send(endpoint, { query: `?${stranger}=true` });
    const said = errors.filter(({ field }) => field === stranger).map(({ message }) => message);
    expect({ status, said }).toEqual({
      status: 400,
      said: [expect.stringMatching(`^${stranger} isn’t a parameter here; ${endpoint.query ? 'there (is|are) ' : 'there are none$'}`)],
    });
  });
});

const keyOf = async (portal: TestPortal, name: string, account: string): Promise<string> => {
  const body = { label: 'all', scopes: [...apiScopeKeys], days: 30 };
  const made = await (await portal.as(name))(api.apiKeys.createApiKey, { account, body });
  return made.data!.secret!;
};

test('a read of the registry API with a misspelt parameter is refused; those of all reads are taken', async () => {
  await using portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '100000' });
  const key = await keyOf(portal, 'corin', 'EXAMPLE-AU');
  const ask = (path: string) => portal.request(`/registry-api/v1/EXAMPLE-AU${path}`, { headers: { authorization: `Bearer ${key}` } });
  const refused = await ask('/routes?serch=x');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    errors: [{ field: 'serch', message: expect.stringMatching(/^serch isn’t a parameter here; /) }],
  });
  expect((await ask('/routes?fields=total')).status).toBe(200);
});

test('a write of the registry API with a misspelt dry run parameter is refused, like a misspelt field', async () => {
  await using portal = await testPortal(undefined, { API_CALLS_PER_SECOND: '100000' });
  const keys = new Map<string, string>();
  for (const [name, account] of [
    ['corin', 'EXAMPLE-AU'],
    ['nils', 'NATREG-XX'],
  ] as const)
    keys.set(account, await keyOf(portal, name, account));
  const open = writes.filter(({ publicApi }) => publicApi !== undefined);
  expect(open.length).toBeGreaterThan(30);
  const answers: unknown[] = [];
  for (const endpoint of open) {
    const { account } = whoMay(endpoint);
    const path = registryApiPathOf(endpoint.publicApi!)
      .replace(/:account\b/, account)
      .replace(/:\w+/g, '1');
    for (const [query, extra] of [
      ['?dryRun=true', {}],
      ['', { [stranger]: 1 }],
    ] as const) {
      const body = { ...(endpoint.body && !isUpload(endpoint.body) ? (valueOf(opened(endpoint.body)) as object) : {}), ...extra };
      const answer = await portal.request(`${path}${query}`, {
        method: endpoint.method,
        headers: { authorization: `Bearer ${keys.get(account)!}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { errors = [] } = (await answer.json()) as { errors?: { field?: string }[] };
      answers.push([endpoint.id, query, answer.status, errors[0]?.field]);
    }
  }
  expect(answers).toEqual(
    open.flatMap(({ id }) => [
      [id, '?dryRun=true', 400, 'dryRun'],
      [id, '', 400, stranger],
    ]),
  );
});
