import type { ContactType } from '@portal/contract';
import { type ApplicationDraft, addressLinesOf } from '@portal/contract/applications/application-form';
import type { Organisation } from '@portal/contract/organisations/organisations';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { LinkMaking } from '../../platform/registry.ts';
import { addContact, createAccount } from '../accounts/index.ts';
import { inviteFirstContact } from '../contacts/index.ts';
import { recordOrganisation } from '../organisations/index.ts';
import type { Row } from './application-row.ts';

/**
 * Creates the account of an application in state new, with its organisation and the applicant as corporate contact; billing and technical
 * contacts who are other people are invited. It opens once the sign-up invoice is paid.
 */
export async function openNewMember(
  change: Change,
  { loginId, applicantName, applicantEmail }: Pick<Row, 'loginId' | 'applicantName' | 'applicantEmail'>,
  form: ApplicationDraft,
  registry: LinkMaking,
): Promise<void> {
  const { accountName, orgName, economy } = form;
  const accountType = form.membership === 'member' ? 'regular' : 'non member';
  await createAccount(change, { accountName, accountStatus: 'new', accountType, orgName, economy });
  await recordOrganisation(change, accountName, {
    registrationNumber: form.registrationNumber,
    organisationType: form.organisationType as Organisation['organisationType'],
    postalAddress: addressLinesOf(form.postalAddress),
    city: form.city,
    region: form.region,
    postcode: form.postcode,
    phone: form.phone,
    website: form.website,
    abuseEmail: form.abuseEmail,
    billingAddress: addressLinesOf(form.billingAddress),
    billingEmail: form.billingEmail,
    poNumber: form.poNumber,
  });
  const contactTypes: ContactType[] = [
    'corporate',
    ...(form.billingContact.same ? (['billing'] as const) : []),
    ...(form.technicalContact.same ? (['technical'] as const) : []),
  ];
  await addContact(change, {
    accountName,
    loginId,
    fullName: applicantName,
    email: applicantEmail,
    phone: form.contactPhone,
    position: form.position,
    contactTypes,
  });
  for (const { contact, contactTypes: types } of othersOf(form, applicantEmail)) {
    const { fullName, email, phone } = contact;
    await inviteFirstContact(
      change,
      { accountName, fullName: fullName.trim(), email: email.trim(), phone: phone.trim(), contactTypes: types },
      registry,
    );
  }
}

type OtherContact = ApplicationDraft['billingContact'];

/** Billing and technical contact if they aren't the applicant; one person for both is one contact. */
function othersOf(form: ApplicationDraft, applicantEmail: string): { contact: OtherContact; contactTypes: ContactType[] }[] {
  const byAddress = new Map<string, { contact: OtherContact; contactTypes: ContactType[] }>();
  for (const [contact, type] of [
    [form.billingContact, 'billing'],
    [form.technicalContact, 'technical'],
  ] as const) {
    const address = contact.email.trim().toLowerCase();
    if (contact.same || address === applicantEmail.toLowerCase()) continue;
    const known = byAddress.get(address);
    if (known) known.contactTypes.push(type);
    else byAddress.set(address, { contact, contactTypes: [type] });
  }
  return [...byAddress.values()];
}

/** Returns the kinds of resources requested in the application of an account: `ipv4`, `ipv6`, `asn`. */
export async function askedResources(read: Pick<Read, 'rows'>, accountName: string): Promise<string[]> {
  const [row] = await read.rows<{ resources: string[] | null }>(sql`select form -> 'resources' as resources from membership_application
    where account_name = ${accountName} and state = 'approved' order by membership_application_id desc limit 1`);
  return row?.resources ?? [];
}
