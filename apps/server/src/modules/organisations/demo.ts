import type { Organisation } from '@portal/contract/organisations/organisations';
import { DAY_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { DemoRegistry } from '../../platform/demo.ts';
import { requestAccountClosure } from './account-closures.ts';
import { requestOrganisationChange } from './organisation-changes.ts';
import type { OrganisationDetails } from './organisation-row.ts';
import { recordOrganisation } from './organisation.ts';

type Known = Partial<OrganisationDetails> & Pick<Organisation, 'registrationNumber' | 'organisationType'>;

/** Names reserved for examples (RFC 2606); telephone numbers reserved for fiction, or too short to be dialled. */
const of = (accountName: string, known: Known): [string, Known] => {
  const domain = `${accountName.toLowerCase()}.example`;
  return [accountName, { website: `https://www.${domain}`, abuseEmail: `abuse@${domain}`, billingEmail: `accounts@${domain}`, ...known }];
};

/** Organisation details of the demo members. Members without an entry have entered none yet. */
const organisations: ReadonlyMap<string, Known> = new Map([
  of('EXAMPLE-AU', {
    registrationNumber: 'ABN 00 000 000 019',
    organisationType: 'company',
    postalAddress: ['Level 3, 10 Example Street'],
    city: 'South Brisbane',
    region: 'Queensland',
    postcode: '4101',
    phone: '+61 7 5550 0100',
    fax: '+61 7 5550 0199',
    billingAddress: ['Example Networks Pty Ltd', 'Accounts payable', 'PO Box 1000', 'South Brisbane QLD 4101', 'Australia'],
    poNumber: 'PO-2026-118',
  }),
  of('SOUTHSITE-NZ', {
    registrationNumber: '0000017',
    organisationType: 'company',
    postalAddress: ['RD 3'],
    city: 'Ashburton',
    region: 'Canterbury',
    postcode: '7773',
    phone: '+64 3 555 0117',
  }),
  of('LABNET-AU', {
    registrationNumber: '',
    organisationType: 'not for profit',
    postalAddress: ['Building 7', '1 Example Drive'],
    city: 'Clayton',
    region: 'Victoria',
    postcode: '3800',
    phone: '+61 3 5550 0142',
  }),
  of('OTHER-SG', {
    registrationNumber: '200000000X',
    organisationType: 'company',
    postalAddress: ['1 Example Road', '#08-01'],
    city: 'Singapore',
    postcode: '000001',
    phone: '+65 5550 0101',
  }),
  of('NATREG-XX', {
    registrationNumber: 'Decree 12/2001',
    organisationType: 'government',
    postalAddress: ['Ministry of Communications', '2 Harbour Square'],
    city: 'Port Example',
    phone: '+999 555 0102',
  }),
  of('OLDNET-JP', {
    registrationNumber: '0000-00-000001',
    organisationType: 'education',
    postalAddress: ['例示県例示市学園町1-2-3', '計算機センター'],
    city: '例示市',
    region: '例示県',
    postcode: '000-0001',
    phone: '+81 3 5550 0103',
  }),
  of('CAMPUS-JP', {
    registrationNumber: '0000-00-000002',
    organisationType: 'partnership',
    postalAddress: ['4-5-6 Example-cho'],
    city: 'Minato-ku',
    region: 'Tokyo',
    postcode: '000-0002',
    phone: '+81 3 5550 0104',
  }),
  of('LATE-FJ', {
    registrationNumber: 'C 0000/2019',
    organisationType: 'company',
    postalAddress: ['PO Box 100'],
    city: 'Suva',
    phone: '+679 555 0105',
  }),
  // What every application asks for.
  ...['BEACON-BD', 'CORAL-KI', 'DELTA-VN', 'ESTUARY-TH', 'FJORD-TL', 'GROVE-LK', 'HARBOUR-HK', 'INLET-ID', 'JETTY-PH'].map(accountName =>
    of(accountName, { registrationNumber: '', organisationType: 'company' }),
  ),
]);

/** Adds the details of the demo organisations. */
export const addDemo = ({ change: changeDemo }: DemoRegistry): Promise<void> =>
  changeDemo({ action: 'demo.organisations', summary: 'Recorded the demo organisations' }, async change => {
    for (const [accountName, known] of organisations) await recordOrganisation(change, accountName, known);
  });

/** Adds requests to the registry: a change of details, and the end of an account. */
export async function addDemoLife({ changeAs, today, profile }: DemoRegistry): Promise<void> {
  const ago = (days: number): string => instantBefore(today, days * DAY_MS);
  await changeAs({
    person: 'olive',
    accountName: 'OTHER-SG',
    action: 'organisations.changes.requestOrganisationChange',
    daysAgo: 3,
    summary: 'Asked for a change of organisation details',
    run: async (change, { account, caller }) => {
      await requestOrganisationChange({
        change,
        account,
        caller,
        body: {
          field: 'organisationType',
          value: 'partnership',
          reason: 'The company is run as a limited partnership since October',
          documentIds: [],
        },
      });
      await change
        .updateTable('organisationChange')
        .set({ requestedAt: ago(3) })
        .where('accountName', '=', 'OTHER-SG')
        .execute();
    },
  });
  await changeAs({
    person: 'max',
    accountName: 'INLET-ID',
    action: 'organisations.closures.requestAccountClosure',
    daysAgo: 12,
    summary: 'Asked the registry to close the account',
    run: async (change, { account, caller }) => {
      await requestAccountClosure({
        change,
        account,
        caller,
        body: {
          reason: 'The group merged its networks into HARBOUR-HK',
          closeOn: daysAfter(utcDay(today), 40),
          resources: 'none',
          confirmation: 'INLET-ID',
          documentIds: [],
        },
        registry: { profile },
      });
      await change
        .updateTable('accountClosureRequest')
        .set({ requestedAt: ago(12) })
        .where('accountName', '=', 'INLET-ID')
        .execute();
    },
  });
}

export { regionStages } from './demo-region.ts';
