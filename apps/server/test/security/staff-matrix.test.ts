import { type Endpoint, type StaffPermission } from '@portal/contract';
import { readyMadeRoleKeys, readyMadeRoles } from '@portal/contract/staff-roles';
import { admissionRefusal } from '@portal/contract/admission';
import { allEndpoints, api } from '@portal/contract/api';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure, refuse } from '../../src/platform/failure.ts';
import { mount } from '../../src/platform/http/endpoints.ts';
import { giveStaffRole, takeStaffRoles } from '../staff-roles.ts';
import { type TestPortal, testPortal } from '../portal.ts';

const ofDesk = allEndpoints.filter(({ access }) => access.who === 'staff');

/** Asks admission about every call of the desk, with nothing behind it that would read or do something. */
function gateOf(portal: TestPortal) {
  const gate = Fastify();
  gate.decorateRequest('traceId', '0'.repeat(32));
  const admitted = () => Promise.reject(refuse('UNAVAILABLE'));
  gate.setErrorHandler((error, _request, reply) =>
    reply.code(400).send(error instanceof Failure ? { code: error.code, message: error.message } : { code: String(error) }),
  );
  gate.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  mount(
    gate,
    {
      endpoints: Object.fromEntries(ofDesk.map(each => [each.id, each])),
      handlers: Object.fromEntries(ofDesk.map(({ id }) => [id, admitted])),
    },
    portal.app.admission,
  );
  return async (endpoint: Endpoint, token: string): Promise<{ code: string; message: string }> =>
    (
      await gate.inject({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/:\w+/g, 'x'),
        headers: { authorization: `Bearer ${token}` },
        ...(endpoint.method !== 'GET' && { payload: {} }),
      })
    ).json<{ code: string; message: string }>();
}

let portal: TestPortal;
let ask: ReturnType<typeof gateOf>;
beforeAll(async () => {
  portal = await testPortal();
  ask = gateOf(portal);
});
afterAll(() => portal[Symbol.asyncDispose]());

/** The calls of the desk that stan is refused for want of a permission. */
async function refusedToStan(): Promise<string[]> {
  const token = await portal.tokenOf('stan');
  const refused: string[] = [];
  for (const endpoint of ofDesk) if ((await ask(endpoint, token)).code === 'NO_STAFF_PERMISSION') refused.push(endpoint.id);
  return refused;
}

/** The calls that the contract refuses to holders of these permissions. */
const outside = (permissions: readonly StaffPermission[]): string[] =>
  ofDesk
    .filter(endpoint => {
      const caller = { staff: true, staffPermissions: new Set<string>(permissions), factor: 'fresh', coolingDown: false } as const;
      return admissionRefusal(endpoint, { caller, account: null, privilegesNeedFactor: true }) !== null;
    })
    .map(({ id }) => id);

test('to registry staff without a role that counts now the desk looks non-existent, except for the way to a role', async () => {
  await takeStaffRoles(portal.db, 'stan');
  const token = await portal.tokenOf('stan');
  const codes = new Map<string, string>();
  for (const endpoint of ofDesk) codes.set(endpoint.id, (await ask(endpoint, token)).code);
  expect([...codes].filter(([, code]) => code !== 'NOT_FOUND')).toEqual([['roles.getOwnRoles', 'UNAVAILABLE']]);
  const stan = await portal.as('stan');
  expect((await stan(api.roles.getOwnRoles, {})).data).toMatchObject({ roles: [], permissions: [], givers: ['Ola Brandt', 'Ravi Menon'] });
  // Accounts of members look to them as to any stranger.
  expect(await stan(api.resources.getSummary, { account: 'EXAMPLE-AU' })).toMatchObject({
    status: 404,
    errors: [{ code: 'ACCOUNT_NOT_FOUND' }],
  });
  const payments = allEndpoints.find(({ id }) => id === 'billing.recordPayment')!;
  await giveStaffRole(portal.db, 'stan', 'support');
  expect((await ask(payments, token)).message).toBe(
    'This needs the permission “Record payments”. Ola Brandt or Ravi Menon can give it to you',
  );
});

test.each(readyMadeRoleKeys)('a person with the role %s alone can make exactly the calls that its permissions open', async role => {
  await takeStaffRoles(portal.db, 'stan');
  await giveStaffRole(portal.db, 'stan', role);
  expect(await refusedToStan()).toEqual(outside(readyMadeRoles[role].permissions));
});
