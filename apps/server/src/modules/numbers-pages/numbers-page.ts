import { MIN_DELEGATIONS } from '@portal/contract/resources/forecast';
import { monthsAfter } from '@portal/contract/days';
import { formatCount } from '@portal/number-resources';
import { dayInFull, dayInWords } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet, term } from '../public-pages/index.ts';
import { areaAhead, bars, monthMarks, parts, shareLines } from './charts.ts';
import { economiesSheet } from './economies-sheet.ts';
import {
  boundsInWords,
  forecastOf,
  kindLooks,
  kindNames,
  lastsInWords,
  monthInWords,
  percent,
  quantity,
  runsOutIn,
  shortMonth,
} from './figure-words.ts';
import { delegationsOf, type EconomyFigures, type Figures, monthsLeft, type PoolFigures, shareOf } from './figures.ts';
import type { AnswerFigures, LevelFigures, MonthLevel } from './level-figures.ts';
import type { Point } from './kept-figures.ts';

/** The registry whose figures they are, and their address. */
export type Source = { registry: string; contact: string; appUrl: string; timeZone: string };

type Shown = {
  source: Source;
  /** Days with figures that are offered, newest first. */
  offered: readonly string[];
  yearAgo: readonly EconomyFigures[];
  day: string;
  figures: Figures;
  points: readonly Point[];
  days: { first: string | null; last: string | null };
};

/** Quantities as numbers: pictures need no more digits. */
const roughly = (digits: string): number => Number(digits);

