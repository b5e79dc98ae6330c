import { describe, expect, test } from 'vitest';
import { problemsOfForm } from './form-problems.ts';
import { emptyForm, type RequestForm, requestKindNames, requestPaths, type RequestPath } from './request-form.ts';
import { groundRules, groundsOf, maxPlannedAddresses, problemOfGrounds, requestGrounds } from './request-grounds.ts';

const paths = ['', ...Object.keys(requestPaths)] as ('' | RequestPath)[];
const pairs = requestKindNames.flatMap(kind => paths.map(path => ({ kind, path })));
const inTable = pairs.filter(({ kind, path }) => groundRules(kind, path) !== null);
const outside = pairs.filter(({ kind, path }) => groundRules(kind, path) === null);

/** The table again, from the policies: a new pair has to be added in both places. */
const allowed = {
  ipv4: ['lir', 'multihoming', 'ixp', 'critical', 'temporary'],
  ipv6: ['lir', 'end-site', 'subsequent', 'temporary'],
  asn: ['', 'temporary'],
  'pre-approval': [''],
  return: [''],
  transfer: [''],
  acquisition: [''],
};

test('every kind of request has the grounds listed here', () => {
  expect(Object.fromEntries(requestKindNames.map(kind => [kind, groundsOf(kind)]))).toEqual(allowed);
});

describe('grounds that a kind can’t have', () => {
  test.each(outside)('$kind "$path" is refused, with the grounds that it can have', ({ kind, path }) => {
    const problem = problemOfGrounds(kind, path)!;
    expect(problem.field).toBe('path');
    for (const other of groundsOf(kind)) if (path !== '' && other !== '') expect(problem.message).toContain(requestPaths[other]);
    if (path !== '' && groundsOf(kind).includes('')) expect(problem.message).toContain('Leave the grounds empty');
    expect(problemsOfForm(kind, { ...emptyForm, path })[0]).toEqual(problem);
    // A draft may have none yet, and never wrong ones.
    expect(problemOfGrounds(kind, path, { isDraft: true })).toEqual(path === '' ? null : problem);
  });
});

describe('grounds in the table', () => {
  test.each(inTable)('$kind "$path" has rules for its size and its limit', ({ kind, path }) => {
    expect(problemOfGrounds(kind, path)).toBeNull();
    const rules = requestGrounds[kind][path]!;
    expect(rules.limits.length).toBeGreaterThan(0);
    const sized = typeof rules.sizes === 'object' || rules.sizes === 'growth';
    expect(sized).toBe(kind === 'ipv4' || kind === 'ipv6');
    // Every delegation requires a need, or has a limit.
    if (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn') expect(rules.need.length).toBeGreaterThan(0);
  });
});

describe('a form', () => {
  const fields = (kind: Parameters<typeof problemsOfForm>[0], form: Partial<RequestForm>): string[] =>
    problemsOfForm(kind, { ...emptyForm, ...form }).map(({ field }) => field);
  const transfer = { resources: ['198.18.0.0/24'], reason: 'Sold' };

  test('goes to an account here or to another registry, never to both', () => {
    expect(fields('transfer', { ...transfer, recipient: 'OTHER-SG', otherRegistry: 'ARIN' })).toEqual(['recipient']);
    expect(fields('transfer', { ...transfer, recipient: 'OTHER-SG' })).toEqual([]);
    expect(fields('transfer', { ...transfer, otherRegistry: 'ARIN' })).toEqual([]);
    expect(fields('transfer', transfer)).toEqual(['recipient']);
    expect(fields('return', { ...transfer, startsOn: '2026-11-24', recipient: 'OTHER-SG' })).toEqual(['recipient']);
    expect(
      fields('acquisition', { ...transfer, occasion: 'merger', legalName: 'X', startsOn: '2026-11-24', otherRegistry: 'Mars' }),
    ).toEqual(['otherRegistry']);
  });
  test('plans as many addresses as a /8 has, and not one more', () => {
    const plan = (amount: number) => [{ purpose: 'Access', amounts: [amount] }];
    const form = { path: 'lir', length: 24, network: 'Two cities, one border router each.' } as const;
    expect(fields('ipv4', { ...form, plan: plan(maxPlannedAddresses) })).toEqual([]);
    expect(fields('ipv4', { ...form, plan: plan(maxPlannedAddresses + 1) })).toEqual(['plan']);
    expect(fields('ipv4', { ...form, plan: [...plan(maxPlannedAddresses), ...plan(1)] })).toEqual(['plan']);
  });
});
