import { type Endpoint, type StaffPermission } from '@portal/contract';
import { readyMadeRoleKeys, readyMadeRoles } from '@portal/contract/staff-roles';
import { admissionRefusal } from '@portal/contract/admission';
import { allEndpoints } from '@portal/contract/api';
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

test('registry staff without a role can make no call of the desk, and the refusal names who gives roles', async () => {
  await takeStaffRoles(portal.db, 'stan');
  expect(await refusedToStan()).toEqual(ofDesk.map(({ id }) => id));
  const payments = allEndpoints.find(({ id }) => id === 'billing.recordPayment')!;
  expect((await ask(payments, await portal.tokenOf('stan'))).message).toBe(
    'This needs the permission “Record payments”. Ola Brandt or Ravi Menon can give it to you',
  );
});

test.each(readyMadeRoleKeys)('a person with the role %s alone can make exactly the calls that its permissions open', async role => {
  await takeStaffRoles(portal.db, 'stan');
  await giveStaffRole(portal.db, 'stan', role);
  expect(await refusedToStan()).toEqual(outside(readyMadeRoles[role].permissions));
});
