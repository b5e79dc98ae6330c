import { DAY_MS, dayIn, daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { dayInFull, dayInWords } from '../../platform/day-words.ts';
import { areaAhead } from './charts.ts';
import { boundsInWords, forecastOf, lastsInWords, percent, quantity, runsOutIn } from './figure-words.ts';
import { figuresCsv } from './figure-files.ts';
import { countFigures, type Figures, monthsLeft, shareOf } from './figures.ts';
import { keepFigures } from './kept-figures.ts';
import { noFigures, numbersPage } from './numbers-page.ts';
import { html } from '../../platform/http/html.ts';

const pool = { kind: 'ipv4' as const, reserved: '0', delegated: '0', largest: null };

test.each([
  ['ipv4', '11008', '43 × /24'],
  ['ipv4', '384', '1.5 × /24'],
  ['ipv4', '128', '128 addresses'],
  ['ipv6', String(284n << 96n), '284 × /32'],
  ['ipv6', String(3n << 80n), '3 × /48'],
  ['ipv6', String(1n << 122n), '67 108 864 × /32'],
  ['asn', '1', '1 AS number'],
  ['asn', '1024', '1 024 AS numbers'],
] as const)('of %s, %s are %s', (kind, digits, words) => expect(quantity(kind, digits).replaceAll('\u00a0', ' ')).toBe(words));

test.each([
  ['0', '100', 'nothing is free', null],
  ['1000', '0', 'no forecast: none delegated in 12 months', null],
  ['2200', '1200', 'about 22 months', 'September 2028'],
  ['50', '1200', 'less than a month', 'November 2026'],
  ['6000', '1200', 'about 5 years', 'November 2031'],
  ['1000000', '1200', 'more than 50 years', null],
])('%s free with %s given in a year last: %s', (available, given, words, month) => {
  expect(lastsInWords({ ...pool, available, given }, 12)).toBe(words);
  if (available !== '0') expect(runsOutIn({ ...pool, available, given }, '2026-11-27', 12)).toBe(month);
});

test.each([
  ['2400', '1200', '2400', '600', '12 months to 4 years'],
  ['2400', '1200', '2400', '0', '12 months or longer'],
  ['2400', '1200', '1200', '1200', '24 months'],
  ['100', '1200', '2400', '1200', 'less than a month to a month'],
  ['1000000', '12', '12', '0', 'more than 50 years'],
])('%s free with %s given in a year, at most %s and at least %s: %s', (available, given, givenMost, givenLeast, words) =>
  expect(boundsInWords(forecastOf({ ...pool, available, given, givenMost, givenLeast }, 12)!)).toBe(words),
);
test('there is no forecast of nothing, at no pace, and of days that were counted without paces', () => {
  expect(forecastOf({ ...pool, available: '0', given: '1', givenMost: '1', givenLeast: '1' }, 12)).toBeNull();
  expect(forecastOf({ ...pool, available: '5', given: '0', givenMost: '0', givenLeast: '0' }, 12)).toBeNull();
  expect(forecastOf({ ...pool, available: '5', given: '1' }, 12)).toBeNull();
  // One /24 in a year says nothing about the next 45 years.
  const few = { ...pool, available: '11520', given: '256', givenMost: '256', givenLeast: '256' };
  expect(forecastOf(few, 11)).toBeNull();
  expect(runsOutIn(few, '2026-11-27', 11)).toBeNull();
  expect(lastsInWords(few, 11)).toBe('too few delegations for a forecast');
  expect(lastsInWords({ ...few, given: '0' }, 0)).toBe('no forecast: none delegated in 12 months');
});
test('a quantity is drawn until now, and ahead until it runs out, or as far as five years', () => {
  const drawn = (paces: Parameters<typeof areaAhead>[0]['paces']): string =>
    String(
      (
        areaAhead({
          label: 'Free',
          look: 'v4',
          points: [
            { at: Date.parse('2024-11-30'), value: 200 },
            { at: Date.parse('2026-11-30'), value: 100 },
          ],
          paces,
          words: { most: '200', now: '100', end: 'Nov 2028' },
        }) as { markup: string }
      ).markup,
    );
  const near = drawn({ shortest: 12, usual: 21.8, longest: 21.8 });
  expect(near).toContain('<text class="end" x="95.');
  expect(near).toContain('>2028</text>');
  // 240 months don't end within the picture: its line goes on to the edge.
  const far = drawn({ shortest: 60, usual: 240, longest: null });
  expect(far).toContain('<text class="end" x="100%"');
  expect(far).toMatch(/class="dashed" points="57\.13,20 100,21\.5"/);
  expect(drawn(null)).not.toContain('class="span"');
});

test('shares are exact for numbers of any size', () => {
  expect(monthsLeft({ available: String(1n << 120n), given: String(1n << 119n) })).toBe(24);
  expect(shareOf(String(1n << 126n), String(1n << 127n))).toBe(0.5);
  expect(shareOf('0', '0')).toBeNull();
  expect([null, 0, 0.004, 0.5, 1].map(percent)).toEqual(['–', '0%', '0.4%', '50%', '100%']);
});

describe('a page of figures', () => {
  const counts = { ipv4: 0, ipv6: 0, asn: 0, between: 0, incoming: 0, outgoing: 0 };
  const figures: Figures = {
    pools: (['ipv4', 'ipv6', 'asn'] as const).map(kind => ({
      kind,
      available: '256',
      reserved: '0',
      delegated: '0',
      largest: null,
      given: kind === 'ipv4' ? '256' : '0',
    })),
    months: [
      { month: '2026-10', ...counts, ipv4: 1 },
      { month: '2026-11', ...counts },
    ],
    years: [{ ...counts, ipv4: 1 }, counts],
    economies: [
      {
        economy: 'LK',
        accounts: 1,
        holders: 1,
        holdIpv6: 0,
        ipv4: 1,
        ipv6: 0,
        asn: 0,
        incoming: 0,
        outgoing: 0,
        space: '256',
        covered: '0',
      },
    ],
    members: { open: 1, joined: 0, holders: 1, holdIpv6: 0, withRoa: 0 },
    coverage: [],
    levels: [],
  };
  const textOf = (day: string, shown = figures): string => {
    const source = {
      registry: 'Registry',
      contact: 'press@registry.example',
      appUrl: 'https://registry.example',
      timeZone: 'Australia/Brisbane',
    };
    return html`${numbersPage({ source, offered: [day], yearAgo: [], day, figures: shown, points: [{ day, ...shown }] })}`.markup
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  };
  test('counts one delegation once, and says nothing of none in numbers', () => {
    const text = textOf('2026-11-12');
    expect(text).toContain('Given in 12 months 1 × /24 in 1 delegation');
    expect(text).not.toMatch(/0 [^.]{0,20} in \d+ delegation/);
    expect(text).toContain('There were no delegations of IPv6, delegations of AS numbers, transfers between members');
    expect(text).toContain('Delegations of the last 12 months; nothing was transferred');
  });
  test('has a month only when it is over', () => {
    expect(textOf('2026-11-29')).toContain('1 in Oct 2026');
    expect(textOf('2026-11-30')).toContain('0 in Nov 2026');
  });
  test('draws no months in which nothing happened', () =>
    expect(textOf('2026-11-30', { ...figures, months: [{ month: '2026-11', ...counts }], years: [counts, counts] })).toContain(
      'Nothing was delegated or transferred in this month.',
    ));
  test('a day without figures names the nearer side first', () =>
    expect(
      html`${noFigures('2026-11-29', { first: '2024-12-31', before: '2026-10-31', after: '2026-11-30' }, [])}`.markup.replaceAll(
        /<[^>]*>/g,
        '',
      ),
    ).toContain('The nearest are those of 30 November 2026 (one day later); before that day also 31 October 2026 (29 days earlier).'));
});

describe.each(kindsForRules)('the figures on %s', kind => {
  let portal: TestPortal;
  let figures: Figures;
  const now = new Date();
  let day: string;
  beforeAll(async () => {
    portal = await testPortal(kind);
    const { profile } = testContext(portal);
    day = dayIn(profile.timeZone, now);
    figures = await countFigures(portal.db.read, { day, profile });
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const get = (url: string, headers: Record<string, string> = {}) =>
    portal.http.inject({ url, headers: { host: 'portal.test', ...headers } });

  test('are those of the ledger', async () => {
    const [ledger] = await portal.db.read.rows<{ free: string; held: string; members: number }>(sql`select
      (select coalesce(sum(size), 0)::text from pool where kind = 'ipv4' and registry = '' and state = 'available') as free,
      (select sum(size)::text from delegation where kind = 'ipv4' and registry = '' and status <> 'closed') as held,
      (select count(*)::int from account where account_status in ('open', 'suspended') and account_type <> 'rir') as members`);
    expect(figures.pools.find(each => each.kind === 'ipv4')).toMatchObject({ available: ledger!.free, delegated: ledger!.held });
    expect(figures.members.open).toBe(ledger!.members);
    for (const { given, givenMost, givenLeast } of figures.pools) {
      expect(BigInt(givenLeast!) <= BigInt(given) && BigInt(given) <= BigInt(givenMost!)).toBe(true);
    }
    const [first, ...others] = await Promise.all(
      [0, 1, 2].map(async years => {
        const [row] = await portal.db.read.rows<{ given: string }>(sql`select coalesce(sum(size), 0)::text as given from delegation
          where kind = 'asn' and registry = '' and source = 'delegated' and delegated_on > (${day}::date - make_interval(years => ${years + 1}))::date
            and delegated_on <= (${day}::date - make_interval(years => ${years}))::date`);
        return BigInt(row!.given);
      }),
    );
    const asn = figures.pools.find(each => each.kind === 'asn')!;
    expect(asn.given).toBe(String(first));
    expect(asn.givenMost).toBe(String([first!, ...others].reduce((most, each) => (each > most ? each : most))));
    // One window: what pools gave, what economies got and what the table of months counts are the same delegations.
    for (const kind of ['ipv4', 'ipv6', 'asn'] as const) {
      expect(figures.economies.reduce((sum, each) => sum + each[kind], 0)).toBe(figures.years![0][kind]);
      expect(figures.pools.find(each => each.kind === kind)!.given !== '0').toBe(figures.years![0][kind] > 0);
    }
    expect(figures.months).toHaveLength(25);
    const [answered] = await portal.db.read.rows<{ count: number }>(sql`select count(*)::int as count from ticket
      where (first_answer_at at time zone ${testContext(portal).profile.timeZone})::date between (date_trunc('month', ${day}::date) - interval '11 months')::date and ${day}::date`);
    const tickets = figures.levels.find(({ service }) => service === 'tickets')!;
    expect(tickets.months!.reduce((sum, { ended }) => sum + ended, 0)).toBe(answered!.count);
    for (const { ended, inTime } of [...tickets.months!, ...figures.answers!.months]) expect(inTime <= ended).toBe(true);
    expect(figures.answers!.months).toHaveLength(12);
    expect(figures.months.at(-1)!.month).toBe(day.slice(0, 7));
    expect(figures.coverage.map(each => each.kind)).toEqual(['ipv4', 'ipv6']);
    for (const { space, covered } of figures.coverage) expect(BigInt(covered) <= BigInt(space)).toBe(true);
    for (const { accounts, holders, holdIpv6 } of figures.economies) expect(accounts >= holders && holders >= holdIpv6).toBe(true);
  });

  test('ROAs count the space of their prefixes once, however many are inside of one another', async () => {
    const [roa] = await portal.db.read.rows<{ prefix: string }>(sql`select r.prefix::text from roa r
      where family(r.prefix) = 4 and exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id]) limit 1`);
    const covered = BigInt(figures.coverage[0]!.covered);
    const space = (
      await portal.db.read.rows<{ prefix: string }>(sql`select distinct prefix::text from roa r where family(prefix) = 4
        and exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id])
        and not exists (select from roa w where w.prefix >> r.prefix)
        union select distinct prefix::text from rpki_child_vrp v where family(prefix) = 4`)
    ).reduce((sum, { prefix }) => sum + 2n ** BigInt(32 - Number(prefix.split('/')[1])), 0n);
    expect(roa === undefined || covered > 0n).toBe(true);
    expect(covered <= space).toBe(true);
  });

  test('a new registry has a page before it has figures, and every day without figures leads to the nearest', async () => {
    const none = await get('/numbers');
    expect(none.statusCode).toBe(404);
    expect(none.body).toContain('the first are on their way');
  });

  test('are counted once a day, and stay as they were counted', async () => {
    const context = testContext(portal);
    await keepFigures(context);
    const first = await get(`/numbers/${day}?as=json`);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ day, members: figures.members });
    await keepFigures({ ...context, profile: { ...context.profile } });
    expect((await get(`/numbers/${day}?as=json`)).body).toBe(first.body);
    await expect(sql`update registry_figures set made_at = now()`.execute(portal.db.unrecorded)).rejects.toThrow();

    const page = await get('/numbers');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Free pools');
    const source = testContext(portal);
    expect(page.body.replace(/<[^>]+>/g, '')).toContain(
      `Free to reuse with source: ${source.profile.registryName}, figures of ${dayInFull(day)}, ${source.config.appUrl}/numbers/${day}.`,
    );
    expect(page.body).toContain('in Brisbane');
    expect(page.body).toContain('pools: given, givenMost, givenLeast');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['cache-control']).toBe('public, max-age=600');
    expect((await get('/numbers', { 'if-none-match': String(page.headers['etag']) })).statusCode).toBe(304);

    const csv = await get(`/numbers/${day}?as=csv`);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body.split('\r\n')[0]).toBe('day,section,item,measure,value');
    expect(csv.body).toContain(`${day},members,all,open,${figures.members.open}\r\n`);
    expect(csv.body).toBe(figuresCsv({ day, figures: first.json() }));

    const other = dayIn('UTC', new Date(now.getTime() + 40 * DAY_MS));
    const missing = await get(`/numbers/${other}`);
    expect(missing.statusCode).toBe(404);
    expect(missing.body).toContain(`href="/numbers/${day}"`);
    expect(missing.body).toContain(
      `The nearest are those of <a href="/numbers/${day}">${dayInFull(day)}</a> (${daysBetween(day, other)} days earlier).`,
    );
    expect(missing.body).toContain('<input id="day" name="day" value="');
    expect(missing.body).toContain('The newest figures of each month:');
    const chosen = await get(`/numbers?day=${day}`);
    expect([chosen.statusCode, chosen.headers.location]).toEqual([303, `/numbers/${day}`]);
    const written = await get(`/numbers?day=${encodeURIComponent(dayInWords(day))}`);
    expect([written.statusCode, written.headers.location]).toEqual([303, `/numbers/${day}`]);
    const inJson = await get(`/numbers?day=${day}&as=json`);
    expect([inJson.statusCode, inJson.headers.location]).toEqual([303, `/numbers/${day}?as=json`]);
    for (const wrong of ['abc', '2026-13-01', '10/31/2026']) {
      const page = await get(`/numbers?day=${wrong}`);
      expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(page.body).toContain(`“${wrong}” isn’t a date. Enter a day of the calendar, such as ${dayInWords(day)} or ${day}.`);
      for (const form of ['json', 'csv']) {
        const refused = await get(`/numbers?day=${wrong}&as=${form}`);
        expect(refused.statusCode).toBe(400);
        expect(refused.json().errors[0].message).toContain(`“${wrong}” isn’t a date.`);
      }
    }
    expect((await get('/numbers?day=')).statusCode).toBe(200);
    for (const [wrong, status] of [
      ['/numbers/2026-13-01', 400],
      ['/numbers/yesterday', 400],
      [`/numbers/${day}?as=xml`, 404],
    ] as const) {
      const page = await get(wrong, { accept: 'text/html,*/*;q=0.8' });
      expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    }
    const forProgram = await get('/numbers/yesterday', { accept: 'application/json' });
    expect([forProgram.statusCode, forProgram.json().errors[0].message]).toEqual([
      400,
      expect.stringContaining('“yesterday” isn’t a date.'),
    ]);
  });
});
