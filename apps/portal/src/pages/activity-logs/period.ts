import { daysAfter } from '@portal/contract/days';

export const periods = ['30', '90', '365'] as const;
export type Period = (typeof periods)[number];

const isDay = (text: string | null): text is string =>
  text !== null && /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && daysAfter(text, 0) === text;

export type Span = { from: string; to: string };

/**
 * Returns the periods of an address: `shown`, the days of the picture, ending today or with the requested days; `listed`, the days of the list; `chosen`
 * if those are fewer by choice. The list covers at most twelve months.
 */
export function spansOf(asked: { from: string | null; to: string | null }, period: Period, today: string) {
  const days = Number(period);
  const from = isDay(asked.from) ? asked.from : null;
  const to = isDay(asked.to) ? asked.to : null;
  const usual: Span = { from: daysAfter(today, 1 - days), to: today };
  if (from === null && to === null) return { shown: usual, listed: usual, chosen: null };
  const last = to ?? (from! > today ? from! : today);
  const earliest = daysAfter(last, -364);
  const first = from === null ? daysAfter(last, 1 - days) : from < earliest ? earliest : from > last ? last : from;
  const listed: Span = { from: first, to: last };
  const inside = first >= usual.from && last <= usual.to;
  const start = daysAfter(last, 1 - days);
  return { shown: inside ? usual : { from: first < start ? first : start, to: last }, listed, chosen: listed };
}
