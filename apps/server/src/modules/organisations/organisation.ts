import {
  type DetailField,
  detailFields,
  type Organisation,
  type organisations,
  type OrganisationUpdate,
} from '@portal/contract/organisations/organisations';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuseWithCurrent } from '../../platform/failure.ts';
import { actorOf, correctAccount, lockAccount, lockOwnAccount, refuseOwnAccount, refuseClosedAccount } from '../accounts/index.ts';
import { latestClosure } from './account-closures.ts';
import { openChanges } from './organisation-changes.ts';
import { notifyCorporateContacts } from './organisation-notices.ts';
import { type OrganisationDetails, writeOrganisation } from './organisation-row.ts';
import { organisationsTexts } from './mail-texts.ts';

type Row = Omit<Organisation, 'changes' | 'closure'>;

const labels: Record<DetailField, string> = {
  postalAddress: 'Postal address',
  city: 'City',
  region: 'State or region',
  postcode: 'Postcode',
  phone: 'Telephone',
  fax: 'Fax',
  website: 'Website',
  abuseEmail: 'E-mail for abuse reports',
  billingAddress: 'Billing address',
  billingEmail: 'E-mail for invoices',
  poNumber: 'Purchase order number',
};

async function rowOf(read: Read, accountName: string): Promise<Row> {
  const [row] = await read.rows<Row>(sql`
    select a.account_name, coalesce(o.version, 0) as version, a.org_name, coalesce(o.registration_number, '') as registration_number,
      o.organisation_type, a.economy, coalesce(o.postal_address, '{}') as postal_address, coalesce(o.city, '') as city,
      coalesce(o.region, '') as region, coalesce(o.postcode, '') as postcode, coalesce(o.phone, '') as phone, coalesce(o.fax, '') as fax,
      coalesce(o.website, '') as website, coalesce(o.abuse_email, '') as abuse_email, coalesce(o.billing_address, '{}') as billing_address,
      coalesce(o.billing_email, '') as billing_email, coalesce(o.po_number, '') as po_number,
      (select count(*)::int from delegation d where d.account_name = a.account_name and d.status <> 'closed') as delegations
    from account a left join organisation o using (account_name) where a.account_name = ${accountName}`);
  return row!;
}

/** Everything known about the organisation of an account. */
export async function getOrganisation({
  read,
  account: { accountName },
}: {
  read: Read;
  account: { accountName: string };
}): Promise<Organisation> {
  const [row, changes, closure] = await Promise.all([
    rowOf(read, accountName),
    openChanges(read, accountName),
    latestClosure(read, accountName),
  ]);
  return { ...row, changes, closure };
}

/** Records the organisation of a new account. */
export const recordOrganisation = (
  change: Change,
  accountName: string,
  values: Partial<OrganisationDetails> & Pick<Organisation, 'registrationNumber' | 'organisationType'>,
): Promise<void> => writeOrganisation(change, accountName, values);

const inWords = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join(', ')) || 'none';

/** Returns what registry staff enters about an organisation, with the version of its row; empty for one that is not known yet. */
export async function registrationOf(read: Read, accountName: string) {
  const organisation = await read
    .selectFrom('organisation')
    .select(['version', 'registrationNumber', 'organisationType'])
    .where('accountName', '=', accountName)
    .executeTakeFirst();
  return organisation ?? { version: 0, registrationNumber: '', organisationType: null };
}

/** Returns the address that invoices of an account go to, empty if none was entered. */
export async function billingEmailOf(read: Read, accountName: string): Promise<string> {
  const organisation = await read
    .selectFrom('organisation')
    .select('billingEmail')
    .where('accountName', '=', accountName)
    .executeTakeFirst();
  return organisation?.billingEmail ?? '';
}

/**
 * Changes the member's own details; fields left out stay. @throws Failure STALE with the present organisation
 */
export async function updateOrganisation({
  change,
  account,
  body: { version, ...given },
}: {
  change: Change;
  account: AdmittedAccount;
  body: OrganisationUpdate;
}): Promise<Organisation> {
  const { accountName } = account;
  await lockOwnAccount(change, account);
  const actor = await actorOf(change, account);
  const row = await rowOf(change, accountName);
  if (row.version !== version)
    throw refuseWithCurrent(await getOrganisation({ read: change, account: { accountName } }), 'STALE', { what: 'the organisation' });
  const fields = detailFields.filter(field => given[field] !== undefined && JSON.stringify(given[field]) !== JSON.stringify(row[field]));
  if (fields.length > 0) {
    const part = (values: Partial<OrganisationDetails>): Partial<OrganisationDetails> =>
      Object.fromEntries(fields.map(field => [field, values[field]]));
    await writeOrganisation(change, accountName, part(given as Partial<OrganisationDetails>));
    await change.note({ before: part(row), after: part(given as Partial<OrganisationDetails>) });
    await notifyCorporateContacts(change, {
      accountName,
      text: organisationsTexts.written('organisationDetailsChanged', {
        accountName,
        actor: actor.name,
        actorEmail: actor.email,
        orgName: row.orgName,
        fields: fields.map(field => `${labels[field]}: ${inWords(row[field])} → ${inWords(given[field]!)}`).join('\n'),
      }),
    });
  }
  return getOrganisation({ read: change, account: { accountName } });
}

/**
 * Changes the economy of an account, which decides taxes and discounts from the next invoice on; registry staff only.
 * @throws Failure NOT_FOUND, ACCOUNT_CLOSED, OWN_REQUEST, STALE with the present organisation
 */
export async function setEconomy({
  change,
  caller,
  params: { accountName },
  body: { version, economy, reason },
}: Act<typeof organisations.setEconomy>): Promise<Organisation> {
  const account = await lockAccount(change, accountName);
  refuseClosedAccount(account);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const now = await getOrganisation({ read: change, account: { accountName } });
  if (now.version !== version) throw refuseWithCurrent(now, 'STALE', { what: 'the organisation' });
  if (account.economy === economy) return now;
  await correctAccount(change, accountName, { economy });
  await writeOrganisation(change, accountName, {});
  await change.note({ before: { economy: account.economy }, after: { economy }, reason });
  await notifyCorporateContacts(change, {
    accountName,
    text: organisationsTexts.written('economyChanged', {
      accountName,
      orgName: account.orgName,
      economy: account.economy ?? 'none',
      economy2: economy,
      reason,
    }),
  });
  return getOrganisation({ read: change, account: { accountName } });
}
