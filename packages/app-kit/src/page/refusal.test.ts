import { contact, corporate, member, signedIn, staff } from '@portal/contract';
import { expect, it } from 'vitest';
import { anAccount, aPerson } from '../../test/member.tsx';
import { refusedBy } from './refusal.ts';

const tess = { person: aPerson(), account: anAccount() };
const nadia = { person: aPerson(), account: null };
const stella = { person: aPerson({ staff: true }), account: anAccount({ asStaff: true, contactTypes: [], permissions: [] }) };
const fiona = { person: aPerson({ staff: true, staffPermissions: ['support'] }), account: null };
const audra = { person: aPerson({ staff: true, staffPermissions: ['audit'] }), account: null };
const bill = { person: aPerson({ hasSecondFactor: false, mfa: false }), account: anAccount() };

const privileged = ({ person }: typeof bill) => ({ person, account: anAccount({ permissions: ['tickets-resources-update'] }) });

it.each([
  ['anyone may see a public page', { who: 'anyone' } as const, null, null],
  ['a page for logins asks who is there', signedIn, null, 'sign-in'],
  ['a login without account opens pages for logins', signedIn, nadia, null],
  ['a login without account has no account pages', contact, nadia, 'no-account'],
  ['a contact opens pages for contacts', contact, tess, null],
  ['a contact with the permission may', member('resources-view'), tess, null],
  ['one of several permissions is enough', member(['roas-update', 'resources-view']), tess, null],
  ['a contact without it may not', member('roas-update'), tess, 'permission'],
  ['a technical contact is no corporate contact', corporate, tess, 'corporate'],
  ['nobody is staff by being a contact', staff('payments'), tess, 'staff'],
  ['staff with the permission and a second factor may', staff('payments'), stella, null],
  ['staff without the permission may not', staff('payments'), fiona, 'staff-permission'],
  ['an auditor reads', staff('payments'), audra, null],
  ['staff may read what staff may read', member('resources-view', { staff: true }), stella, null],
  ['staff is no contact', member('roas-update'), stella, 'staff-reads-only'],
  ['staff is no corporate contact', corporate, stella, 'staff-reads-only'],
  ['who never turned on a second factor is told', member('resources-view', { mfa: true }), bill, 'second-factor'],
  ['a privileged permission is none without a second factor', member('tickets-resources-update'), privileged(bill), 'second-factor'],
  [
    'where the registry asks nobody for one it is',
    member('tickets-resources-update'),
    { ...privileged(bill), person: aPerson({ hasSecondFactor: false, mfa: false, privilegesNeedFactor: false }) },
    null,
  ],
  [
    'an enrolled second factor is asked for by the call itself',
    member('resources-view', { mfa: true }),
    { ...tess, person: aPerson({ mfa: false }) },
    null,
  ],
])('%s', (_, access, who, rule) => {
  expect(refusedBy({ access }, who)?.rule ?? null).toBe(rule);
});

it('staff cannot change anything in an account they visit', () => {
  expect(refusedBy({ access: contact, method: 'POST' }, stella)?.rule).toBe('staff-reads-only');
});

it('a feature that the account doesn’t have is refused after everything else, for pages and calls', () => {
  const without = { ...tess, account: anAccount({ features: ['renewalquote'] }) };
  const page = { access: member('resources-view'), flag: 'zonefiles' } as const;
  expect(refusedBy(page, tess)).toBeNull();
  expect(refusedBy(page, without)).toMatchObject({ rule: 'feature', sentence: 'The registry hasn’t switched this on for EXAMPLE-AU' });
  expect(refusedBy({ ...page, access: member('roas-update') }, without)?.rule).toBe('permission');
  expect(refusedBy({ access: member('resources-view') }, without)).toBeNull();
});

it('says the sentences of the specification', () => {
  expect(refusedBy({ access: member('roas-update') }, tess)?.sentence).toBe('You do not have permission to access this feature');
  expect(refusedBy({ access: corporate }, tess)?.sentence).toBe('Sorry, you must be a corporate contact');
  expect(refusedBy({ access: member('resources-view', { mfa: true }) }, bill)?.sentence).toBe('MFA is not enabled!');
});

it('names the staff permission that is missing', () => {
  expect(refusedBy({ access: staff(['billing', 'payments']) }, fiona)?.staffPermissions).toEqual(['billing', 'payments']);
  expect(refusedBy({ access: staff('payments'), method: 'POST', effect: 'money' }, audra)?.rule).toBe('staff-permission');
});

it('names the permission that would help', () => {
  expect(refusedBy({ access: member('roas-update') }, tess)?.permission).toBe('roas-update');
});
