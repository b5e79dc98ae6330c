import { MIN_DELEGATIONS } from '@portal/contract/resources/forecast';
import { daysAfter, daysBetween, monthsAfter, placeOfZone } from '@portal/contract/days';
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
import { type Counts, delegationsOf, type EconomyFigures, type Figures, monthsLeft, type PoolFigures, shareOf } from './figures.ts';
import type { AnswerFigures, LevelFigures, MonthLevel } from './level-figures.ts';
import type { DaysAround, Point } from './kept-figures.ts';

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
    [
      'Given in 12 months',
      given === '0' || delegations === 0
        ? 'none'
        : `${quantity(kind, given)} in ${formatCount(delegations)} ${delegations === 1 ? 'delegation' : 'delegations'}`,
    ],
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

type Counted = (typeof counted)[number];
const isDelegation = ([key]: Counted): boolean => key === 'ipv4' || key === 'ipv6' || key === 'asn';

/** The 12 months that end on the day, and the 12 before; null where a day was counted without them. */
function yearsOf({ years, economies }: Figures, key: keyof Counts): [now: number | null, before: number | null] {
  if (years) return [years[0][key], years[1][key]];
  return [key === 'ipv4' || key === 'ipv6' || key === 'asn' ? delegationsOf({ economies }, key) : null, null];
}

/** Names what there was none of in a sentence: IPv6, AS numbers and transfers to other registries. */
function noneOf(kinds: readonly Counted[]): string {
  const names = kinds.map(kind =>
    isDelegation(kind) ? `delegations of ${kind[1]}` : `transfers ${kind[1].replace(/^\w/, letter => letter.toLowerCase())}`,
  );
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}

/** Delegations and transfers by whole months, and in the 12 months that end on the day. A kind of which there was none has a sentence only. */
function monthsSheet({ day, figures }: Pick<Shown, 'day' | 'figures'>): Content {
  const thisMonth = day.slice(0, 7);
  const isWhole = daysAfter(day, 1).slice(0, 7) !== thisMonth;
  const months = figures.months.filter(({ month }) => isWhole || month < thisMonth);
  const last = months.at(-1);
  if (!last) return null;
  const some = counted.filter(([key]) => months.some(month => month[key] > 0) || yearsOf(figures, key).some(count => (count ?? 0) > 0));
  const none = counted.filter(kind => !some.includes(kind));
  const change = (now: number | null, before: number | null): string =>
    now === null || before === null || before === 0
      ? '–'
      : now === before
        ? '0%'
        : `${now < before ? '−' : '+'}${Math.round((Math.abs(now - before) / before) * 100)}%`;
  const row = ([key, name]: Counted): Content => {
    const [now, before] = yearsOf(figures, key);
    return html`<tr><th scope="row">${name}</th><td class="num">${formatCount(last[key])}</td><td class="num"><b>${now === null ? '–' : formatCount(now)}</b></td><td class="num quiet">${change(now, before)}</td></tr>`;
  };
  const group = (title: string, kinds: readonly Counted[]): Content =>
    kinds.length > 0 && html`<tr class="group"><th scope="rowgroup" colspan="4">${title}</th></tr>${kinds.map(row)}`;
  const drawn = some.filter(([key]) => months.some(month => month[key] > 0));
  const picture = ([key, name, look]: Counted): Content =>
    html`<figure><figcaption><span>${name}</span><span>${formatCount(last[key])} in ${shortMonth(last.month)}</span></figcaption>${bars(
      `${name} by month, from ${monthInWords(months[0]!.month)} to ${monthInWords(last.month)}`,
      look,
      months.map(month => month[key]),
    )}</figure>`;
  const span = `${monthInWords(months[0]!.month)} to ${monthInWords(last.month)}`;
  return sheet('months', 'By month', {
    head: html`<p class="aside">${span}${drawn.length > 1 && '. Each picture has its own scale'}</p>`,
    body:
      some.length === 0
        ? html`<p class="pad">Nothing was delegated or transferred in ${months.length === 1 ? 'this month' : `these ${months.length} months`}.</p>`
        : html`<div class="${drawn.length > 0 ? 'bymonth' : ''}">${drawn.length > 0 && html`<div class="multiples">${drawn.map(picture)}</div>`}${table(
            'Delegations and transfers, counted',
            [
              ['Number of', ''],
              [shortMonth(last.month), 'num'],
              ['12 months', 'num'],
              ['Change', 'num'],
            ],
            html`${group('Delegations', some.filter(isDelegation))}${group(
              'Completed transfers',
              some.filter(kind => !isDelegation(kind)),
            )}`,
          )}</div>`,
    ...(some.length > 0 && {
      foot: `The 12 months end on ${dayInFull(day)}, as everywhere on this page. Change compares them with the 12 before.${none.length > 0 ? ` There were no ${noneOf(none)}.` : ''}`,
    }),
  });
}

