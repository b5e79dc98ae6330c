import { DAY_MS } from '@portal/contract/days';
import { type Content, html } from '../../platform/http/html.ts';

/** Pictures are drawn in a box of 100 by 40 that takes any width; words stand beside them as text of the page. */
const HEIGHT = 40;
/** A month of a year of 365.25 days. */
const MONTH_MS = 30.4375 * DAY_MS;

const round = (number: number): number => Math.round(number * 100) / 100;
const scaled = (value: number, most: number): number => (most === 0 ? HEIGHT : round(HEIGHT - (value / most) * HEIGHT));

const picture = (label: string, look: string, shapes: Content): Content =>
  html`<svg class="chart ${look}" role="img" aria-label="${label}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">${shapes}</svg>`;

/** Places between the first and the last instant, in percent. */
function placesOf(instants: readonly number[]): number[] {
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  return instants.map(instant => (last === first ? 0 : round(((instant - first) / (last - first)) * 100)));
}

/** Sizes of the picture of a quantity with its forecast, in pixels of its height; its width is that of the column. */
const AHEAD = { top: 18, drawn: 84, axis: 102, height: 120 };
/** Months of the future that are drawn: at least as many as `least`, at most `most`. */
const FUTURE_MONTHS = { least: 18, most: 60 };
/** Years that are named on the axis at most. */
const MAX_YEARS = 5;

/** Paces at which a quantity goes down to nothing, in months from now; null: not in sight. */
type Paces = { shortest: number; usual: number | null; longest: number | null };

/**
 * Draws a quantity through time as an area from zero and, beyond its last instant, how it goes down: a hatched ground between the shortest and the longest time, and a
 * dashed line for the usual one.
 * @param words `most` is said at the first point, `now` at the last, `end` where the usual line ends
 */
export function areaAhead({
  label,
  look,
  points,
  paces,
  words,
}: {
  label: string;
  look: string;
  points: readonly { at: number; value: number }[];
  paces: Paces | null;
  words: { now: string; most: string; end: string };
}): Content {
  const [first, last] = [points[0]!, points.at(-1)!];
  const future = paces === null ? FUTURE_MONTHS.least : aheadOf(paces);
  const end = last.at + future * MONTH_MS;
  const most = Math.max(1, ...points.map(({ value }) => value));
  const x = (at: number): number => round(((at - first.at) / (end - first.at)) * 100);
  const y = (value: number): number => scaled(value, most);
  const [now, level] = [x(last.at), y(last.value)];
  const line = points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
  /** Where the quantity is at the end of the picture, or reaches nothing before. */
  const goal = (months: number | null): { x: number; y: number } =>
    months === null
      ? { x: 100, y: level }
      : months <= future
        ? { x: x(last.at + months * MONTH_MS), y: HEIGHT }
        : { x: 100, y: round(level + ((HEIGHT - level) * future) / months) };
  const ahead = paces && { from: goal(paces.shortest), usual: goal(paces.usual), to: goal(paces.longest) };
  const corner = ahead && ahead.from.y === HEIGHT && ahead.to.y < HEIGHT ? ` 100,${HEIGHT}` : '';
  const inPixels = (height: number): number => round(AHEAD.top + (height / HEIGHT) * AHEAD.drawn);
  const run = ahead?.usual;
  return html`<svg class="chart ahead ${look}" role="img" aria-label="${label}" height="${AHEAD.height}"><svg y="${AHEAD.top}" width="100%" height="${AHEAD.drawn}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none"><polygon class="ground" points="${x(first.at)},${HEIGHT} ${line} ${now},${HEIGHT}"/>${
    ahead && html`<polygon class="span" points="${now},${level} ${ahead.from.x},${ahead.from.y}${corner} ${ahead.to.x},${ahead.to.y}"/>`
  }<polyline class="line" points="${line}"/><polyline class="dashed" points="${now},${level} ${run ? `${run.x},${run.y}` : `100,${level}`}"/></svg><line class="axis" x1="0" x2="100%" y1="${AHEAD.axis}" y2="${AHEAD.axis}"/>${yearsBetween(
    first.at,
    end,
  ).map(
    year =>
      html`<line class="axis" x1="${x(Date.UTC(year))}%" x2="${x(Date.UTC(year))}%" y1="${AHEAD.axis}" y2="${AHEAD.axis + 4}"/><text x="${x(Date.UTC(year))}%" y="${AHEAD.height - 3}" text-anchor="middle">${year}</text>`,
  )}<circle class="now" cx="${now}%" cy="${inPixels(level)}" r="3.5"/>${words.most !== words.now && html`<text x="0" y="12">${words.most}</text>`}<text class="now" x="${now}%" y="${inPixels(level) - 7}" text-anchor="middle">${words.now}</text>${
    run && run.y === HEIGHT
      ? html`<line class="end" x1="${run.x}%" x2="${run.x}%" y1="${AHEAD.axis - 34}" y2="${AHEAD.axis}"/><text class="end" x="${run.x}%" y="${AHEAD.axis - 39}" text-anchor="${run.x > 85 ? 'end' : 'middle'}">${words.end}</text>`
      : html`<text class="end" x="100%" y="${inPixels(run?.y ?? level) + 18}" text-anchor="end">${words.end}</text>`
  }</svg>`;
}

