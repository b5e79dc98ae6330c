import { dayIn, daysAfter, daysBetween, utcDay, yearsAfter } from '@portal/contract/days';
import { type AccountPicture, pictureYears } from '@portal/contract/staff/account-pictures';

/** An account at the end of a day (UTC). A part that the reader can't see is null. */
export type AccountDay = {
  ipv4: bigint | null;
  ipv6: bigint | null;
  asns: bigint | null;
  /** Unpaid invoices, summed in each currency; of those that are still open what is owed now. */
  unpaid: readonly { currency: string; sum: number }[] | null;
  contacts: number | null;
  cases: number | null;
  tickets: number | null;
};

type Lasting = { from: string; until: string | null };
const lasts = ({ from, until }: Lasting, day: string): boolean => utcDay(from) <= day && (until === null || utcDay(until) > day);

const sums = (invoices: NonNullable<AccountPicture['invoices']>, day: string): AccountDay['unpaid'] => {
  const open = invoices.filter(({ issuedOn, settledOn }) => issuedOn <= day && (settledOn === null || settledOn > day));
  const currencies = [...new Set(open.map(({ currency }) => currency))];
  return currencies.map(currency => ({
    currency,
    sum: open
      .filter(each => each.currency === currency)
      .reduce((sum, { settledOn, owed, total }) => sum + Number(settledOn === null ? owed : total), 0),
  }));
};

/** Returns the account as it was at the end of a day. */
export function accountOn({ holdings, invoices, contacts, cases, tickets }: AccountPicture, day: string): AccountDay {
  const held = holdings?.findLast(each => each.day <= day);
  const amount = (text: string | undefined): bigint | null => (holdings === null ? null : BigInt(text ?? '0'));
  const count = (items: readonly Lasting[]): number => items.filter(each => lasts(each, day)).length;
  return {
    ipv4: amount(held?.ipv4),
    ipv6: amount(held?.ipv6),
    asns: amount(held?.asns),
    unpaid: invoices && sums(invoices, day),
    contacts: contacts && count(contacts),
    cases: cases && count(cases.map(({ requestedAt, resolvedAt }) => ({ from: requestedAt, until: resolvedAt }))),
    tickets: tickets && count(tickets.map(({ createdAt, resolvedAt }) => ({ from: createdAt, until: resolvedAt }))),
  };
}

/**
 * Returns a picture whose instants are days of the reader's zone, as everything beside the time line shows them. It never ends before the day of UTC: days of holdings and
 * invoices, which stay as they are, can be a day ahead of a reader in the west.
 */
export function inReadersDays(picture: AccountPicture, timeZone: string): AccountPicture {
  const day = (instant: string): string => dayIn(timeZone, new Date(instant));
  const until = (instant: string | null): string | null => (instant === null ? null : day(instant));
  const { at, cases, tickets, contacts } = picture;
  return {
    ...picture,
    at: [day(at), utcDay(at)].toSorted()[1]!,
    cases: cases && cases.map(each => ({ ...each, requestedAt: day(each.requestedAt), resolvedAt: until(each.resolvedAt) })),
    tickets: tickets && tickets.map(each => ({ ...each, createdAt: day(each.createdAt), resolvedAt: until(each.resolvedAt) })),
    contacts: contacts && contacts.map(each => ({ ...each, from: day(each.from), until: until(each.until) })),
  };
}

/** A time that is drawn: two days, the last one included. */
export type Span = { from: string; to: string };
export const ranges = { years: '10 years', year: '1 year', days: '90 days' } as const;
export type Range = keyof typeof ranges;
/** The span of a range that ends today. */
export const spanOf = (range: Range, at: string): Span => ({
  from: range === 'days' ? daysAfter(utcDay(at), -90) : yearsAfter(utcDay(at), range === 'years' ? -pictureYears : -1),
  to: utcDay(at),
});

/** The part of a range that is shown with words at first: its last days. */
export const partOf = (range: Range, at: string): Span => ({
  from: daysAfter(utcDay(at), range === 'days' ? -30 : range === 'year' ? -90 : -120),
  to: utcDay(at),
});

/** The place of a day in a span, from 0 to 1; outside of it below or above. */
export const placeOf = (day: string, { from, to }: Span): number => daysBetween(from, utcDay(day)) / Math.max(1, daysBetween(from, to));
/** The day at a place of a span. */
export const dayAt = (place: number, { from, to }: Span): string =>
  daysAfter(from, Math.round(Math.min(1, Math.max(0, place)) * daysBetween(from, to)));

/** The least that can be zoomed to. */
const LEAST_DAYS = 7;
/** The span between two places of another, in either order; null for one too short to see anything in. */
export function zoomed(one: number, other: number, span: Span): Span | null {
  const [from, to] = [dayAt(Math.min(one, other), span), dayAt(Math.max(one, other), span)];
  return daysBetween(from, to) < LEAST_DAYS ? null : { from, to };
}

/** A value that holds from a day on. */
type Step = { day: string; value: number };
/** The corners of steps in a picture of 100 by 100, from left to right, as points of SVG. Without values it is flat. @param height the place of the most */
export function stepPoints(steps: readonly Step[], span: Span, height = 92): string {
  const most = Math.max(1, ...steps.filter(({ day }) => day <= span.to).map(({ value }) => value));
  const y = (value: number): number => Math.round(1000 - (value / most) * height * 10) / 10;
  const before = steps.findLast(({ day }) => day <= span.from)?.value ?? 0;
  const points: [number, number][] = [[0, y(before)]];
  for (const { day, value } of steps.filter(each => each.day > span.from && each.day <= span.to)) {
    const x = Math.round(placeOf(day, span) * 1000) / 10;
    points.push([x, points.at(-1)![1]], [x, y(value)]);
  }
  points.push([100, points.at(-1)![1]]);
  return points.map(point => point.join(',')).join(' ');
}

/** Numbers of something that begins and ends, from each day on. */
export function countSteps(items: readonly Lasting[]): Step[] {
  const turns = items
    .flatMap(({ from, until }) => [{ day: utcDay(from), more: 1 }, ...(until === null ? [] : [{ day: utcDay(until), more: -1 }])])
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  let value = 0;
  return turns.map(({ day, more }) => ({ day, value: (value += more) }));
}

const years = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const daysOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** The first days of years, months or weeks in a span, with their names: at most 13 of them. */
export function ticksOf(span: Span): { day: string; name: string }[] {
  const length = daysBetween(span.from, span.to);
  const [step, words] =
    length > 800 ? ['year' as const, years] : length > 120 ? ['month' as const, months] : ['week' as const, daysOfMonth];
  const ticks: { day: string; name: string }[] = [];
  const date = new Date(`${span.from}T00:00:00Z`);
  for (;;) {
    if (step === 'year') date.setUTCFullYear(date.getUTCFullYear() + 1, 0, 1);
    else if (step === 'month') date.setUTCMonth(date.getUTCMonth() + 1, 1);
    else date.setUTCDate(date.getUTCDate() + 7);
    const day = utcDay(date);
    if (day > span.to) break;
    ticks.push({ day, name: words.format(date).replace('Sept', 'Sep') });
  }
  const every = Math.ceil(ticks.length / 12);
  return ticks.filter((_, place) => place % every === 0);
}
