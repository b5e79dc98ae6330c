import { billingEmailOf } from '../organisations/index.ts';
import { pages } from '@portal/contract/pages';
import type { Change } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';

type Topic = 'billing.renewal' | 'billing.invoices' | 'billing.reminders';
type Notice = {
  topic: Topic;
  accountName: string;
  subject: string;
  body: readonly string[];
  answerBy?: string;
  /** The invoice, credit note or receipt that the e-mail carries. */
  attaches?: { what: 'invoice' | 'credit-note' | 'receipt'; number: string };
};

const place = { path: '/member-account-settings/billing', act: 'View invoices' };

/** Notifies corporate and billing contacts. */
export async function notifyPayers(change: Change, notice: Notice): Promise<void> {
  await notifyPeople(
    change,
    { ...place, ...notice },
    await activeContacts(change, notice.accountName, { types: ['corporate', 'billing'] }),
  );
}

/** The same, and the address for invoices, if the organisation has one. */
export async function notifyPayersAndBillingAddress(change: Change, notice: Notice): Promise<void> {
  const contacts = await activeContacts(change, notice.accountName, { types: ['corporate', 'billing'] });
  const email = await billingEmailOf(change, notice.accountName);
  await notifyPeople(change, { ...place, ...notice }, [...(email === '' ? [] : [{ fullName: '', email, loginId: null }]), ...contacts]);
}

/** Notifies every contact, because the account's existence is at stake. A closed account has one page, with its invoices. */
export async function notifyAllContacts(change: Change, notice: Notice, { closed = false } = {}): Promise<void> {
  const contacts = await activeContacts(change, notice.accountName, { types: ['corporate', 'billing', 'technical'] });
  const closedPlace = { ...place, path: `${pages.closedAccount.path}?account=${encodeURIComponent(notice.accountName)}` };
  await notifyPeople(change, { ...(closed ? closedPlace : place), ...notice }, contacts);
}

/** Notifies the registry's own billing address. */
export const notifyRegistryBilling = (
  change: Change,
  { billingEmail }: Pick<Profile, 'billingEmail'>,
  notice: Pick<Notice, 'subject' | 'body'> & { path?: string; act?: string },
): Promise<void> =>
  notifyPeople(change, { topic: 'billing.reminders', accountName: null, path: '/desk/memberships', act: 'Read the plan', ...notice }, [
    { fullName: '', email: billingEmail, loginId: null },
  ]);
