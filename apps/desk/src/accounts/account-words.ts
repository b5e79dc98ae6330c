import { daysAfter, daysBetween, utcDay } from '@portal/contract/days';
import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { formatDate, type State } from '@portal/ui';

const dayInWords = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

/** A time in which something was wrong; null while it still is. */
export type Fault = { from: string; until: string | null; words: string };

type Contacts = NonNullable<AccountPicture['contacts']>;
/** Times in which an account had no corporate contact, since its first one. */
function withoutCorporate(contacts: Contacts): Fault[] {
  const terms = contacts
    .filter(({ corporateSince }) => corporateSince !== null)
    .map(({ corporateSince, until }) => ({ from: utcDay(corporateSince!), until: until === null ? null : utcDay(until) }))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1));
  const faults: Fault[] = [];
  let covered: string | null = terms[0]?.from ?? null;
  for (const { from, until } of terms) {
    if (covered === null) break;
    if (from > covered) faults.push({ from: covered, until: from, words: 'No corporate contact' });
    if (until === null) covered = null;
    else if (until > covered || from > covered) covered = until > covered ? until : covered;
  }
  // Who was last removed left no one.
  if (terms.length > 0 && terms.every(({ until }) => until !== null) && covered !== null)
    faults.push({ from: covered, until: null, words: 'No corporate contact' });
  return faults;
}

/** Times in which something was wrong with an account, as far as its history says: invoices unpaid after their day, and no corporate contact. */
export function faultsOf({ invoices, contacts, at }: AccountPicture): Fault[] {
  const today = utcDay(at);
  const late = (invoices ?? [])
    .filter(({ dueOn, settledOn }) => (settledOn ?? today) > dueOn)
    .map(({ number, dueOn, settledOn }): Fault => ({ from: dueOn, until: settledOn, words: `${number} unpaid after its day` }));
  return [...late, ...(contacts ? withoutCorporate(contacts) : [])].toSorted((one, other) => (one.from < other.from ? -1 : 1));
}

/** How an account pays: for each paid invoice the days after its day, negative for early ones, the latest last. */
export function paymentDays(invoices: NonNullable<AccountPicture['invoices']>): number[] {
  return invoices
    .filter(({ paidOn }) => paidOn !== null)
    .toSorted((one, other) => (one.paidOn! < other.paidOn! ? -1 : 1))
    .map(({ dueOn, paidOn }) => daysBetween(dueOn, paidOn!));
}

/** The middle of numbers; null without any. */
export function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Days early or late, in words. */
export const daysInWords = (days: number): string => {
  const count = Math.abs(Math.round(days));
  if (count === 0) return 'on the day';
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'early' : 'late'}`;
};

type Invoice = NonNullable<AccountPicture['invoices']>[number];

/** The place of an invoice on the page of its account, where it is opened, and paid. */
export const invoiceAnchor = (number: string): string => `invoice-${number}`;

/** Returns the unpaid invoices of an account in words for its head: until when the next one is due, or for how long one is overdue; null where none is unpaid. */
export function unpaidMarkOf(invoices: readonly Invoice[], today: string): { state: State; words: string } | null {
  const open = invoices.filter(({ settledOn }) => settledOn === null).toSorted((one, other) => (one.dueOn < other.dueOn ? -1 : 1));
  const [first] = open;
  if (!first) return null;
  const late = open.filter(({ dueOn }) => dueOn < today).length;
  if (late > 1) return { state: 'invalid', words: `${late} invoices overdue` };
  const days = daysBetween(today, first.dueOn);
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  if (days < 0) return { state: 'invalid', words: `Invoice overdue ${count}` };
  return { state: 'warning', words: days === 0 ? 'Invoice due today' : `Invoice due in ${count}` };
}

/** Days after which a sign-in is said by its day. */
const RECENT_DAYS = 30;

/** Returns when a person last signed in, in words, from a day and today in the reader’s zone. */
export function signInInWords(day: string | null, today: string): string {
  if (day === null) return 'no sign-in known';
  const ago = daysBetween(day, today);
  if (ago <= 0) return 'signed in today';
  if (ago === 1) return 'signed in yesterday';
  return ago <= RECENT_DAYS ? `signed in ${ago} days ago` : `signed in ${dayInWords(day)}`;
}

/** Begins a text with a capital letter. */
export const asHeading = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Something about an account that registry staff look at before they decide, with the facts that make it. */
export type RiskMark = { title: string; because: string };

/** Of the last invoices, how many were paid late for a mark. */
const LATEST_INVOICES = 5;
const LATE_INVOICES = 2;
/** Days without a sign-in of any corporate contact. */
const SILENT_DAYS = 365;
/** Days after which a new corporate contact isn't new any more. */
const NEW_DAYS = 30;

/** The risk marks of an account, found from what its sheet and its picture say. */
export function riskMarksOf(picture: AccountPicture, { contacts, account }: AccountSheet): RiskMark[] {
  const today = utcDay(picture.at);
  const marks: RiskMark[] = [];
  const corporate = contacts.filter(({ contactTypes, status }) => contactTypes.includes('corporate') && status === 'active');
  const [only] = corporate;
  if (corporate.length === 0)
    marks.push({ title: 'No corporate contact', because: 'No active contact can act for the account or appoint others.' });
  else if (corporate.length === 1) marks.push({ title: 'One corporate contact', because: `${only!.fullName} alone can appoint others.` });
  const unprotected = corporate.filter(({ passwordAlone }) => passwordAlone);
  if (unprotected.length > 0)
    marks.push({
      title: 'Corporate contact without two-factor',
      because: `${unprotected.map(({ fullName }) => fullName).join(', ')} can act for the account with a password alone.`,
    });
  const silentSince = daysAfter(today, -SILENT_DAYS);
  // Of a login that was made within the year, as after an import, no sign-in is known that could be missed.
  const seen = corporate.flatMap(({ lastSignInAt, loginSince }) => lastSignInAt ?? loginSince ?? []);
  if (seen.length > 0 && seen.every(at => utcDay(at) < silentSince))
    marks.push({ title: 'No sign-in for a year', because: 'No corporate contact has signed in within a year.' });
  const fresh = (picture.contacts ?? [])
    .flatMap(({ corporateSince, until }) => (corporateSince === null || until !== null ? [] : [utcDay(corporateSince)]))
    .filter(day => day > daysAfter(today, -NEW_DAYS))
    .toSorted();
  if (fresh.length > 0)
    marks.push({
      title: 'New corporate contact',
      because: `${fresh.length === 1 ? 'One was' : `${fresh.length} were`} added or promoted within ${NEW_DAYS} days, the last on ${dayInWords(fresh.at(-1)!)}.`,
    });
  if (picture.invoices) {
    const late = paymentDays(picture.invoices)
      .slice(-LATEST_INVOICES)
      .filter(days => days > 0);
    if (late.length >= LATE_INVOICES)
      marks.push({
        title: 'Pays late',
        because: `${late.length} of the last ${LATEST_INVOICES} invoices, by up to ${Math.max(...late)} days.`,
      });
  }
  const silent = (picture.mailboxes?.invalid ?? 0) + (picture.mailboxes?.restricted ?? 0);
  if (silent > 0)
    marks.push({ title: 'Abuse mailbox doesn’t answer', because: `${silent} of its mailboxes didn’t answer the last check.` });
  if (account.accountStatus !== 'open')
    marks.push({ title: `Account is ${account.accountStatus}`, because: 'It can’t ask for or transfer numbers.' });
  return marks;
}
