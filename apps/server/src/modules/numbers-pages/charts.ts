import { type Content, html } from '../../platform/http/html.ts';

/** Pictures are drawn in a box of 100 by 40 that takes any width; words stand beside them as text of the page. */
const HEIGHT = 40;

const round = (number: number): number => Math.round(number * 100) / 100;
const scaled = (value: number, most: number): number => (most === 0 ? HEIGHT : round(HEIGHT - (value / most) * HEIGHT));

const picture = (label: string, look: string, shapes: Content): Content =>
  html`<svg class="chart ${look}" role="img" aria-label="${label}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">${shapes}</svg>`;

/** Places between the first and the last instant, in percent. */
function placesOf(instants: readonly number[]): number[] {
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  return instants.map(instant => (last === first ? 0 : round(((instant - first) / (last - first)) * 100)));
}

/** Draws a quantity through time as an area, from zero. */
export function area(label: string, look: string, points: readonly { at: number; value: number }[]): Content {
  const most = Math.max(...points.map(({ value }) => value));
  const places = placesOf(points.map(({ at }) => at));
  const line = points.map(({ value }, place) => `${places[place]},${scaled(value, most)}`).join(' ');
  return picture(
    label,
    look,
    html`<polygon class="ground" points="0,${HEIGHT} ${line} 100,${HEIGHT}"/><polyline class="line" points="${line}"/>`,
  );
}

/** Months that a forecast is drawn for at most. */
const MAX_MONTHS = 120;

/**
 * Draws how a quantity goes down to nothing: a ground between the shortest and the longest time, and a line for the usual one. Times in months; null never ends.
 * @returns the picture, and the months that it is wide
 */
export function decline(
  label: string,
  look: string,
  { shortest, usual, longest }: { shortest: number; usual: number | null; longest: number | null },
): { drawn: Content; months: number } {
  const months = Math.min(MAX_MONTHS, Math.max(1, ...[shortest, usual, longest].map(each => each ?? MAX_MONTHS)));
  const end = (after: number | null): { x: number; y: number } =>
    after === null
      ? { x: 100, y: 0 }
      : after <= months
        ? { x: round((after / months) * 100), y: HEIGHT }
        : { x: 100, y: round((months / after) * HEIGHT) };
  const [from, middle, to] = [end(shortest), end(usual), end(longest)];
  const corner = from.y === HEIGHT && to.y < HEIGHT ? ` 100,${HEIGHT}` : '';
  const drawn = picture(
    label,
    look,
    html`<polygon class="ground" points="0,0 ${from.x},${from.y}${corner} ${to.x},${to.y}"/><polyline class="line" points="0,0 ${middle.x},${middle.y}"/>`,
  );
  return { drawn, months };
}

/** Draws counts as bars side by side; the last twelve are stronger. */
export function bars(label: string, look: string, values: readonly number[]): Content {
  const most = Math.max(1, ...values);
  const width = 100 / values.length;
  return picture(
    label,
    look,
    values.map((value, place) => {
      const y = scaled(value, most);
      return html`<rect class="${place < values.length - 12 ? 'past' : 'bar'}" x="${round(place * width + width * 0.1)}" y="${y}" width="${round(width * 0.8)}" height="${round(HEIGHT - y)}"/>`;
    }),
  );
}

/** Draws shares from 0 to 1 through time, one line each. */
export function shareLines(
  label: string,
  instants: readonly number[],
  series: readonly { look: string; shares: readonly (number | null)[] }[],
): Content {
  const places = placesOf(instants);
  return picture(
    label,
    'shares',
    html`<path class="grid" d="M0 0H100M0 ${HEIGHT / 2}H100M0 ${HEIGHT}H100"/>${series.map(
      ({ look, shares }) =>
        html`<polyline class="line ${look}" points="${shares.flatMap((share, place) => (share === null ? [] : [`${places[place]},${scaled(share, 1)}`])).join(' ')}"/>`,
    )}`,
  );
}

/** Draws parts of a whole side by side; the text beside it says the same. @param whole in the same unit as the parts */
export function parts(look: string, whole: number, each: readonly { look: string; value: number }[]): Content {
  let from = 0;
  return html`<svg class="parts ${look}" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="all" width="100" height="8"/>${each.map(
    ({ look: of, value }) => {
      const width = whole === 0 ? 0 : round((value / whole) * 100);
      const shape = html`<rect class="${of}" x="${round(from)}" width="${width}" height="8"/>`;
      from += width;
      return shape;
    },
  )}</svg>`;
}