const table = (label: string, head: readonly [string, 'num' | ''][], rows: Content, look = 'tight'): Content =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table class="${look}"><caption class="away">${label}</caption><thead><tr>${head.map(
    ([name, look]) => html`<th scope="col"${look !== '' && html` class="${look}"`}>${name}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;

/** Where the line of a forecast ends: its month, or that it goes on. */
const runsOutSoon = (pool: PoolFigures, day: string, delegations: number): string => {
  const months = monthsLeft(pool);
  if (delegations < MIN_DELEGATIONS) return 'no forecast';
  return months !== null && months <= 60
    ? shortMonth(monthsAfter(day, Math.floor(months)))
    : months === null
      ? 'not in sight'
      : lastsInWords(pool, delegations);
};

function poolPart(pool: PoolFigures, points: readonly Point[], { day, delegations }: { day: string; delegations: number }): Content {
  const { kind, available, reserved, delegated, largest, given } = pool;
  const all = roughly(available) + roughly(reserved) + roughly(delegated);
  const line = points.flatMap(({ day, pools }) => {
    const then = pools.find(each => each.kind === kind);
    return then ? [{ at: Date.parse(day), value: roughly(then.available) }] : [];
  });
  const forecast = forecastOf(pool, delegations);
  const facts: [Content, Content][] = [
    [term('delegation', 'Delegated'), quantity(kind, delegated)],
    [term('setAside'), quantity(kind, reserved)],
    ['Given in 12 months', `${quantity(kind, given)} in ${formatCount(delegations)} ${delegations === 1 ? 'delegation' : 'delegations'}`],
    ['Largest free block', largest === null ? 'none' : html`<span class="mono">${largest}</span>`],
    ['Lasts', html`<b>${lastsInWords(pool, delegations)}</b>`],
    ...(forecast === null ? [] : [['Busiest to quietest year', boundsInWords(forecast)] as [Content, Content]]),
  ];
  return html`<div class="pool"><h3 class="${kindLooks[kind]}">${kindNames[kind]} <span>${quantity(kind, available)} free</span></h3>${
    line.length > 1
      ? areaAhead({
          label: `Free ${kindNames[kind]} at the end of each month from ${monthInWords(points[0]!.day)}, and ahead: they last: ${lastsInWords(pool, delegations)}${forecast ? `, and ${boundsInWords(forecast)} at the paces of three years` : ''}`,
          look: kindLooks[kind],
          points: line,
          paces: forecast,
          words: {
            most: quantity(
              kind,
              line[0] === undefined
                ? '0'
                : String(points.flatMap(({ pools }) => pools.find(each => each.kind === kind)?.available ?? [])[0] ?? '0'),
            ),
            now: quantity(kind, available),
            end: runsOutSoon(pool, day, delegations),
          },
        })
      : html`<p>${parts(kindLooks[kind], all, [
          { look: 'taken', value: roughly(delegated) },
          { look: 'kept', value: roughly(reserved) },
        ])}</p>`
  }<dl>${facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl></div>`;
}

const counted = [
  ['ipv4', 'IPv4', 'v4'],
  ['ipv6', 'IPv6', 'v6'],
  ['asn', 'AS numbers', 'as'],
  ['between', 'Between members', 'moved'],
  ['incoming', 'From other registries', 'moved'],
  ['outgoing', 'To other registries', 'moved'],
] as const;

function monthsSheet({ day, figures: { months, years } }: Pick<Shown, 'day' | 'figures'>): Content {
  const last = months.at(-1)!;
  // Days that were counted without years have whole months only: those before the present one.
  const whole = months.slice(0, -1);
  const sum = (key: (typeof counted)[number][0], from: number, to?: number): number =>
    whole.slice(from, to).reduce((total, month) => total + month[key], 0);
  const change = (now: number, before: number): string =>
    before === 0 ? '–' : now === before ? '0%' : `${now < before ? '−' : '+'}${Math.round((Math.abs(now - before) / before) * 100)}%`;
  const row = ([key, name]: (typeof counted)[number]): Content => {
    const [now, before] = years ? (years.map(year => year[key]) as [number, number]) : [sum(key, -12), sum(key, -24, -12)];
    return html`<tr><th scope="row">${name}</th><td class="num">${formatCount(last[key])}</td><td class="num"><b>${formatCount(now)}</b></td><td class="num quiet">${change(now, before)}</td></tr>`;
  };
  const group = (title: string, rows: Content): Content =>
    html`<tr class="group"><th scope="rowgroup" colspan="4">${title}</th></tr>${rows}`;
  const body = html`<div class="bymonth"><div class="multiples">${counted.map(
    ([key, name, look]) =>
      html`<figure><figcaption><span>${name}</span><span>${formatCount(last[key])} in ${shortMonth(last.month)}</span></figcaption>${bars(
        `${name} by month, from ${monthInWords(months[0]!.month)} to ${monthInWords(last.month)}`,
        look,
        months.map(month => month[key]),
      )}</figure>`,
  )}</div>${table(
    'Delegations and transfers, counted',
    [
      ['Number of', ''],
      [shortMonth(last.month), 'num'],
      ['12 months', 'num'],
      ['Change', 'num'],
    ],
    html`${group('Delegations', counted.slice(0, 3).map(row))}${group('Completed transfers', counted.slice(3).map(row))}`,
  )}</div>`;
  return sheet('months', 'By month', {
    head: html`<p class="aside">${monthInWords(months[0]!.month)} to ${monthInWords(last.month)}. Each picture has its own scale</p>`,
    body,
    foot: `${years ? `The 12 months end on ${dayInFull(day)}, as everywhere on this page.` : 'The 12 months are whole months, before the last one shown.'} Change compares them with the 12 before.`,
  });
}

function sharesSheet(
  { id, title, aside, foot }: { id: string; title: string; aside: string; foot?: string },
  points: readonly Point[],
  series: readonly { name: string; look: string; shareAt: (point: Point) => number | null }[],
): Content {
  const years = [...new Map(points.map(point => [point.day.slice(0, 4), point])).values()].toReversed();
  return sheet(id, title, {
    head: html`<p class="aside">${aside}</p><p class="legend push">${series.map(({ name, look }) => html`<span class="${look}">${name}</span>`)}</p>`,
    body: html`<div class="shared">${
      points.length > 1 &&
      html`<figure><figcaption><span>100%</span></figcaption>${shareLines(
        `${title}: ${series.map(({ name, shareAt }) => `${name} ${percent(shareAt(points.at(-1)!))}`).join(', ')} at the end`,
        points.map(({ day }) => Date.parse(day)),
        series.map(({ look, shareAt }) => ({ look, shares: points.map(shareAt) })),
      )}<figcaption><span>${shortMonth(points[0]!.day)}</span><span>${shortMonth(points.at(-1)!.day)}</span></figcaption></figure>`
    }${table(
      `${title} by year`,
      [['Day', ''], ...series.map(({ name }): [string, 'num'] => [name, 'num'])],
      years.map(
        point =>
          html`<tr><th scope="row">${dayInWords(point.day)}</th>${series.map(({ shareAt }) => html`<td class="num">${percent(shareAt(point))}</td>`)}</tr>`,
      ),
    )}</div>`,
    ...(foot !== undefined && { foot }),
  });
}

const coverageOf = ({ coverage }: Pick<Figures, 'coverage'>, kind: 'ipv4' | 'ipv6') => coverage.find(each => each.kind === kind);

const levelNames = {
  requests: ['Requests for resources', 'from sending to the decision'],
  tickets: ['Support tickets', 'from the question to the first answer'],
} as const;
const hours = (number: number | null): string =>
  number === null ? '–' : number < 48 ? `${Math.max(1, Math.round(number))} h` : `${Math.round(number / 24)} days`;

/** The share from which a month counts as kept. */
const GOOD_SHARE = 0.95;

const sumOf = (months: readonly MonthLevel[], key: 'ended' | 'inTime'): number => months.reduce((sum, month) => sum + month[key], 0);

/** One service with its months: a picture of the shares, the last month that has any, and how many months were good. */
function levelRow({
  name,
  promise,
  months,
  ended,
  median,
  share,
}: {
  name: string;
  promise: string;
  months: readonly MonthLevel[];
  ended: number;
  median: string;
  /** The part in time of all that ended. */
  share: number | null;
}): Content {
  const counted = months.filter(month => month.ended > 0);
  const good = counted.filter(month => shareOf(month.inTime, month.ended)! >= GOOD_SHARE).length;
  const span = months.length === 0 ? '' : `, ${monthInWords(months[0]!.month)} to ${monthInWords(months.at(-1)!.month)}`;
  return html`<tr><th scope="row">${name}</th><td class="quiet">${promise}</td><td class="num">${formatCount(ended)}</td><td class="num">${median}</td><td class="drawn">${
    months.length > 0 &&
    monthMarks(
      `${name}: ${good} of ${counted.length} months with ${percent(GOOD_SHARE)} or more in time${span}`,
      months.map(month => shareOf(month.inTime, month.ended)),
      GOOD_SHARE,
    )
  }</td><td class="num"><b>${percent(share)}</b></td><td class="drawn">${
    counted.length > 0 && html`<span class="${good === counted.length ? 'allkept' : 'somemissed'}">${good} of ${counted.length}</span>`
  }</td></tr>`;
}

const levelsSheet = (levels: readonly LevelFigures[], answers: AnswerFigures | undefined): Content =>
  sheet('levels', 'Service levels', {
    head: html`<p class="aside">Last 12 months</p><p class="legend push"><span class="keptmark">95% or more in time</span><span class="missedmark">Less</span></p>`,
    body: table(
      'Service levels, measured',
      [
        ['Service', ''],
        ['In time', ''],
        ['Number', 'num'],
        ['Half within', 'num'],
        ['By month', ''],
        ['In time', 'num'],
        ['Months', ''],
      ],
      html`${
        answers &&
        levelRow({
          name: 'First answers to requests',
          promise: `within the ${answers.promiseHours} working hours that are promised`,
          months: answers.months,
          ended: sumOf(answers.months, 'ended'),
          median: hours(answers.medianHours),
          share: shareOf(sumOf(answers.months, 'inTime'), sumOf(answers.months, 'ended')),
        })
      }${levels.map(({ service, ended, medianHours, withinDay, months = [] }) =>
        levelRow({
          name: levelNames[service][0],
          promise: `${levelNames[service][1]}, within a day`,
          months,
          ended,
          median: hours(medianHours),
          share: shareOf(withinDay, ended),
        }),
      )}`,
      'tight levels',
    ),
    foot: html`Days and halves are hours of the clock, weekends included; the present month isn’t over. Whether services answer is on <a href="/status">Status</a>.`,
  });

/** The city that names a zone: Brisbane of Australia/Brisbane. */
const cityOf = (timeZone: string): string => timeZone.split('/').at(-1)!.replaceAll('_', ' ');

/** The figures in a sentence. */
function summary({ day, figures, source }: Shown): Content {
  const ipv4 = figures.pools.find(({ kind }) => kind === 'ipv4')!;
  const month = ipv4.available === '0' ? null : runsOutIn(ipv4, day, delegationsOf(figures, 'ipv4'));
  const roas = coverageOf(figures, 'ipv4');
  return html`<p class="lead">On ${dayInFull(day)} in ${cityOf(source.timeZone)}, <b>${ipv4.available === '0' ? 'no IPv4' : `${quantity('ipv4', ipv4.available)} of IPv4`}</b>${ipv4.available !== '0' && ` (${formatCount(Number(ipv4.available))} addresses)`} ${
    month === null ? 'was free' : html`was free, enough until about <b>${month}</b>`
  }. <b>${percent(shareOf(figures.members.holdIpv6, figures.members.open))}</b> of ${formatCount(figures.members.open)} members hold IPv6.${
    roas !== undefined && roas.space !== '0' && html` ROAs cover <b>${percent(shareOf(roas.covered, roas.space))}</b> of delegated IPv4.`
  }</p>`;
}

/** The field for a day, and the days that have figures. */
const dayForm = (day: string, { first, last }: { first: string | null; last: string | null }): Content =>
  html`<form class="asof" action="/numbers"><label for="day">As of</label><input id="day" name="day" type="date" value="${day}"${first !== null && html` min="${first}"`}${last !== null && html` max="${last}"`} required><button class="btn plain">Show</button></form>`;
const daysList = (offered: readonly string[]): Content =>
  offered.length > 0 &&
  html`<p>The newest figures of each month:</p><ul class="days">${offered.map(day => html`<li><a href="/numbers/${day}">${dayInWords(day)}</a></li>`)}</ul>`;

/** Meanings of the columns of the CSV, by section and measure. */
const measures: readonly (readonly [string, string])[] = [
  ['day, section, item, measure, value', 'One value a line: the day, what it is about (section and item), what is counted, and how much.'],
  ['pools: available, reserved, delegated', 'Addresses or AS numbers that are free, set aside and delegated.'],
  ['pools: largest', 'The largest free block.'],
  [
    'pools: given, givenMost, givenLeast',
    'Given out in the 12 months that end on the day, and in the busiest and the quietest of the last three years.',
  ],
  ['months: ipv4, ipv6, asn', 'Delegations of a month.'],
  ['months: between, incoming, outgoing', 'Completed transfers of a month between members, from and to other registries.'],
  ['economies: accounts, holders, holdIpv6', 'Members of an economy, those that hold resources, and those that hold IPv6.'],
  ['economies: space, covered', 'IPv4 addresses delegated in an economy, and those in the prefix of a ROA.'],
  ['members: open, joined, withRoa', 'Members, those that joined in 12 months, and those with a ROA.'],
  ['coverage: withZones', 'Delegations with at least one reverse zone.'],
  ['levels: ended, medianHours, withinDay, inTime', 'Requests or tickets that ended, the hours within which half did, and those in time.'],
];

/** Says that anyone may reuse the figures, how to name their source, and where questions go. */
const reuseSheet = ({ day, source: { registry, contact, appUrl, timeZone }, offered }: Shown): Content =>
  sheet('use', 'Use these figures', {
    body: html`<div class="pad"><p>Free to reuse with source: <b>${registry}, figures of ${dayInFull(day)}</b>, <a href="/numbers/${day}">${appUrl}/numbers/${day}</a>. This address stays, and so do its figures.</p><p>Questions from the press: <a href="mailto:${contact}">${contact}</a>. Days are those of ${cityOf(timeZone)} (${timeZone}), where the registry keeps its calendar.</p>${daysList(offered)}<details><summary>What the columns of the CSV mean</summary><dl>${measures.map(([name, words]) => html`<dt class="mono">${name}</dt><dd>${words}</dd>`)}</dl></details></div>`,
  });

/** The page of a day’s figures. */
export function numbersPage(shown: Shown): Content {
  const { day, figures, points, days } = shown;
  const { members } = figures;
  return html`<div class="answer"><div class="withforms"><h1>Numbers</h1>${dayForm(day, days)}<nav class="forms" aria-label="Other forms"><a href="/numbers/${day}?as=csv">CSV</a><a href="/numbers/${day}?as=json">JSON</a></nav></div>${summary(shown)}</div>
<div class="stack">${sheet('pools', 'Free pools', {
    head: html`<p class="aside">What the registry can still delegate. Dashed at the pace of the last 12 months, hatched from the busiest to the quietest year</p>`,
    body: html`<div class="pools">${figures.pools.map(pool => poolPart(pool, points, { day, delegations: delegationsOf(figures, pool.kind) }))}</div>`,
    foot: '“Lasts” divides what is free by what was given in the last 12 months. The hatched part of the picture does the same with the busiest and the quietest of the last three years: it is a span of what happened, not of all that can happen. Returns, large requests and changes of policy aren’t foreseen. Set aside is space that rests after a return, or that policy keeps back; it doesn’t count as free. With fewer than 12 delegations in 12 months there is no forecast.',
  })}${monthsSheet(shown)}${economiesSheet(figures.economies, shown.yearAgo)}<div class="halves">${sharesSheet(
    { id: 'ipv6', title: 'IPv6 and RPKI', aside: 'Share of members' },
    points,
    [
      { name: 'Hold IPv6', look: 'v6', shareAt: point => shareOf(point.members.holdIpv6, point.members.open) },
      { name: 'Have a ROA', look: 'roa', shareAt: point => shareOf(point.members.withRoa, point.members.open) },
    ],
  )}${sharesSheet(
    {
      id: 'coverage',
      title: 'Coverage',
      aside: 'Share of delegated space',
      foot: 'Reverse DNS: the share of delegations with at least one zone.',
    },
    points,
    [
      {
        name: 'IPv4 with a ROA',
        look: 'v4',
        shareAt: point => {
          const of = coverageOf(point, 'ipv4');
          return of ? shareOf(of.covered, of.space) : null;
        },
      },
      {
        name: 'IPv6 with a ROA',
        look: 'v6',
        shareAt: point => {
          const of = coverageOf(point, 'ipv6');
          return of ? shareOf(of.covered, of.space) : null;
        },
      },
      {
        name: 'Reverse DNS',
        look: 'roa',
        shareAt: ({ coverage }) =>
          shareOf(
            coverage.reduce((sum, { withZones }) => sum + withZones, 0),
            coverage.reduce((sum, { delegations }) => sum + delegations, 0),
          ),
      },
    ],
  )}</div>${sheet('members', 'Members', {
    body: html`<dl class="members">${(
      [
        ['Members', members.open],
        ['Joined in 12 months', members.joined],
        ['Hold resources', members.holders],
        ['Hold IPv6', members.holdIpv6],
        ['Have a ROA', members.withRoa],
      ] as const
    ).map(([label, number]) => html`<div><dt>${label}</dt><dd>${formatCount(number)}</dd></div>`)}</dl>`,
  })}${levelsSheet(figures.levels, figures.answers)}${reuseSheet(shown)}</div>`;
}

/** The page of a day without figures. */
export const noFigures = (
  day: string,
  { nearest, ...days }: { first: string | null; last: string | null; nearest: string | null },
  offered: readonly string[],
): Content =>
  html`<div class="answer"><h1>Numbers</h1><p class="lead">There are no figures of ${dayInFull(day)}. ${
    nearest === null
      ? 'They are counted once a day, and the first are on their way.'
      : html`The nearest are those of <a href="/numbers/${nearest}">${dayInFull(nearest)}</a>. Figures are counted once a day from ${dayInFull(days.first!)} on, and some days have none.`
  }</p>${nearest !== null && dayForm(nearest, days)}${daysList(offered)}</div>`;

/** Says that a text is no day of the calendar, and which form is right. */
export const noDayWords = (day: string, today: string): string =>
  `${day.length > 20 ? 'This' : `“${day}”`} isn’t a date. Enter a day of the calendar as year, month and day, such as ${today}`;

/** The page of an address whose day is none, with the field to choose one. */
export const noDay = (day: string, today: string): Content =>
  html`<div class="answer"><h1>Numbers</h1><p class="lead" role="alert">${noDayWords(day, today)}.</p>
<form class="asof" action="/numbers"><label for="day">As of</label><input id="day" name="day" type="date" value="${today}" max="${today}" required><button class="btn plain">Show</button></form><p><a href="/numbers">Newest numbers</a></p></div>`;
