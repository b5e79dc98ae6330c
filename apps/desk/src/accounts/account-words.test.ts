import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { expect, test } from 'vitest';
import { daysInWords, faultsOf, medianOf, paymentDays, riskMarksOf, signInInWords, unpaidMarkOf } from './account-words.ts';

const invoice = (number: string, dueOn: string, settledOn: string | null) => ({
  number,
  kind: 'renewal' as const,
  state: settledOn === null ? ('issued' as const) : ('paid' as const),
  periodFrom: '2026-01-01',
  periodTo: '2026-12-31',
  issuedOn: '2026-01-01',
  dueOn,
  settledOn,
  paidOn: settledOn,
  currency: 'AUD',
  total: '10.00',
  owed: settledOn === null ? '10.00' : '0.00',
});
const contact = (from: string, until: string | null, corporate = true) => ({
  corporate,
  passwordAlone: false,
  from: `${from}T00:00:00Z`,
  until: until && `${until}T00:00:00Z`,
  corporateSince: corporate ? `${from}T00:00:00Z` : null,
});
const picture = (given: Partial<AccountPicture>): AccountPicture => ({
  at: '2026-11-27T10:00:00Z',
  memberSince: '2020-01-01',
  holdings: null,
  invoices: null,
  money: null,
  votes: null,
  cases: null,
  tickets: null,
  contacts: null,
  resources: null,
  routes: null,
  zones: null,
  mailboxes: null,
  failed: [],
  ...given,
});
const person = (given: Partial<AccountSheet['contacts'][number]> = {}): AccountSheet['contacts'][number] => ({
  contactId: 'c1',
  fullName: 'Corin Achterberg',
  email: 'corin@example.net',
  phone: '',
  contactTypes: ['corporate'],
  status: 'active',
  hasLogin: true,
  hasSecondFactor: true,
  hasPasskey: false,
  votes: true,
  passwordAlone: false,
  loginSince: '2021-01-01T00:00:00Z',
  lastSignInAt: '2026-11-20T00:00:00Z',
  ...given,
});
const sheet = (contacts: AccountSheet['contacts'], accountStatus = 'open') =>
  ({ contacts, account: { accountStatus } }) as unknown as AccountSheet;

test('an invoice that is unpaid after its day is a fault until it is settled', () => {
  const invoices = [invoice('A', '2026-02-01', '2026-01-20'), invoice('B', '2026-03-01', '2026-03-07'), invoice('C', '2026-11-20', null)];
  expect(faultsOf(picture({ invoices }))).toEqual([
    { from: '2026-03-01', until: '2026-03-07', words: 'B unpaid after its day' },
    { from: '2026-11-20', until: null, words: 'C unpaid after its day' },
  ]);
});

test('times without a corporate contact are faults, also one that lasts, and others can overlap', () => {
  const gaps = (contacts: NonNullable<AccountPicture['contacts']>) =>
    faultsOf(picture({ contacts })).map(({ from, until }) => [from, until]);
  expect(gaps([contact('2020-01-01', '2021-01-01'), contact('2020-06-01', '2022-01-01'), contact('2022-03-01', null)])).toEqual([
    ['2022-01-01', '2022-03-01'],
  ]);
  expect(gaps([contact('2020-01-01', '2021-01-01')])).toEqual([['2021-01-01', null]]);
  expect(gaps([contact('2020-01-01', null, false)])).toEqual([]);
  expect(gaps([contact('2020-01-01', null), contact('2020-02-01', '2020-03-01')])).toEqual([]);
});

test('payment habits are days around the day on which an invoice was due', () => {
  const days = paymentDays([
    invoice('B', '2026-03-01', '2026-03-07'),
    invoice('A', '2026-02-01', '2026-01-20'),
    invoice('C', '2026-11-20', null),
    // Cancelled or written off: nothing was paid.
    { ...invoice('D', '2026-05-01', '2026-09-01'), paidOn: null },
  ]);
  expect(days).toEqual([-12, 6]);
  expect([medianOf(days), medianOf([3, 1, 2]), medianOf([])]).toEqual([-3, 2, null]);
  expect([-1, 0, 6].map(daysInWords)).toEqual(['1 day early', 'on the day', '6 days late']);
});

