import type { BodyOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { whoisCustomers } from '@portal/contract/customers/customers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Client;
beforeAll(async () => {
  portal = await testPortal();
  corin = await portal.as('corin');
});
afterAll(() => portal[Symbol.asyncDispose]());

type Body = Partial<BodyOf<typeof whoisCustomers.saveCustomer>> & { name: string };
const save = (body: Body, who = corin) => who(api.whoisCustomers.saveCustomer, { account, body });
const get = (name: string, who = corin, of = account) => who(api.whoisCustomers.getCustomer, { account: of, query: { name } });
const list = async (q = '') => (await corin(api.whoisCustomers.listCustomers, { account, query: { q } })).data!.rows;
const descrOf = async (key: string) =>
  /descr: +(.*)/.exec((await corin(api.whois.getObject, { account, query: { class: 'inetnum', key } })).data!.text)?.[1];

test('a customer only named in assignments is listed with them; further details are stored once entered', async () => {
  const before = (await get('Northwind Freight')).data!;
  expect(before).toMatchObject({ address: '', updatedAt: null, visibility: 'private', moreAssignments: false });
  expect(before.assignments.map(({ resource }) => resource)).toEqual(['198.18.12.0/23', '2001:db8:8000::/40']);
  const facts = {
    address: '1 Dock Road\nBrisbane',
    economy: 'AU',
    contactName: 'Nora Wind',
    phone: '+61 7 5550 0111',
    email: 'noc@northwind.example',
  };
  const { data } = await save({ name: 'Northwind Freight', was: 'Northwind Freight', ...facts, visibility: 'public' });
  expect(data).toMatchObject({ ...facts, visibility: 'public', taskId: null });
  // Fields left out of a change stay.
  expect((await save({ name: 'Northwind Freight', was: 'Northwind Freight', phone: '' })).data).toMatchObject({
    ...facts,
    phone: '',
    visibility: 'public',
  });
  expect((await list('dock road')).map(({ customer }) => customer)).toEqual(['Northwind Freight']);
  expect((await save({ name: 'Northwind Freight', email: 'nobody' })).errors![0]!.code).toBe('INVALID_REQUEST');
});

test('one without assignments is listed, and can’t be created twice', async () => {
  expect((await save({ name: 'Orchard Net' })).errors).toBeUndefined();
  expect((await list('orchard'))[0]).toMatchObject({ customer: 'Orchard Net', assignments: 0, ipv4: '0' });
  expect((await save({ name: 'Orchard Net' })).errors![0]!.code).toBe('CUSTOMER_EXISTS');
  expect((await save({ name: 'Harvest Markets', was: 'Orchard Net' })).errors![0]!.code).toBe('CUSTOMER_EXISTS');
  expect((await save({ name: 'Anybody', was: 'Nobody' })).errors![0]!.code).toBe('NOT_FOUND');
});

test('a new name is applied to all its assignments, and to the whois objects that show it', async () => {
  const made = await corin(api.whoisCustomers.addAssignment, {
    account,
    body: { resource: '198.18.10.0/27', type: 'assigned', netname: 'CUST-SHORE', customer: 'Shore', visibility: 'public', economy: 'AU' },
  });
  const own = await corin(api.whoisCustomers.addAssignment, {
    account,
    body: {
      resource: '198.18.10.32/27',
      type: 'assigned',
      netname: 'CUST-SHORE-2',
      customer: 'Shore',
      description: 'Depot',
      visibility: 'public',
    },
  });
  expect([made.errors, own.errors]).toEqual([undefined, undefined]);
  await save({ name: 'Shore', was: 'Shore', remarks: 'Pays in March' });
  const { data } = await save({ name: 'Shoreline', was: 'Shore', remarks: 'Pays in March' });
  expect(data!.assignments.map(({ netname }) => netname)).toEqual(['CUST-SHORE', 'CUST-SHORE-2']);
  expect(await descrOf('198.18.10.0 - 198.18.10.31')).toBe('Shoreline');
  expect(await descrOf('198.18.10.32 - 198.18.10.63')).toBe('Depot');
  expect((await get('Shore')).status).toBe(404);
  expect((await list('shore')).map(({ customer }) => customer)).toEqual(['Shoreline']);
});

test('customers of an account are hidden from others, and private ones from contacts without the permission', async () => {
  const olive = await portal.as('olive');
  expect((await get('Northwind Freight', olive, 'OTHER-SG')).status).toBe(404);
  expect((await get('Northwind Freight', await portal.as('bill'))).errors![0]!.code).toBe('NO_PERMISSION');
});

test('a misspelt customer is found by the nearest name, where no name has the words', async () => {
  const find = async (q: string) =>
    (await corin(api.search.findInAccount, { account, query: { q } })).data!.flatMap(({ section, text, note, isNear }) =>
      section === 'customers' ? [[text, note, isNear]] : [],
    );
  expect(await find('nortwind')).toEqual([['Northwind Freight', '2 assignments', true]]);
  expect(await find('Elder')).toEqual([['Elder Care Trust', '2 assignments', undefined]]);
  expect(await find('harvst market')).toEqual([['Harvest Markets', '3 assignments', true]]);
  for (const q of ['zzzz zzzz', '198.18', 'abc']) expect([q, await find(q)]).toEqual([q, []]);
  // Those who may not see customers get no hint of one either.
  const bill = await portal.as('bill');
  expect((await bill(api.search.findInAccount, { account, query: { q: 'nortwind' } })).data).toEqual([]);
});