function sharesSheet(
  { id, title, aside, foot }: { id: string; title: string; aside: string; foot?: string },
  points: readonly Point[],
  series: readonly { name: string; look: string; shareAt: (point: Point) => number | null }[],
): Content {
  const years = [...new Map(points.map(point => [point.day.slice(0, 4), point])).values()].toReversed();
  if (points.every(point => series.every(({ shareAt }) => (shareAt(point) ?? 0) === 0)))
    return sheet(id, title, {
      head: html`<p class="aside">${aside}</p>`,
      body: html`<p class="pad">0% in each month until ${dayInFull(points.at(-1)?.day ?? '')}.</p>`,
    });
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

/** The figures in a sentence. */
function summary({ day, figures, source }: Shown): Content {
  const ipv4 = figures.pools.find(({ kind }) => kind === 'ipv4')!;
  const month = ipv4.available === '0' ? null : runsOutIn(ipv4, day, delegationsOf(figures, 'ipv4'));
  const roas = coverageOf(figures, 'ipv4');
  return html`<p class="lead">On ${dayInFull(day)} in ${placeOfZone(source.timeZone)}, <b>${ipv4.available === '0' ? 'no IPv4' : `${quantity('ipv4', ipv4.available)} of IPv4`}</b>${ipv4.available !== '0' && ` (${formatCount(Number(ipv4.available))} addresses)`} ${
    month === null ? 'was free' : html`was free, enough until about <b>${month}</b>`
  }. <b>${percent(shareOf(figures.members.holdIpv6, figures.members.open))}</b> of ${formatCount(figures.members.open)} members hold IPv6.${
    roas !== undefined && roas.space !== '0' && html` ROAs cover <b>${percent(shareOf(roas.covered, roas.space))}</b> of delegated IPv4.`
  }</p>`;
}

/** The field for a day: as text, so that everyone reads and writes it in the form of the page. Its browser offers the days that end a month. */
const dayForm = (value: string, offered: readonly string[]): Content =>
  html`<form class="asof" action="/numbers"><label for="day">As of</label><input id="day" name="day" value="${value}" list="days" size="12" maxlength="30" placeholder="30 Nov 2026" autocomplete="off" spellcheck="false" required><datalist id="days">${offered.map(
    day => html`<option value="${dayInWords(day)}"></option>`,
  )}</datalist><button class="btn plain">Show</button></form>`;
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
    body: html`<div class="pad"><p>Free to reuse with source: <b>${registry}, figures of ${dayInFull(day)}</b>, <a href="/numbers/${day}">${appUrl}/numbers/${day}</a>. This address stays, and so do its figures.</p><p>Questions from the press: <a href="mailto:${contact}">${contact}</a>. Days are those of ${placeOfZone(timeZone)} (${timeZone}), where the registry keeps its calendar.</p>${offered.length > 0 && html`<details><summary>Figures of each month, ${offered.length}</summary>${daysList(offered)}</details>`}<details><summary>What the columns of the CSV mean</summary><dl>${measures.map(([name, words]) => html`<dt class="mono">${name}</dt><dd>${words}</dd>`)}</dl></details></div>`,
  });

/** The page of a day’s figures. */
export function numbersPage(shown: Shown): Content {
  const { day, figures, points, offered } = shown;
  const { members } = figures;
  return html`<div class="answer"><div class="withforms"><h1>Numbers</h1>${dayForm(dayInWords(day), offered)}<nav class="forms" aria-label="Other forms"><a href="/numbers/${day}?as=csv">CSV</a><a href="/numbers/${day}?as=json">JSON</a></nav></div>${summary(shown)}</div>
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

/** Says how far a day is from another: the day before, 3 days later. */
function distance(from: string, to: string): string {
  const days = daysBetween(from, to);
  const count = Math.abs(days);
  return `${count === 1 ? 'one day' : `${formatCount(count)} days`} ${days < 0 ? 'earlier' : 'later'}`;
}

/** The page of a day without figures: the nearest of both sides, the nearer one first. */
export function noFigures(day: string, { first, before, after }: DaysAround, offered: readonly string[]): Content {
  const near = [before, after]
    .filter(each => each !== null)
    .toSorted((a, b) => Math.abs(daysBetween(day, a)) - Math.abs(daysBetween(day, b)));
  const linked = (each: string): Content => html`<a href="/numbers/${each}">${dayInFull(each)}</a> (${distance(day, each)})`;
  const [nearest, other] = near;
  return html`<div class="answer"><h1>Numbers</h1><p class="lead">There are no figures of ${dayInFull(day)}. ${
    nearest === undefined
      ? 'They are counted once a day, and the first are on their way.'
      : html`The nearest are those of ${linked(nearest)}${other !== undefined && html`; ${daysBetween(day, other) < 0 ? 'before' : 'after'} that day also ${linked(other)}`}. Figures are counted once a day from ${dayInFull(first!)} on, and some days have none.`
  }</p>${nearest !== undefined && dayForm(dayInWords(nearest), offered)}${daysList(offered)}</div>`;
}

/** Says that a text is no day of the calendar, and which form is right. */
export const noDayWords = (day: string, today: string): string =>
  `${day.length > 20 ? 'This' : `“${day}”`} isn’t a date. Enter a day of the calendar, such as ${dayInWords(today)} or ${today}`;

/** The page of an address whose day is none, with the field to choose one. */
export const noDay = (day: string, today: string, offered: readonly string[]): Content =>
  html`<div class="answer"><h1>Numbers</h1><p class="lead" role="alert">${noDayWords(day, today)}.</p>
${dayForm(dayInWords(today), offered)}<p><a href="/numbers">Newest numbers</a></p>${daysList(offered)}</div>`;

/** The page of a form that the figures don’t have. */
export const noForm = (day: string): Content =>
  html`<div class="answer"><h1>Numbers</h1><p class="lead" role="alert">The figures have no such form. They are a <a href="/numbers/${day}">page</a>, <a href="/numbers/${day}?as=csv">CSV</a> and <a href="/numbers/${day}?as=json">JSON</a>.</p></div>`;