test('risk marks say what makes them, and an account without any has none', () => {
  const titles = (of: AccountPicture, as: AccountSheet) => riskMarksOf(of, as).map(({ title }) => title);
  const two = [person(), person({ contactId: 'c2', fullName: 'Tilda Marchetti' })];
  expect(titles(picture({}), sheet(two))).toEqual([]);
  expect(riskMarksOf(picture({}), sheet([person()]))).toEqual([
    { title: 'One corporate contact', because: 'Corin Achterberg alone can appoint others.' },
  ]);
  expect(titles(picture({}), sheet([person({ status: 'removed' })]))).toEqual(['No corporate contact']);
  expect(titles(picture({}), sheet([...two, person({ hasSecondFactor: false, passwordAlone: true })]))).toEqual([
    'Corporate contact without two-factor',
  ]);
  expect(titles(picture({}), sheet(two.map(each => ({ ...each, lastSignInAt: '2025-11-01T00:00:00Z' }))))).toEqual([
    'No sign-in for a year',
  ]);
  const unseen = two.map(each => ({ ...each, lastSignInAt: null }));
  expect(titles(picture({}), sheet(unseen))).toEqual(['No sign-in for a year']);
  // A login that was made within the year, as after an import, and a contact without one: nothing is known.
  for (const loginSince of ['2026-10-01T00:00:00Z', null])
    expect(titles(picture({}), sheet(unseen.map(each => ({ ...each, loginSince }))))).toEqual([]);
  // Who signs in at an identity provider has no second factor here, and no password either.
  expect(titles(picture({}), sheet([...two, person({ hasSecondFactor: false })]))).toEqual([]);
  expect(titles(picture({ contacts: [contact('2026-11-20', null)] }), sheet(two))).toEqual(['New corporate contact']);
  const promoted = { ...contact('2021-01-01', null), corporateSince: '2026-11-19T00:00:00Z' };
  expect(riskMarksOf(picture({ contacts: [promoted, contact('2021-01-01', null)] }), sheet(two))).toEqual([
    { title: 'New corporate contact', because: 'One was added or promoted within 30 days, the last on 19 Nov 2026.' },
  ]);
  const invoices = [invoice('A', '2026-02-01', '2026-02-20'), invoice('B', '2026-03-01', '2026-03-07')];
  expect(riskMarksOf(picture({ invoices }), sheet(two))).toEqual([
    { title: 'Pays late', because: '2 of the last 5 invoices, by up to 19 days.' },
  ]);
  expect(titles(picture({ mailboxes: { valid: 1, pending: 0, invalid: 1, restricted: 0 } }), sheet(two, 'suspended'))).toEqual([
    'Abuse mailbox doesn’t answer',
    'Account is suspended',
  ]);
});

test('the head of an account says when its unpaid invoice is due, or for how long it is overdue', () => {
  const said = (...days: string[]) =>
    unpaidMarkOf(
      days.map((day, place) => invoice(String(place), day, null)),
      '2026-11-30',
    );
  expect(unpaidMarkOf([invoice('A', '2026-11-01', '2026-10-01')], '2026-11-30')).toBeNull();
  expect(said('2026-12-12', '2026-12-20')).toEqual({ state: 'warning', words: 'Invoice due in 12 days' });
  expect([said('2026-12-01')!.words, said('2026-11-30')!.words]).toEqual(['Invoice due in 1 day', 'Invoice due today']);
  expect(said('2026-12-12', '2026-11-28')).toEqual({ state: 'invalid', words: 'Invoice overdue 2 days' });
  expect(said('2026-11-28', '2026-11-29')).toEqual({ state: 'invalid', words: '2 invoices overdue' });
});

test('the last sign-in is said in days, and a longer time ago by its day', () => {
  const said = (day: string | null) => signInInWords(day, '2026-11-30');
  expect([said('2026-11-30'), said('2026-11-29'), said('2026-11-28'), said('2026-06-01'), said(null)]).toEqual([
    'signed in today',
    'signed in yesterday',
    'signed in 2 days ago',
    'signed in 1 Jun 2026',
    'no sign-in known',
  ]);
});
