import { expect, test } from 'vitest';
import { allEndpoints } from '../api.ts';
import { goOn, waitsForTexts } from './waiting-calls.ts';

test('what goes on while a text is overdue is a call that would wait otherwise', () => {
  const known = allEndpoints.filter(({ id }) => goOn.has(id));
  expect(known.map(({ id }) => id).toSorted()).toEqual([...goOn].toSorted());
  for (const endpoint of known) {
    expect(waitsForTexts(endpoint as never)).toBe(false);
    expect(waitsForTexts({ ...endpoint, id: 'another.call' } as never)).toBe(true);
  }
});

test.each([
  'routes.saveRoutes',
  'whois.submitUpdates',
  'requests.submitRequest',
  'reverseDns.submitZones',
  'apiKeys.createApiKey',
  'rpki.selfHosted.connect',
  'rpki.selfHosted.publishHere',
  'whois.createMaintainer',
])('%s waits', id => {
  expect(waitsForTexts(allEndpoints.find(each => each.id === id) as never)).toBe(true);
});
