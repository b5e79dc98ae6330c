import { api } from '@portal/contract/api';
import { namedThings } from '@portal/contract/act-sentences';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modules } from '../../src/modules.ts';
import { bearerWith, ofSixMinutesAgo } from '../bearer-with.ts';
import { testPortal, type TestPortal } from '../portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Makes a change in a session whose second factor is too old, and returns what the challenge says about it. */
async function refused(name: string, method: string, path: string, body?: object) {
  const answer = await portal.request(path, {
    method,
    headers: {
      authorization: `Bearer ${await bearerWith(portal, name, ofSixMinutesAgo())}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const [, signed = ''] = /, asked_act="([^"]*)"$/.exec(challenge) ?? [];
  return { status: answer.status, act: portal.app.identity.askedActs.read(signed)?.words ?? '', signed };
}
const words = async (...call: Parameters<typeof refused>) => (await refused(...call)).act;
const one = <Row>(row: Row | undefined): Row => row!;

test('every kind of thing in a sentence has one module that names it', () => {
  const named = modules.flatMap(({ actNames }) => Object.keys(actNames ?? {}));
  expect(named.toSorted()).toEqual([...namedThings].toSorted());
});

test('a change that was refused until a factor is given is named with its object', async () => {
  expect(await words('corin', 'POST', '/api/EXAMPLE-AU/routes', { add: [{}, {}], remove: ['1'] })).toBe(
    'Save routes of EXAMPLE-AU: add 2 routes, remove 1 route',
  );
  expect(
    await words('corin', 'POST', '/api/EXAMPLE-AU/reverse-dns/zones', {
      zones: ['8.18.198.in-addr.arpa'],
      operation: 'remove',
      servers: [],
    }),
  ).toBe('Remove the delegation of 8.18.198.in-addr.arpa');
  const tess = one(await portal.db.read.selectFrom('contact').select('contactId').where('fullName', 'like', 'Tess%').executeTakeFirst());
  expect(await words('corin', 'POST', `/api/EXAMPLE-AU/contacts/${tess.contactId}/remove`, { version: 1 })).toMatch(
    /^Remove Tess [\p{L} ]+ from EXAMPLE-AU$/u,
  );
});

test('registry staff read whose request they decide about', async () => {
  const corin = await portal.as('corin');
  const { requestId } = (await corin(api.requests.startRequest, { account: 'EXAMPLE-AU', body: { kind: 'asn' } })).data!;
  const body = { version: 1, resource: 'AS64500' };
  expect(await words('stella', 'POST', `/api/staff/resource-requests/${requestId}/approve`, body)).toBe(
    `Approve REQ-${requestId} of EXAMPLE-AU (AS number), and delegate AS64500`,
  );
});

test('what the refusal says is signed, with the account and the session', async () => {
  const { signed, act } = await refused('corin', 'POST', '/api/EXAMPLE-AU/two-person-rule', { on: true });
  expect(act).toBe('Turn on the two-person rule of EXAMPLE-AU');
  expect(portal.app.identity.askedActs.read(signed)).toMatchObject({
    endpoint: 'proposals.setTwoPersonRule',
    account: 'EXAMPLE-AU',
    words: act,
  });
  expect(portal.app.identity.askedActs.read(`${signed}x`)).toBeNull();
  expect(portal.app.identity.confirmations.read(signed, { loginId: 'corin', sid: null })).toBeNull();
});

test('what belongs to another account, is not there or was not sent is not named', async () => {
  const elsewhere = one(
    await portal.db.read.selectFrom('contact').select('contactId').where('accountName', '<>', 'EXAMPLE-AU').executeTakeFirst(),
  );
  const corin = await portal.as('corin');
  const { requestId } = (await corin(api.requests.startRequest, { account: 'SOUTHSITE-NZ', body: { kind: 'asn' } })).data!;
  for (const [path, body] of [
    [`/api/EXAMPLE-AU/contacts/${elsewhere.contactId}/remove`, {}],
    ['/api/EXAMPLE-AU/contacts/no-such-id/remove', {}],
    [`/api/EXAMPLE-AU/requests/${requestId}/submit`, {}],
    ['/api/EXAMPLE-AU/requests/999999999999999999/submit', {}],
    ['/api/EXAMPLE-AU/api-keys', { label: { not: 'a text' } }],
  ] as const) {
    const { status, act } = await refused('corin', 'POST', path, body);
    expect([status, act], path).toEqual([401, expect.stringMatching(/^(Remove a contact|Send a request|Create an API key)/)]);
  }
});

test('hidden letters, halves of letters and long texts do no harm in the header', async () => {
  const label = `Back\u202eups\n${'😀'.repeat(200)}`;
  expect(await words('corin', 'POST', '/api/EXAMPLE-AU/api-keys', { label })).toMatch(
    /^Create the API key “Back ups 😀{70,} ?…” for EXAMPLE-AU$/u,
  );
});
