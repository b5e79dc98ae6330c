import type { Organisation } from '@portal/contract/organisations/organisations';
import { expect, it } from 'vitest';
import { changedFields, differences, problemOf, problemsOf, rebased, refusedFields, updateOf, valuesOf } from './organisation-form.ts';

const organisation: Organisation = {
  accountName: 'EXAMPLE-AU',
  version: 3,
  orgName: 'Example Networks Pty Ltd',
  registrationNumber: 'ABN 19',
  organisationType: 'company',
  economy: 'AU',
  postalAddress: ['Level 3', '10 Example Street'],
  city: 'Brisbane',
  region: '',
  postcode: '4101',
  phone: '',
  fax: '',
  website: '',
  abuseEmail: '',
  billingAddress: [],
  billingEmail: '',
  poNumber: '',
  delegations: 6,
  changes: [],
  closure: null,
};

it('an address is typed a line each; empty lines and spaces around are no change', () => {
  const values = valuesOf('address', organisation);
  expect(values.postalAddress).toBe('Level 3\n10 Example Street');
  expect(changedFields('address', organisation, { ...values, postalAddress: ' Level 3 \n\n10 Example Street\n' })).toEqual([]);
});

it('saving sends what differs, and the version it was read at', () => {
  const values = { ...valuesOf('address', organisation), postalAddress: 'PO Box 1\n', city: ' 東京 ' };
  expect(updateOf('address', organisation, values)).toEqual({ version: 3, postalAddress: ['PO Box 1'], city: '東京' });
});

it('what somebody typed is laid over what others left meanwhile', () => {
  const now = { ...organisation, version: 4, city: 'Sydney', postcode: '2000' };
  const values = { ...valuesOf('address', organisation), city: 'Perth' };
  expect(rebased('address', organisation, values, now)).toEqual({ ...valuesOf('address', now), city: 'Perth' });
});

it.each([
  ['website', 'javascript:alert(1)', /begins with https/],
  ['website', 'https://example.net', null],
  ['abuseEmail', 'abuse@', /valid email address/],
  ['abuseEmail', '', null],
  ['phone', 'call me', /telephone number/],
  ['postalAddress', ' \n', /at least one line/],
  ['postalAddress', '1\n2\n3\n4\n5', /at most 4 lines/],
] as const)('%s %j', (field, text, words) => {
  if (words === null) expect(problemOf(field, text)).toBeNull();
  else expect(problemOf(field, text)).toMatch(words);
});

it('only what was changed is looked at, so that an old value does not stop a new one', () => {
  const old = { ...organisation, website: 'www.old.example' };
  expect(problemsOf('reach', old, { ...valuesOf('reach', old), phone: '+61 7 5550 0100' })).toEqual({});
});

it('a refusal stands at its field, and others over the form', () => {
  const message = 'Leave no line of the address empty';
  expect(refusedFields([{ code: 'INVALID_REQUEST', message, traceId: 't', field: 'postalAddress.1' }])).toEqual({ postalAddress: message });
  expect(refusedFields([{ code: 'COOLING_DOWN', message: 'Later', traceId: 't' }])).toEqual({ form: 'Later' });
});

it('a difference names what was and what is to be', () => {
  const values = { ...valuesOf('billing', organisation), billingAddress: 'PO Box 1' };
  expect(differences('billing', organisation, values)).toEqual([{ label: 'Billing address', before: '', after: 'PO Box 1' }]);
});
