import { expect, it } from 'vitest';
import { deskAddress } from './MovedToDeskPage.tsx';

it.each([
  ['/staff/requests', '', '/desk/requests?kind=contacts'],
  ['/staff/requests', '?status=decided&request=7', '/desk/requests?kind=contacts&status=decided&request=contacts-7'],
  ['/staff/organisation-changes', '?request=3', '/desk/requests?kind=organisations&request=organisations-3'],
  ['/staff/organisation-changes', '?kind=closures&request=3', '/desk/requests?kind=closures&request=closures-3'],
  ['/staff/holders', '?q=198.18.0.0/19', '/desk/accounts?q=198.18.0.0%2F19'],
])('the old address %s%s is now %s', (path, search, now) => {
  expect(deskAddress(path, search)).toBe(now);
});
