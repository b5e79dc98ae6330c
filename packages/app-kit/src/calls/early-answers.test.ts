import { afterEach, expect, test } from 'vitest';
import { storeEarlyAnswer, takeEarlyAnswer } from './early-answers.ts';

const bearer = 'Bearer a.b.c';
const get = { method: 'GET', headers: { authorization: bearer } };
afterEach(() => {
  delete window.earlyAnswers;
});

test('an early answer is taken once; the next call asks anew', async () => {
  const answer = new Response('[]');
  storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(answer));
  expect(await takeEarlyAnswer('/api/accounts', get)).toBe(answer);
  expect(takeEarlyAnswer('/api/accounts', get)).toBeUndefined();
});

test.each([
  ['somebody else', { method: 'GET', headers: { authorization: 'Bearer d.e.f' } }],
  ['a change', { method: 'POST', headers: { authorization: bearer } }],
])('not for %s', (_, init) => {
  storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(new Response('[]')));
  expect(takeEarlyAnswer('/api/accounts', init)).toBeUndefined();
});

test('one that failed is asked for again', async () => {
  const failed = Promise.reject<Response>(new TypeError('offline'));
  storeEarlyAnswer('/api/accounts', bearer, failed);
  await failed.catch(() => {});
  expect(takeEarlyAnswer('/api/accounts', get)).toBeUndefined();
});
