import { afterEach, expect, test, vi } from 'vitest';
import { requestAhead, dropAhead } from './ahead-answers.ts';
import { isRequestedEarly, storeEarlyAnswer, takeEarlyAnswer, takeEarlyData } from '../calls/early-answers.ts';

const bearer = 'Bearer a.b.c';
const get = { method: 'GET', headers: { authorization: bearer } };
const paths = ['/api/EXAMPLE-AA/routes', '/api/EXAMPLE-AA/rpki'];
afterEach(() => {
  delete window.earlyAnswers;
  vi.unstubAllGlobals();
});

const answeredBy = (answer: () => Promise<Response>): string[] => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => (asked.push(address), answer()));
  return asked;
};
const bothRead = () =>
  Promise.resolve(Response.json({ answers: paths.map(path => ({ path, status: 200, body: JSON.stringify({ path }) })) }));

test('pages that may be opened next are read in one request, and each answer is taken once', async () => {
  const asked = answeredBy(bothRead);
  requestAhead(paths, 'a.b.c');
  await vi.waitFor(() => expect(takeEarlyData(paths[0]!, bearer)?.data).toEqual({ path: paths[0] }));
  expect(await (await takeEarlyAnswer(paths[1]!, get))!.json()).toEqual({ path: paths[1] });
  expect(paths.map(isRequestedEarly)).toEqual([false, false]);
  expect(asked).toHaveLength(1);
});

test('what was asked for ahead is dropped, and what the present page asked for stays', () => {
  answeredBy(bothRead);
  storeEarlyAnswer('/api/me', bearer, Promise.resolve(new Response('{}')));
  requestAhead(paths, 'a.b.c');
  dropAhead();
  expect(paths.map(isRequestedEarly)).toEqual([false, false]);
  expect(isRequestedEarly('/api/me')).toBe(true);
});

test.each([
  ['is refused', () => Promise.resolve(Response.json({ answers: paths.map(path => ({ path, status: 401, body: '{"errors":[]}' })) }))],
  ['was not read', () => Promise.resolve(Response.json({ answers: [] }))],
  ['the registry can’t answer now', () => Promise.resolve(new Response('', { status: 503 }))],
  ['fails on the line', () => Promise.reject(new TypeError('offline'))],
])('what %s is asked for again by the page, and not before', async (_, answer) => {
  const asked = answeredBy(answer);
  requestAhead(paths, 'a.b.c');
  await vi.waitFor(() => expect(paths.map(isRequestedEarly)).toEqual([false, false]));
  expect(asked).toHaveLength(1);
});

test('nothing is asked for where there is nothing to read', () => {
  const asked = answeredBy(bothRead);
  requestAhead([], 'a.b.c');
  expect(asked).toEqual([]);
});
