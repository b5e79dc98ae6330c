import { delegatingKinds, requestPaths, type RequestPath } from '@portal/contract/requests/request-form';
import { groundRules } from '@portal/contract/requests/request-grounds';
import { parseResource, resourceSetOf } from '@portal/number-resources';
import { describe, expect, test } from 'vitest';
import { allMet, blocks } from './check.ts';
import { facts, formOf, type Given, neighbours, plan, policy, stateIn } from './example-facts.ts';
import { checkGrounds } from './grounds.ts';

const paths = ['', ...Object.keys(requestPaths)] as ('' | RequestPath)[];
const pairs = delegatingKinds.flatMap(kind => paths.map(path => ({ kind, path })));
const check = (kind: (typeof delegatingKinds)[number], { form, facts: known }: Given) =>
  checkGrounds(kind, formOf(form), { ...facts, ...known }, policy);

/** Answers that meet every rule without discretion. */
const answers = {
  plan: plan(256, 400, 512),
  sites: 400,
  multihomed: 'now' as const,
  neighbours: neighbours(3),
  startsOn: '2026-12-01',
  endsOn: '2027-01-01',
  network: 'Two cities, one border router each.',
};

describe('for every kind and grounds', () => {
  test.each(pairs.filter(({ kind, path }) => groundRules(kind, path) === null && path !== ''))(
    '$kind "$path", which is not in the table, is never met',
    ({ kind, path }) => {
      const checks = check(kind, { form: { ...answers, path, length: kind === 'ipv4' ? 24 : 32 } });
      expect(stateIn(checks, 'grounds')).toBe('unmet');
      expect(blocks(checks)?.checkId).toBe('grounds');
    },
  );
  test.each(pairs.filter(({ kind, path }) => kind !== 'asn' && groundRules(kind, path) !== null))(
    '$kind "$path" gives no size that its rules do not have: nothing larger, nothing smaller, not none',
    ({ kind, path }) => {
      const known = path === 'subsequent' ? { ipv6: [{ resource: '3fff::/32', length: 32, used56: 1n << 24n }] } : {};
      for (const length of [0, 1, 8, 12, ...(kind === 'ipv4' ? [16, 19, 27, 28, 32] : [19, 49, 64, 100, 128])])
        expect(blocks(check(kind, { form: { ...answers, path, length }, facts: known })), `/${length}`).toMatchObject({
          checkId: 'size',
        });
    },
  );
  test('usual sizes are decided automatically, larger ones only with numbers that show the need', () => {
    const robot = (kind: (typeof delegatingKinds)[number], given: Given) =>
      allMet(check(kind, { ...given, form: { ...answers, ...given.form } }));
    expect(robot('ipv4', { form: { path: 'lir', length: 24 } })).toBe(true);
    expect(robot('ipv4', { form: { path: 'critical', length: 24 } })).toBe(false);
    expect(robot('ipv4', { form: { path: 'lir', length: 24, plan: plan(4_000_000, 4_000_000, 4_000_000) } })).toBe(false);
    expect(robot('ipv6', { form: { path: 'lir', length: 32 } })).toBe(true);
    for (const length of [31, 29, 28, 22, 20]) expect(robot('ipv6', { form: { path: 'lir', length } }), `/${length}`).toBe(false);
    // Sizes beyond the explanations are never decided automatically, whatever is claimed.
    for (const length of [28, 24, 22, 20])
      expect(robot('ipv6', { form: { path: 'lir', length, sites: 4_294_967_296 } }), `/${length}`).toBe(false);
  });
});

