import type { UpcomingEvent } from '@portal/contract/events/event-shapes';
import { expect, it } from 'vitest';
import { feeInWords, registrationMark } from './event-words.ts';

const event = (given: Partial<UpcomingEvent> = {}): UpcomingEvent => ({
  event: 'CONF-63',
  kind: 'conference',
  title: 'Conference',
  description: '',
  startsAt: '2027-01-11T01:00:00Z',
  endsAt: '2027-01-15T09:00:00Z',
  timeZone: 'Asia/Manila',
  mode: 'hybrid',
  place: 'Manila',
  url: null,
  registrationOpensAt: '2026-10-01T00:00:00Z',
  registrationClosesAt: '2027-01-13T00:00:00Z',
  capacity: 10,
  state: 'published',
  cancelReason: '',
  registration: 'open',
  placesLeft: 3,
  waiting: 0,
  fee: { amount: '75.00', currency: 'USD' },
  freePlaceTaken: false,
  mine: null,
  ...given,
});
const mine = { part: 'onsite', account: null, fee: null, waitingPlace: null, registeredAt: '2026-11-01T00:00:00Z' } as const;

it('the status shows the registration first, then whether one can register', () => {
  const words = (given: Partial<UpcomingEvent>): string => registrationMark(event(given)).words;
  expect(words({})).toBe('Registration open');
  expect(words({ placesLeft: 0 })).toBe('Full on site');
  expect(words({ registration: 'closed' })).toBe('Registration closed');
  expect(words({ registration: 'not-yet-open' })).toBe('Registration opens later');
  expect(words({ registration: 'closed', mine: { ...mine, state: 'registered' } })).toBe('Registered');
  expect(words({ mine: { ...mine, state: 'waitlisted', waitingPlace: 2 } })).toBe('On the waiting list');
  expect(words({ state: 'cancelled', mine: { ...mine, state: 'registered' } })).toBe('Cancelled');
});

it('the first place of an account is free, the next one and people without an account pay', () => {
  expect(feeInWords(event(), 'onsite', 'EXAMPLE-AU')).toBe('Free of charge: the first place of EXAMPLE-AU');
  expect(feeInWords(event({ freePlaceTaken: true }), 'onsite', 'EXAMPLE-AU')).toBe('USD 75.00, which the registry invoices');
  expect(feeInWords(event(), 'onsite', null)).toBe('USD 75.00, which the registry invoices');
  expect(feeInWords(event(), 'online', null)).toBe('Free of charge');
  expect(feeInWords(event({ fee: null }), 'onsite', null)).toBe('Free of charge');
});
