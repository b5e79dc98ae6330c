// @vitest-environment happy-dom
import { allEndpoints } from '@portal/contract/api';
import { MINUTE_MS } from '@portal/contract/days';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { copyToken, clearToken } from '../auth/stored-user.ts';
import { dropKeptAnswers, forgetOtherAccounts, keepAnswers, keptReads, showsOnlyKept } from './kept-answers.ts';

const now = Date.UTC(2026, 10, 22, 12);
const home = ['home.getHome', { account: 'EXAMPLE-AU' }];
const filled = (): QueryClient => {
  const answers = new QueryClient();
  answers.setQueryData(['identity.people.getMe', {}], { userId: 'u1' }, { updatedAt: now - 2000 });
  answers.setQueryData(home, { attention: [] }, { updatedAt: now - 1000 });
  answers.setQueryData(['home.getHome', { account: 'OTHER' }], { attention: [1] }, { updatedAt: now });
  answers.setQueryData(['billing.getBilling', { account: 'EXAMPLE-AU' }], { invoices: [] }, { updatedAt: now });
  return answers;
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  copyToken('a.b.c');
  keepAnswers(filled(), 'portal', () => now).keep('u1', 'EXAMPLE-AU');
});

test('every kept read is a GET of the contract', () => {
  const known = new Map(allEndpoints.map(({ id, method }) => [id, method]));
  expect([...keptReads].filter(id => known.get(id) !== 'GET')).toEqual([]);
});

test('the next load shows what the tab kept of the person and the account, as old as it is', () => {
  const answers = new QueryClient();
  expect(keepAnswers(answers, 'portal', () => now + MINUTE_MS).restore('u1', 'EXAMPLE-AU')).toBe(now - 2000);
  expect(answers.getQueryData(home)).toEqual({ attention: [] });
  expect(answers.getQueryState(home)?.dataUpdatedAt, 'read again by every page').toBeLessThan(now);
  expect(answers.getQueryData(['home.getHome', { account: 'OTHER' }])).toBeUndefined();
  expect(answers.getQueryData(['billing.getBilling', { account: 'EXAMPLE-AU' }])).toBeUndefined();
});

test('settings are those of this device, whatever was kept', () => {
  localStorage.setItem('preferences:u1', '{"theme":"dark","tables":{}}');
  const answers = new QueryClient();
  keepAnswers(answers, 'portal', () => now).restore('u1', null);
  expect(answers.getQueryData(['identity.people.getMe', {}])).toMatchObject({ preferences: { theme: 'dark' } });
});

test('nothing reaches local storage', () => {
  expect(localStorage.length).toBe(0);
});

test.each([
  ['another person', 'u2', 'EXAMPLE-AU'],
  ['another account', 'u1', 'OTHER'],
])('%s gets nothing, and the stored answers are removed', (_who, userId, account) => {
  const kept = keepAnswers(new QueryClient(), 'portal', () => now);
  expect(kept.restore(userId, account)).toBeNull();
  expect(kept.restore('u1', 'EXAMPLE-AU')).toBeNull();
});

test('answers older than half an hour are not shown', () => {
  const answers = new QueryClient();
  expect(keepAnswers(answers, 'portal', () => now + 31 * MINUTE_MS).restore('u1', 'EXAMPLE-AU')).toBeNull();
});

test('a tab that signs out removes its answers, and stores nothing more', () => {
  dropKeptAnswers();
  clearToken();
  const kept = keepAnswers(filled(), 'portal', () => now);
  kept.keep('u1', 'EXAMPLE-AU');
  expect(kept.restore('u1', 'EXAMPLE-AU')).toBeNull();
});

test('data not written by the portal is ignored', () => {
  sessionStorage.setItem(
    'kept-answers:portal',
    '{"userId":"u1","account":"EXAMPLE-AU","entries":[{"key":["billing.getBilling",{}],"data":1,"at":1}]}',
  );
  const answers = new QueryClient();
  expect(keepAnswers(answers, 'portal', () => now).restore('u1', 'EXAMPLE-AU')).toBeNull();
  expect(answers.getQueryCache().getAll()).toEqual([]);
  sessionStorage.setItem('kept-answers:portal', 'not JSON');
  expect(keepAnswers(answers, 'portal', () => now).restore('u1', 'EXAMPLE-AU')).toBeNull();
});

test('answers of other accounts are removed once an account is selected, and those of no account stay', () => {
  const answers = filled();
  answers.setQueryData(['events.listUpcomingEvents', { query: { account: 'OTHER' } }], { rows: [] });
  answers.setQueryData(['billing.getBilling', { account: 'OTHER' }], { invoices: [] });
  forgetOtherAccounts(answers, 'EXAMPLE-AU');
  expect(
    answers
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey[0]),
  ).toEqual(['identity.people.getMe', 'home.getHome', 'billing.getBilling']);
  expect(answers.getQueryData(home)).toBeDefined();
});

test('a picture may be kept while everything that is drawn on it is a kept read, or stands beside those', async () => {
  const answers = filled();
  const watch = (key: unknown[]) =>
    new QueryObserver(answers, { queryKey: key, queryFn: () => new Promise<never>(() => {}) }).subscribe(() => {});
  const stops = [watch(['notifications.countUnread', {}]), watch(['status', 'headline'])];
  expect(showsOnlyKept(answers, 'EXAMPLE-AU'), 'without a read there is no saying what is drawn').toBe(false);
  stops.push(watch(home));
  expect(showsOnlyKept(answers, 'EXAMPLE-AU')).toBe(true);
  // Not answered yet.
  stops.push(watch(['tickets.listTickets', {}]));
  expect(showsOnlyKept(answers, 'EXAMPLE-AU')).toBe(false);
  stops.pop()!();
  // Never kept.
  stops.push(watch(['billing.getBilling', { account: 'EXAMPLE-AU' }]));
  expect(showsOnlyKept(answers, 'EXAMPLE-AU')).toBe(false);
  stops.pop()!();
  expect(showsOnlyKept(answers, 'OTHER-SG'), 'of another account').toBe(false);
  // The answer of a change may be on the screen, such as a secret that is shown once.
  await answers
    .getMutationCache()
    .build(answers, { mutationFn: () => Promise.resolve({ secret: 's3cret' }) })
    .execute(undefined);
  expect(showsOnlyKept(answers, 'EXAMPLE-AU')).toBe(false);
  for (const stop of stops) stop();
});

test('answers of another release are not shown', () => {
  const script = Object.assign(document.createElement('script'), {
    type: 'application/json',
    id: 'files',
    textContent: '{"entry":"/assets/b.js"}',
  });
  document.body.append(script);
  expect(keepAnswers(new QueryClient(), 'portal', () => now).restore('u1', 'EXAMPLE-AU')).toBeNull();
  script.remove();
  expect(keepAnswers(new QueryClient(), 'portal', () => now).restore('u1', 'EXAMPLE-AU')).toBe(now - 2000);
});
