import { describe, expect, test } from 'vitest';
import { type ApplicationDraft, emptyApplication, isOptionalIn, problemsOfApplication } from './application-form.ts';

const complete: ApplicationDraft = {
  ...emptyApplication,
  orgName: 'Lagoon Networks Ltd',
  economy: 'FJ',
  organisationType: 'company',
  business: 'internet service provider',
  registrationNumber: 'RCFS-30117',
  postalAddress: '12 Example Street',
  city: 'Suva',
  phone: '+679 555 0140',
  abuseEmail: 'abuse@lagoon.example',
  position: 'Director',
  contactPhone: '+679 555 0141',
  accountName: 'LAGOON-FJ',
  billingEmail: 'accounts@lagoon.example',
};
const wrong = (part: Partial<ApplicationDraft>, papers = 1): string[] =>
  problemsOfApplication({ ...complete, ...part }, papers).map(({ field, message }) => `${field}: ${message}`);

describe('a membership application', () => {
  test('a complete form can be submitted', () => {
    expect(wrong({})).toEqual([]);
  });

  test.each<[string, Partial<ApplicationDraft>, string]>([
    ['a name of one letter', { orgName: 'L' }, 'orgName: Enter the legal name, at least 2 characters'],
    ['a name without end', { orgName: 'L'.repeat(256) }, 'orgName: Enter at most 255 characters'],
    ['a name in two lines', { orgName: 'Lagoon\nNetworks' }, 'orgName: Enter one line, without control characters'],
    ['an address of five lines', { postalAddress: 'a\nb\nc\nd\ne' }, 'postalAddress: Enter the address in at most 4 lines'],
    ['an address for abuse that is none', { abuseEmail: 'abuse@' }, 'abuseEmail: Enter a valid email address'],
    ['an account name of another economy', { accountName: 'LAGOON-AU' }, 'accountName: End the account name with -FJ'],
    [
      'an organisation without a number',
      { registrationNumber: '' },
      'registrationNumber: Enter the number as in the public company register',
    ],
    ['resources without a plan', { resources: ['ipv6'] }, 'networkPlan: Enter the network plan: dates, equipment and connections'],
    [
      'a billing contact whose address was typed in two ways',
      { billingContact: { same: false, fullName: 'Tomasi Vula', email: 't@lagoon.example', emailAgain: 'v@lagoon.example', phone: '' } },
      'billingContact.emailAgain: Enter the same e-mail address twice',
    ],
    [
      'an Australian number that is too short',
      { economy: 'AU', accountName: 'LAGOON-AU', taxId: '53 004 085' },
      'taxId: Enter the 11-digit Australian Business Number',
    ],
  ])('%s is refused in words', (_, part, problem) => {
    expect(wrong(part)).toEqual([problem]);
  });

  test('an individual needs no registration number, but every applicant needs a document', () => {
    expect(wrong({ business: 'individual', registrationNumber: '' })).toEqual([]);
    expect(wrong({}, 0)).toEqual(['documents: Add the certificate of incorporation or an equivalent document']);
  });

  test('a field is optional as long as the other answers allow it to be empty', () => {
    expect(isOptionalIn(complete, 'networkPlan')).toBe(true);
    expect(isOptionalIn({ ...complete, resources: ['ipv6'] }, 'networkPlan')).toBe(false);
    expect(isOptionalIn(complete, 'registrationNumber')).toBe(false);
    expect(isOptionalIn({ ...complete, business: 'individual' }, 'registrationNumber')).toBe(true);
    const fields = [
      'orgName',
      'tradingName',
      'website',
      'city',
      'region',
      'postcode',
      'phone',
      'billingAddress',
      'billingEmail',
      'poNumber',
      'taxId',
    ] as const;
    expect(fields.filter(field => isOptionalIn(complete, field))).toEqual([
      'tradingName',
      'website',
      'region',
      'postcode',
      'billingAddress',
      'poNumber',
      'taxId',
    ]);
  });

  test('no message names another economy than the chosen one', () => {
    const messages = [emptyApplication, { ...complete, phone: 'seven', contactPhone: 'x', accountName: 'l', city: '' }].flatMap(draft =>
      problemsOfApplication({ ...draft, economy: 'FJ' }, 0).map(({ message }) => message),
    );
    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter(message => /Brisbane|Austral|\+\d|-AU\b/.test(message))).toEqual([]);
  });
});
