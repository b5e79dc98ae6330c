import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { expect, test } from 'vitest';
import { accountOn, countSteps, dayAt, inReadersDays, placeOf, spanOf, stepPoints, ticksOf, zoomed } from './picture-words.ts';

const picture: AccountPicture = {
  at: '2026-11-27T09:00:00.000Z',
  memberSince: '2020-03-01',
  holdings: [
    { day: '2020-03-01', ipv4: '256', ipv6: '0', asns: '1' },
    { day: '2024-05-05', ipv4: '1024', ipv6: String(2n ** 96n), asns: '1' },
    { day: '2026-01-01', ipv4: '768', ipv6: String(2n ** 96n), asns: '1' },
  ],
  money: null,
  votes: null,
  invoices: [
    {
      number: 'INV-1',
      kind: 'renewal',
      state: 'paid',
      periodFrom: '2024-01-01',
      periodTo: '2024-12-31',
      issuedOn: '2024-01-01',
      dueOn: '2024-01-31',
      settledOn: '2024-02-03',
      paidOn: '2024-02-03',
      currency: 'AUD',
      total: '100.00',
      owed: '0',
    },
    {
      number: 'INV-2',
      kind: 'renewal',
      state: 'partly-paid',
      periodFrom: '2024-01-01',
      periodTo: '2024-12-31',
      issuedOn: '2026-11-01',
      dueOn: '2026-12-01',
      settledOn: null,
      paidOn: null,
      currency: 'AUD',
      total: '200.00',
      owed: '150.00',
    },
  ],
  cases: null,
  tickets: [
    {
      ticketId: '1',
      subject: 'Help',
      state: 'resolved',
      owner: null,
      createdAt: '2024-01-02T00:00:00.000Z',
      resolvedAt: '2024-01-09T00:00:00.000Z',
    },
  ],
  contacts: [
    { corporate: true, passwordAlone: false, from: '2020-03-01T00:00:00.000Z', until: null, corporateSince: '2020-03-01T00:00:00.000Z' },
    {
      corporate: false,
      passwordAlone: true,
      corporateSince: null,
      from: '2021-03-01T00:00:00.000Z',
      until: '2025-03-01T00:00:00.000Z',
    },
  ],
  resources: null,
  routes: { valid: 3, invalid: 1, notFound: 2, collectedAt: null, worst: [] },
  zones: { needed: 4, ok: 2, warning: 1, lame: 0, unchecked: 0, missing: 1 },
  mailboxes: { valid: 1, pending: 0, invalid: 0, restricted: 0 },
  failed: [],
};

test('an account is shown as it was at the end of a day, and parts that can’t be seen stay unknown', () => {
  expect(accountOn(picture, '2024-01-31')).toEqual({
    ipv4: 256n,
    ipv6: 0n,
    asns: 1n,
    unpaid: [{ currency: 'AUD', sum: 100 }],
    contacts: 2,
    cases: null,
    tickets: 0,
  });
  expect(accountOn(picture, '2024-02-03')).toMatchObject({ unpaid: [] });
  expect(accountOn(picture, '2026-11-27')).toMatchObject({
    ipv4: 768n,
    ipv6: 2n ** 96n,
    contacts: 1,
    unpaid: [{ currency: 'AUD', sum: 150 }],
  });
  expect(accountOn(picture, '2019-01-01')).toMatchObject({ ipv4: 0n, contacts: 0, unpaid: [] });
  expect(accountOn({ ...picture, holdings: null, invoices: null }, '2024-01-31')).toMatchObject({ ipv4: null, ipv6: null, unpaid: null });
});

test('days have places in a span, and places have days', () => {
  const span = spanOf('years', picture.at);
  expect(span).toEqual({ from: '2016-11-27', to: '2026-11-27' });
  expect([placeOf(span.from, span), placeOf(span.to, span)]).toEqual([0, 1]);
  expect(dayAt(placeOf('2020-02-29', span), span)).toBe('2020-02-29');
  expect([dayAt(-1, span), dayAt(2, span)]).toEqual([span.from, span.to]);
});

test('zooming takes two places in either order, and at least a week', () => {
  const span = spanOf('year', picture.at);
  expect(zoomed(0.75, 0.25, span)).toEqual(zoomed(0.25, 0.75, span));
  expect(zoomed(0.5, 0.51, span)).toBeNull();
});

test('ticks are years, months or weeks, never more than a dozen and one', () => {
  expect(ticksOf(spanOf('years', picture.at)).map(({ name }) => name)).toEqual([
    '2017',
    '2018',
    '2019',
    '2020',
    '2021',
    '2022',
    '2023',
    '2024',
    '2025',
    '2026',
  ]);
  expect(ticksOf(spanOf('year', picture.at))[0]).toEqual({ day: '2025-12-01', name: 'Dec 2025' });
  for (const range of ['years', 'year', 'days'] as const) expect(ticksOf(spanOf(range, picture.at)).length).toBeLessThanOrEqual(13);
});

test('steps begin with what was there before, and end with the last value', () => {
  const span = { from: '2024-01-01', to: '2024-01-11' };
  expect(
    stepPoints(
      [
        { day: '2020-01-01', value: 5 },
        { day: '2024-01-06', value: 10 },
      ],
      span,
    ),
  ).toBe('0,54 50,54 50,8 100,8');
  expect(stepPoints([], span)).toBe('0,100 100,100');
  expect(
    countSteps([
      { from: '2024-01-02T00:00:00Z', until: '2024-01-04T00:00:00Z' },
      { from: '2024-01-03T00:00:00Z', until: null },
    ]),
  ).toEqual([
    { day: '2024-01-02', value: 1 },
    { day: '2024-01-03', value: 2 },
    { day: '2024-01-04', value: 1 },
  ]);
});

test('the time line has the days of the reader’s zone, and never ends before a day that is in it', () => {
  const late = {
    ...picture,
    at: '2026-11-28T17:30:00.000Z',
    tickets: picture.tickets!.map(each => ({ ...each, resolvedAt: '2024-01-09T20:00:00.000Z' })),
  };
  const inBrisbane = inReadersDays(late, 'Australia/Brisbane');
  expect(spanOf('days', inBrisbane.at).to).toBe('2026-11-29');
  expect(inBrisbane.tickets![0]).toMatchObject({ createdAt: '2024-01-02', resolvedAt: '2024-01-10' });
  expect(inBrisbane.holdings).toBe(late.holdings);
  expect(inReadersDays({ ...picture, at: '2026-11-28T02:00:00.000Z' }, 'America/New_York').at).toBe('2026-11-28');
});
