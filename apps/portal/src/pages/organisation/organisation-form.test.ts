import { type Organisation, organisations } from '@portal/contract/organisations/organisations';
import { expect, it } from 'vitest';
import { changedFields, differences, type Part, rebased, updateOf, type Values, valuesOf } from './organisation-form.ts';

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

it('an address has one field line per line; empty lines and surrounding spaces are not a change', () => {
  const values = valuesOf('address', organisation);
  expect(values.postalAddress).toBe('Level 3\n10 Example Street');
  expect(changedFields('address', organisation, { ...values, postalAddress: ' Level 3 \n\n10 Example Street\n' })).toEqual([]);
});

it('saving sends what differs, and the version that was read', () => {
  const values = { ...valuesOf('address', organisation), postalAddress: 'PO Box 1\n', city: ' 東京 ' };
  expect(updateOf('address', organisation, values)).toEqual({ version: 3, postalAddress: ['PO Box 1'], city: '東京' });
});

it('entered values are applied to what others have saved', () => {
  const now = { ...organisation, version: 4, city: 'Sydney', postcode: '2000' };
  const values = { ...valuesOf('address', organisation), city: 'Perth' };
  expect(rebased('address', organisation, values, now)).toEqual({ ...valuesOf('address', now), city: 'Perth' });
});

/** Returns the contract's problems of a part with these values, by field. */
const problemsOf = (part: Part, before: Organisation, values: Values): Record<string, string> =>
  Object.fromEntries(
    (
      organisations.updateOrganisation.body!.safeParse(updateOf(part, before, { ...valuesOf(part, before), ...values })).error?.issues ?? []
    ).map(({ path: [field], message }) => [field, message]),
  );

it.each([
  ['reach', 'website', 'javascript:alert(1)', /starts with https/],
  ['reach', 'website', 'https://example.net', null],
  ['reach', 'abuseEmail', 'abuse@', /valid email address/],
  ['reach', 'abuseEmail', ' ', null],
  ['reach', 'phone', 'call me', /telephone number/],
  ['address', 'postalAddress', ' \n', /at least one line/],
  ['address', 'postalAddress', '1\n2\n3\n4\n5', /at most 4 lines/],
] as const)('%s: %s %j', (part, field, text, words) => {
  const problem = problemsOf(part, organisation, { [field]: text })[field];
  if (words === null) expect(problem).toBeUndefined();
  else expect(problem).toMatch(words);
});

it('only changed values are checked, so that an old value does not block a new one', () => {
  const old = { ...organisation, website: 'www.old.example' };
  expect(problemsOf('reach', old, { phone: '+61 7 5550 0100' })).toEqual({});
});

it('a difference has the old and the new value', () => {
  const values = { ...valuesOf('billing', organisation), billingAddress: 'PO Box 1' };
  expect(differences('billing', organisation, values)).toEqual([{ label: 'Billing address', before: '', after: 'PO Box 1' }]);
});
