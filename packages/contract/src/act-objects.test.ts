import { expect, it } from 'vitest';
import { actObjectOf, actObjects } from './act-objects.ts';
import { allEndpoints } from './api.ts';
import { consequencesOf } from './effects.ts';

const fresh = allEndpoints.filter(endpoint => endpoint.access.who !== 'anyone' && consequencesOf(endpoint).factor === 'fresh');

type Definition = { type: string; shape?: object; options?: Schema[]; innerType?: Schema; in?: Schema };
type Schema = { _zod?: { def: Definition } };
/** Names of the fields of a body, of all its forms. */
function fieldsOf(schema: Schema | undefined): string[] {
  const definition = schema?._zod?.def;
  if (!definition) return [];
  const inner = [...(definition.options ?? []), definition.innerType, definition.in];
  return [...Object.keys(definition.shape ?? {}), ...inner.flatMap(fieldsOf)];
}

it('every change that takes a second factor given just now says what names its object, and nothing else does', () => {
  expect(Object.keys(actObjects).toSorted()).toEqual(fresh.map(({ id }) => id).toSorted());
});

it('names only what the call is given', () => {
  const missing = fresh.flatMap(({ id, path, body }) => {
    const object = actObjects[id];
    const given = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).concat(fieldsOf(body as Schema));
    return object === undefined || object === 'page' ? [] : object.filter(name => !given.includes(name)).map(name => `${id}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it('an object is named by the path or the body; ids are not', () => {
  expect(actObjectOf('billing.recordPayment', { invoiceNumber: 'INV-7', body: { amount: '20.00' } })).toBe('INV-7, 20.00');
  expect(actObjectOf('resources.locks.addLocks', { body: { resources: ['AS1', 'AS2', 'AS3', 'AS4', 'AS5'] } })).toBe(
    'AS1, AS2, AS3 and 2 more',
  );
  expect(actObjectOf('contacts.removeContact', { contactId: '7f' })).toBeNull();
  expect(actObjectOf('contacts.inviteContact', { body: { fullName: ' ', email: 3 } })).toBeNull();
  expect(actObjectOf('elections.proxies.voidProxy', { body: { reason: 'x'.repeat(300) } })).toHaveLength(161);
});