/** Months of the future that show where the paces end, if that is near. */
function aheadOf({ usual, longest }: Paces): number {
  const near = [usual, longest].filter(months => months !== null && months <= FUTURE_MONTHS.most);
  return Math.min(FUTURE_MONTHS.most, Math.max(FUTURE_MONTHS.least, ...near.map(months => Math.ceil(months! * 1.1))));
}

/** The years that begin between two instants, at most `MAX_YEARS` of them. */
function yearsBetween(from: number, to: number): number[] {
  const begin = new Date(from).getUTCFullYear() + 1;
  const count = Math.max(0, new Date(to).getUTCFullYear() - begin + 1);
  const step = Math.max(1, Math.ceil(count / MAX_YEARS));
  return Array.from({ length: count }, (_, place) => begin + place).filter((_, place) => place % step === 0);
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

/** Sizes of the picture of months, in pixels. */
const MONTHS = { step: 20, height: 34, top: 5, base: 29 };

/** Draws for each month the share of what was kept, as a mark on a line: none where nothing was counted. The table says the sum. @param good the share from which a month is kept */
export function monthMarks(label: string, shares: readonly (number | null)[], good: number): Content {
  const width = shares.length * MONTHS.step;
  const y = (share: number): number => round(MONTHS.base - share * (MONTHS.base - MONTHS.top));
  return html`<svg class="marks" role="img" aria-label="${label}" width="${width}" height="${MONTHS.height}" viewBox="0 0 ${width} ${MONTHS.height}"><path class="target" d="M0 ${y(good)}H${width}"/><path class="base" d="M0 ${MONTHS.base}H${width}"/>${shares.map(
    (share, place) => {
      const x = place * MONTHS.step + MONTHS.step / 2;
      if (share === null) return html`<circle class="none" cx="${x}" cy="${MONTHS.base}" r="1.5"/>`;
      const look = share >= good ? 'kept' : 'missed';
      return html`<path class="${look}" d="M${x} ${MONTHS.base}V${y(share)}"/>${
        look === 'kept'
          ? html`<circle class="kept" cx="${x}" cy="${y(share)}" r="3.5"/>`
          : html`<path class="missed head" d="M${x} ${y(share) - 4}l4 4l-4 4l-4 -4z"/>`
      }`;
    },
  )}</svg>`;
}

/** Draws a share now, and what it was. Both from 0 to 1; null where there is none. */
export function sinceThen(look: string, now: number | null, then: number | null): Content {
  const x = (share: number): number => round(4 + share * 72);
  return html`<svg class="since ${look}" aria-hidden="true" width="80" height="12" viewBox="0 0 80 12"><path class="all" d="M4 6H76"/>${
    now !== null &&
    then !== null &&
    html`<path class="way" d="M${x(then)} 6H${x(now)}"/><circle class="then" cx="${x(then)}" cy="6" r="3"/>`
  }${now !== null && html`<circle class="is" cx="${x(now)}" cy="6" r="3.5"/>`}</svg>`;
}
