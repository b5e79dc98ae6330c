import { expect, test } from 'vitest';
import { allEndpoints } from './api.ts';
import { member } from './endpoint.ts';
import { permissionFactorsOf } from './permission-factors.ts';
import { permissionKeys, permissions } from './permissions.ts';

test('a permission needs a second factor as the changes do that it allows', () => {
  const change = (permission: 'member-billing-update' | 'advanced-invoice-update', effect: 'money' | 'asking') =>
    ({ access: member(permission), method: 'POST', effect }) as const;
  const factors = permissionFactorsOf([
    change('member-billing-update', 'money'),
    change('member-billing-update', 'asking'),
    change('advanced-invoice-update', 'money'),
    { access: member('member-billing-view') },
  ]);
  expect(factors.someChanges).toEqual(['member-billing-update']);
  expect(factors.always).toContain('advanced-invoice-update');
  expect(factors.always).not.toContain('member-billing-view');
});

test('of the portal’s own, billing details and advance invoices need one, and reading does not', () => {
  const { always, someChanges } = permissionFactorsOf(allEndpoints);
  expect(permissionKeys.filter(key => permissions[key].secondFactor).filter(key => !always.includes(key))).toEqual([]);
  expect(someChanges).toEqual(expect.arrayContaining(['member-billing-update', 'advanced-invoice-update']));
  for (const key of ['member-billing-view', 'resources-view', 'contacts-details-view'] as const)
    expect([...always, ...someChanges]).not.toContain(key);
});
