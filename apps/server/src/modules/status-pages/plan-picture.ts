import { DAY_MS, daysAfter, utcDay } from '@portal/contract/days';
import { dayInWords } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';

/** Weeks that are drawn, from the Monday before today. */
const WEEKS = 5;
const CELL = { left: 62, top: 20, width: 52, height: 30 };
const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Work as it is drawn: its number in the list, and its first and last day in UTC. */
export type PlannedDays = { number: number; from: string; to: string };

/** The work of a day: the first of the list; null for a day without. */
const workOf = (work: readonly PlannedDays[], day: string): number | null =>
  work.find(({ from, to }) => from <= day && day <= to)?.number ?? null;

/** Days of planned work in five weeks, drawn as a calendar; the list beside it says the same. */
export function planPicture(work: readonly PlannedDays[], now: Date): Content {
  const today = utcDay(now);
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = daysAfter(today, -weekday);
  const days = Array.from({ length: WEEKS * 7 }, (_, place) => daysAfter(monday, place));
  const busy = days.filter(day => workOf(work, day) !== null);
  const label = `Five weeks from ${dayInWords(monday)}, today is ${dayInWords(today)}. ${busy.length === 0 ? 'No work is planned.' : `Work is planned on ${busy.map(dayInWords).join(', ')}.`}`;
  const cell = (day: string, place: number): Content => {
    const [x, y] = [CELL.left + (place % 7) * CELL.width, CELL.top + Math.floor(place / 7) * CELL.height];
    const number = workOf(work, day);
    const look = number !== null ? 'work' : day < today ? 'past' : place % 7 > 4 ? 'weekend' : 'day';
    return html`<rect class="${look}" x="${x + 0.5}" y="${y + 0.5}" width="${CELL.width - 2}" height="${CELL.height - 3}"/>${
      day === today && html`<rect class="today" x="${x + 1}" y="${y + 1}" width="${CELL.width - 3}" height="${CELL.height - 4}"/>`
    }${
      (number !== null || day >= today) &&
      html`<text class="${number !== null ? 'number' : 'date'}" x="${x + CELL.width / 2 - 1}" y="${y + CELL.height / 2 + 4}">${number ?? Number(day.slice(8))}</text>`
    }`;
  };
  return html`<svg class="plan" role="img" aria-label="${label}" viewBox="0 0 ${CELL.left + 7 * CELL.width} ${CELL.top + WEEKS * CELL.height}">${dayNames.map(
    (name, place) => html`<text class="date" x="${CELL.left + (place + 0.5) * CELL.width - 1}" y="12">${name}</text>`,
  )}${Array.from({ length: WEEKS }, (_, week) => html`<text class="week" x="0" y="${CELL.top + week * CELL.height + CELL.height / 2 + 4}">${dayInWords(days[week * 7]!).replace(/\s\d{4}$/, '')}</text>`)}${days.map(cell)}</svg>`;
}

/** Whole days from now to an instant, in words. */
export function aheadInWords(instant: string, now: Date): string {
  const days = Math.round((Date.parse(utcDay(Date.parse(instant))) - Date.parse(utcDay(now))) / DAY_MS);
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
