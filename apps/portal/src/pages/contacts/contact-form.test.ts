import { defaultPermissions, permissionKeys } from '@portal/contract';
import type { Contact } from '@portal/contract/contacts/contacts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changeOf,
  decisionsOf,
  diffBetween,
  diffOf,
  formOf,
  isTouched,
  rebased,
  registryDecides,
  roleOf,
  tick,
  withTypes,
} from './contact-form.ts';

const bill = (given: Partial<Contact> = {}): Contact => ({
  contactId: '018f0000-0000-7000-8000-000000000001',
  version: 3,
  fullName: 'Bill Okonkwo',
  email: 'bill@example-au.example',
  phone: '',
  position: 'Accounts',
  contactTypes: ['billing'],
  status: 'active',
  isMe: false,
  addedAt: '2026-01-05T02:00:00Z',
  confirmedAt: null,
  confirmationDue: false,
  invitation: null,
  registryRequest: null,
  permissions: defaultPermissions(['billing']),
  maintainers: [],
  lastSignInAt: null,
  dormant: false,
  helperUntil: null,
  hasSecondFactor: false,
  ...given,
});
/** Bill with `resources-view` granted and `advanced-invoice-update` revoked manually. */
const decided = bill({
  permissions: permissionKeys.filter(
    key => (defaultPermissions(['billing']).includes(key) || key === 'resources-view') && key !== 'advanced-invoice-update',
  ),
});
const role = (contact: Contact) => ({ contactTypes: contact.contactTypes, permissions: contact.permissions! });

it('permissions that differ from the contact types are manual decisions', () => {
  expect(decisionsOf(role(bill()))).toEqual({ granted: [], withdrawn: [] });
  expect(decisionsOf(role(decided))).toEqual({ granted: ['resources-view'], withdrawn: ['advanced-invoice-update'] });
});

it('other contact types start with their default permissions, and keep manual decisions only on request', () => {
  const kept = withTypes(role(decided), ['billing', 'technical'], { keepsDecisions: true }).permissions;
  expect(kept).toContain('roas-update');
  expect(kept).not.toContain('advanced-invoice-update');
  expect(withTypes(role(decided), ['billing'], { keepsDecisions: false }).permissions).toEqual(defaultPermissions(['billing']));
  expect(withTypes(role(decided), ['corporate'], { keepsDecisions: true }).permissions).toEqual(permissionKeys);
});

it('an undone click leaves nothing to save', () => {
  const form = formOf(bill());
  const once = { ...form, ticked: tick(role(bill()), form, 'voting-vote', true) };
  expect(diffOf(bill(), once)).toMatchObject({ granted: ['voting-vote'], withdrawn: [], count: 1 });
  const back = { ...once, ticked: tick(role(bill()), once, 'voting-vote', false) };
  expect(back).toEqual(form);
  expect(isTouched(bill(), back)).toBe(false);
});

it('the diff lists and counts details, types, permissions and maintainers', () => {
  const form = { ...formOf(bill()), position: ' Peering ', contactTypes: ['technical', 'billing'] as const, maintainers: ['MAINT-A'] };
  const diff = diffOf(bill(), form);
  expect(diff.details).toEqual([{ label: 'Position', before: 'Accounts', after: 'Peering' }]);
  expect(diff.contactTypes).toEqual({ before: ['billing'], after: ['billing', 'technical'] });
  expect(diff.granted).toContain('whois-principal-mntner-access');
  expect(diff.withdrawn).toEqual([]);
  expect(diff.count).toBe(3 + diff.granted.length);
});

it('only what differs is sent', () => {
  expect(changeOf(bill(), formOf(bill()))).toEqual({ version: 3, reason: '' });
  expect(changeOf(bill(), { ...formOf(bill()), phone: '+61 7 5550 0100 ' })).toEqual({ version: 3, phone: '+61 7 5550 0100', reason: '' });
  const promoted = changeOf(bill(), { ...formOf(bill()), contactTypes: ['corporate'], reason: 'Our new director' });
  expect(promoted).toEqual({ version: 3, contactTypes: ['corporate'], reason: 'Our new director' });
  expect(changeOf(bill({ permissions: null }), { ...formOf(bill()), contactTypes: ['technical'] })).toEqual({
    version: 3,
    contactTypes: ['technical'],
    reason: '',
  });
});

it('one’s own changes are applied to what another person has saved', () => {
  const mine = { ...formOf(bill()), position: 'Peering', ticked: { 'voting-vote': true } as const, maintainers: ['MAINT-A'] };
  const now = bill({
    version: 4,
    fullName: 'William Okonkwo',
    position: 'Finance',
    contactTypes: ['billing', 'technical'],
    permissions: defaultPermissions(['billing', 'technical']),
    maintainers: ['MAINT-B'],
  });
  const form = rebased(mine, bill(), now);
  expect(form).toMatchObject({
    fullName: 'William Okonkwo',
    position: 'Peering',
    contactTypes: ['billing', 'technical'],
    maintainers: ['MAINT-A', 'MAINT-B'],
  });
  expect(diffOf(now, form)).toMatchObject({
    contactTypes: null,
    granted: ['voting-vote'],
    withdrawn: [],
    maintainers: { granted: ['MAINT-A'], withdrawn: [] },
  });
  expect(changeOf(now, form)).toMatchObject({ version: 4, position: 'Peering' });
  expect(diffBetween(bill(), now).details.map(({ label }) => label)).toEqual(['Name', 'Position']);
});

it('the registry decides who becomes and who stays a corporate contact', () => {
  expect(registryDecides(bill(), { contactTypes: ['corporate', 'billing'] })).toBe(true);
  expect(registryDecides(bill({ contactTypes: ['corporate'] }), { contactTypes: ['billing'] })).toBe(true);
  expect(registryDecides(bill({ contactTypes: ['corporate'], status: 'invited' }), { contactTypes: ['billing'] })).toBe(false);
  expect(registryDecides(bill(), { contactTypes: ['technical'] })).toBe(false);
});

it('applying a diff to the previous contact gives the new one, for any selection', () => {
  const types = fc.subarray(['billing', 'technical'] as const, { minLength: 1 });
  const some = fc.subarray(permissionKeys);
  fc.assert(
    fc.property(types, some, types, some, fc.boolean(), (before, held, after, pressed, keepsDecisions) => {
      const contact = bill({ contactTypes: before, permissions: permissionKeys.filter(key => held.includes(key)) });
      let form = { ...formOf(contact), contactTypes: after, keepsDecisions };
      for (const key of pressed)
        form = { ...form, ticked: tick(role(contact), form, key, !roleOf(role(contact), form).permissions.includes(key)) };
      const { granted, withdrawn } = diffOf(contact, form);
      const applied = permissionKeys.filter(
        key => (contact.permissions!.includes(key) || granted.includes(key)) && !withdrawn.includes(key),
      );
      expect(roleOf(role(contact), form).permissions).toEqual(applied);
    }),
    { numRuns: 60 },
  );
});