describe('AS numbers', () => {
  const asn = (given: Given) => check('asn', { ...given, form: { ...answers, ...given.form } });

  test('are approved automatically while they are free; a person reviews the need for more', () => {
    expect([0, 1, 2, 3].map(asns => allMet(asn({ facts: { asns } })))).toEqual([true, true, false, false]);
    expect(stateIn(asn({ facts: { asns: 2 } }), 'asn-need')).toBe('open');
    expect(stateIn(asn({ facts: { asns: 2 }, form: { reason: 'An island with other upstreams' } }), 'asn-need')).toBe('review');
  });
  test.each([
    ['AS4294967296', 'largest AS number'],
    ['banana', 'not an AS number'],
    ['AS0', 'RFC 7607'],
    ['AS23456', 'RFC 6793'],
    ['AS64512', 'RFC 6996'],
    ['AS65535', 'RFC 7300'],
    ['AS4200000000', 'RFC 6996'],
    ['AS64497', 'your own'],
  ])('a neighbour can’t be %s (%s)', (named, words) => {
    const checks = asn({
      form: { neighbours: [{ asn: named, name: 'Upstream' }] },
      facts: { ownAsns: resourceSetOf([parseResource('AS64497')]) },
    });
    expect(checks.find(({ checkId }) => checkId === 'neighbours')).toMatchObject({ state: 'unmet', known: expect.stringContaining(words) });
  });
  test('are counted once each among the participants of an exchange', () => {
    const exchange = (asns: string[]) =>
      stateIn(
        check('ipv4', { form: { ...answers, path: 'ixp', length: 26, neighbours: asns.map(each => ({ asn: each, name: '' })) } }),
        'participants',
      );
    expect(exchange(['AS1', 'AS1', 'AS1'])).toBe('unmet');
    expect(exchange(['AS1', 'as1', '1'])).toBe('unmet');
    expect(exchange(['AS1', 'AS2', 'AS3'])).toBe('met');
    // AS112 peers with anyone.
    expect(exchange(['AS1', 'AS2', 'AS112'])).toBe('met');
  });
});

describe('an event', () => {
  const event = (given: Given, kind: (typeof delegatingKinds)[number] = 'ipv4') =>
    check(kind, { ...given, form: { ...answers, path: 'temporary', length: kind === 'ipv4' ? 24 : 48, ...given.form } });

  test('begins within a year of the request', () => {
    const state = (startsOn: string, endsOn: string) => stateIn(event({ form: { startsOn, endsOn } }), 'event-begins');
    expect(state('2027-11-22', '2027-11-30')).toBe('met');
    expect(state('2027-11-23', '2027-11-30')).toBe('unmet');
    expect(state('2036-01-01', '2036-01-02')).toBe('unmet');
  });
  test('is limited to one per account, and all together to a block of their own', () => {
    expect(stateIn(event({}), 'one-event')).toBe('met');
    expect(stateIn(event({ facts: { events: ['198.18.0.0/24'] } }), 'one-event')).toBe('unmet');
    expect([2048n - 256n, 2048n - 255n].map(eventsInUse => stateIn(event({ facts: { eventsInUse } }), 'event-pool'))).toEqual([
      'met',
      'unmet',
    ]);
    expect([7n, 8n].map(eventsInUse => stateIn(event({ facts: { eventsInUse } }, 'asn'), 'event-pool'))).toEqual(['met', 'unmet']);
    const pool = 1n << 99n;
    expect([pool - (1n << 80n), pool].map(eventsInUse => stateIn(event({ facts: { eventsInUse } }, 'ipv6'), 'event-pool'))).toEqual([
      'met',
      'unmet',
    ]);
  });
});

test('an announcement must begin on the day of the request or later, however long the request waits', () => {
  const announce = (startsOn: string, today = '2026-11-22') =>
    stateIn(check('ipv6', { form: { ...answers, path: 'lir', length: 32, startsOn }, facts: { today } }), 'announce');
  expect(['2020-01-01', '2026-11-20', '2026-11-21'].map(day => announce(day))).toEqual(['unmet', 'unmet', 'met']);
  // Sent a month before it is decided.
  expect(announce('2026-11-22', '2026-12-24')).toBe('met');
});

test('a second exchange of an account is reviewed', () => {
  const exchange = (exchanges: string[]) =>
    stateIn(check('ipv4', { form: { ...answers, path: 'ixp', length: 26 }, facts: { exchanges } }), 'exchanges');
  expect([exchange([]), exchange(['198.18.0.0/26'])]).toEqual(['met', 'review']);
});
