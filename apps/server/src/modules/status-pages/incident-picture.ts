import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from '@portal/contract/days';
import { dayInWords } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicAnnouncement } from '../announcements/index.ts';

/** Heights of the picture in pixels; its width is that of its column. */
const ROWS = { band: 14, line: 34, axis: 56, height: 74 };
/** Times that are named on the axis at most. */
const MAX_TICKS = 6;
/** Share of the width before and after the incident. */
const MARGIN = 0.08;
const steps = [5 * MINUTE_MS, 10 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, DAY_MS];

/** An incident of which the picture is drawn: when it began, and its updates, the newest first. */
type Incident = Pick<PublicAnnouncement, 'happensUntil' | 'updates'> & { happensFrom: string };

/** Draws an incident on a time axis: how long it lasts, and its updates by the numbers that the list has, the first of them 1. The list says the same. */
export function incidentPicture({ happensFrom, happensUntil, updates }: Incident, now: Date): Content {
  const begin = Date.parse(happensFrom);
  const end = Math.max(begin + MINUTE_MS, Math.min(now.getTime(), happensUntil === null ? now.getTime() : Date.parse(happensUntil)));
  const told = updates.map(({ at }) => Date.parse(at));
  const [from, to] = [Math.min(begin, ...told), Math.max(end, ...told)];
  const margin = (to - from) * MARGIN;
  const x = (at: number): number => Math.round(((at - from + margin) / (to - from + 2 * margin)) * 10_000) / 100;
  const step = steps.find(each => (to - from) / each < MAX_TICKS) ?? Math.ceil((to - from) / MAX_TICKS / DAY_MS) * DAY_MS;
  const ticks = Array.from(
    { length: Math.floor(to / step) - Math.ceil(from / step) + 1 },
    (_, place) => (Math.ceil(from / step) + place) * step,
  );
  const isOpen = happensUntil === null || Date.parse(happensUntil) > now.getTime();
  return html`<svg class="incident" aria-hidden="true" width="100%" height="${ROWS.height}"><rect class="band" x="${x(begin)}%" y="${ROWS.band}" width="${x(end) - x(begin)}%" height="${ROWS.axis - ROWS.band}"/><text x="${x(begin)}%" y="${ROWS.band - 4}">${new Date(begin).toISOString().slice(11, 16)}</text><text class="${isOpen ? 'now' : 'end'}" x="${x(end)}%" y="${ROWS.band - 4}" text-anchor="end">${
    isOpen ? 'now' : new Date(end).toISOString().slice(11, 16)
  }</text>${isOpen && html`<rect class="now" x="${x(end)}%" y="${ROWS.band}" width="2" height="${ROWS.axis - ROWS.band}"/>`}<line class="axis" x1="0" x2="100%" y1="${ROWS.axis}" y2="${ROWS.axis}"/>${ticks.map(
    tick =>
      html`<line class="axis" x1="${x(tick)}%" x2="${x(tick)}%" y1="${ROWS.axis}" y2="${ROWS.axis + 4}"/><text x="${x(tick)}%" y="${ROWS.height - 3}" text-anchor="middle">${
        step < DAY_MS ? new Date(tick).toISOString().slice(11, 16) : dayInWords(utcDay(tick)).replace(/ \d{4}$/, '')
      }</text>`,
  )}${told.map(
    (at, place) =>
      html`<circle cx="${x(at)}%" cy="${ROWS.line}" r="8"/><text class="step" x="${x(at)}%" y="${ROWS.line + 4}" text-anchor="middle">${told.length - place}</text>`,
  )}</svg>`;
}
