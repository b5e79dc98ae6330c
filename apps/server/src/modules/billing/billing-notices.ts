import { billingEmailOf } from '../organisations/index.ts';
import { pages } from '@portal/contract/pages';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed, activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import type { MailText } from '../mail/index.ts';

type Topic = 'billing.renewal' | 'billing.invoices' | 'billing.reminders';
type Notice = {
  topic: Topic;
  accountName: string;
  text: MailText;
  answerBy?: string;
  /** The invoice, credit note or receipt that the e-mail carries. */
  attaches?: { what: 'invoice' | 'credit-note' | 'receipt' | 'issued-invoice' | 'issued-credit-note'; number: string };
};

/** Returns the page with the bills of an account, or with one of its invoices: a closed one has a page of its own, as its contacts can't choose it. */
export async function pageOfBills(read: Read, accountName: string, invoiceNumber?: string): Promise<string> {
  const { accountStatus } = await accountNamed(read, accountName);
  const isClosed = accountStatus === 'closed';
  const query = new URLSearchParams({
    ...(isClosed && { account: accountName }),
    ...(invoiceNumber !== undefined && { invoice: invoiceNumber }),
  });
  const path = isClosed ? pages.closedAccount.path : pages.billing.path;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

const placeOf = async (read: Read, { accountName }: Notice) => ({ path: await pageOfBills(read, accountName), act: 'View invoices' });

/** Notifies corporate and billing contacts. */
export async function notifyPayers(change: Change, notice: Notice): Promise<void> {
  await notifyPeople(
    change,
    { ...(await placeOf(change, notice)), ...notice },
    await activeContacts(change, notice.accountName, { types: ['corporate', 'billing'] }),
  );
}

/** The same, and the address for invoices, if the organisation has one. */
export async function notifyPayersAndBillingAddress(change: Change, notice: Notice): Promise<void> {
  const contacts = await activeContacts(change, notice.accountName, { types: ['corporate', 'billing'] });
  const email = await billingEmailOf(change, notice.accountName);
  await notifyPeople(change, { ...(await placeOf(change, notice)), ...notice }, [
    ...(email === '' ? [] : [{ fullName: '', email, loginId: null }]),
    ...contacts,
  ]);
}

/** Notifies every contact, because the account's existence is at stake. */
export async function notifyAllContacts(change: Change, notice: Notice): Promise<void> {
  const contacts = await activeContacts(change, notice.accountName, { types: ['corporate', 'billing', 'technical'] });
  await notifyPeople(change, { ...(await placeOf(change, notice)), ...notice }, contacts);
}

/** Notifies the registry's own billing address. */
export const notifyRegistryBilling = (
  change: Change,
  { billingEmail }: Pick<Profile, 'billingEmail'>,
  notice: Pick<Notice, 'text'> & { path?: string; act?: string },
): Promise<void> =>
  notifyPeople(change, { topic: 'billing.reminders', accountName: null, path: '/desk/memberships', act: 'Read the plan', ...notice }, [
    { fullName: '', email: billingEmail, loginId: null },
  ]);
