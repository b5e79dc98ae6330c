import type { Organisation } from '@portal/contract/organisations/organisations';
import type { OrganisationDetails } from '../modules/organisations/index.ts';

type Known = Partial<OrganisationDetails> & Pick<Organisation, 'registrationNumber' | 'organisationType'>;

/** Names reserved for examples (RFC 2606); numbers set aside for fiction, or too short to be dialled. */
const of = (accountName: string, known: Known): [string, Known] => {
  const domain = `${accountName.toLowerCase()}.example`;
  return [accountName, { website: `https://www.${domain}`, abuseEmail: `abuse@${domain}`, billingEmail: `accounts@${domain}`, ...known }];
};

/** Organisation details of the demo members. Members without an entry have entered none yet. */
export const demoOrganisations: ReadonlyMap<string, Known> = new Map([
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
]);
