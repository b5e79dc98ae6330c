import { MINUTE_MS } from '@portal/contract/days';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { requestEarlyTogether, isRequestedEarly, storeEarlyAnswer, takeEarlyAnswer, takeEarlyData } from './early-answers.ts';

const bearer = 'Bearer a.b.c';
const get = { method: 'GET', headers: { authorization: bearer } };
afterEach(() => {
  delete window.earlyAnswers;
  vi.unstubAllGlobals();
});

test('an early answer is taken once; the next call asks anew', async () => {
  const answer = new Response('[]');
  storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(answer));
  expect(await takeEarlyAnswer('/api/accounts', get)).toBe(answer);
  expect(takeEarlyAnswer('/api/accounts', get)).toBeUndefined();
});

test('an answer counts as asked for until it is taken', () => {
  expect(isRequestedEarly('/api/accounts')).toBe(false);
  storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(new Response('[]')));
  expect(isRequestedEarly('/api/accounts')).toBe(true);
  void takeEarlyAnswer('/api/accounts', get);
  expect(isRequestedEarly('/api/accounts')).toBe(false);
});

test.each([
  ['somebody else', { method: 'GET', headers: { authorization: 'Bearer d.e.f' } }],
  ['a change', { method: 'POST', headers: { authorization: bearer } }],
])('not for %s', (_, init) => {
  storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(new Response('[]')));
  expect(takeEarlyAnswer('/api/accounts', init)).toBeUndefined();
});

describe('what an early answer says', () => {
  const settled = () => new Promise(resolve => setTimeout(resolve));
  const store = async (answer: Response): Promise<void> => {
    storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(answer));
    await settled();
  };
  test('is taken once it has come, once, with the time at which it was asked for', async () => {
    storeEarlyAnswer('/api/accounts', bearer, Promise.resolve(new Response('["EXAMPLE-AA"]')));
    expect(takeEarlyData('/api/accounts', bearer)).toBeUndefined();
    await settled();
    const early = takeEarlyData('/api/accounts', bearer);
    expect(early?.data).toEqual(['EXAMPLE-AA']);
    expect(Math.abs(early!.at - Date.now())).toBeLessThan(5000);
    expect(takeEarlyData('/api/accounts', bearer)).toBeUndefined();
    expect(takeEarlyAnswer('/api/accounts', get)).toBeUndefined();
  });
  test('is not for another bearer', async () => {
    await store(new Response('[]'));
    expect(takeEarlyData('/api/accounts', 'Bearer d.e.f')).toBeUndefined();
    expect(takeEarlyData('/api/accounts', bearer)).toBeDefined();
  });
  test.each([
    ['a refusal', new Response('{"errors":[]}', { status: 403 })],
    ['what can’t be read', new Response('<html>')],
  ])('is left to the call where it is %s', async (_, answer) => {
    await store(answer);
    expect(takeEarlyData('/api/accounts', bearer)).toBeUndefined();
    expect(await takeEarlyAnswer('/api/accounts', get)).toBe(answer);
  });
  test('is not taken after a minute', async () => {
    await store(new Response('[]'));
    const { at } = window.earlyAnswers!.get('/api/accounts')!;
    window.earlyAnswers!.get('/api/accounts')!.at = at - MINUTE_MS;
    expect(takeEarlyData('/api/accounts', bearer)).toBeUndefined();
  });
});

test('one that failed is asked for again', async () => {
  const failed = Promise.reject<Response>(new TypeError('offline'));
  storeEarlyAnswer('/api/accounts', bearer, failed);
  await failed.catch(() => {});
  expect(takeEarlyAnswer('/api/accounts', get)).toBeUndefined();
});

describe('on a long line', () => {
  const paths = ['/api/me', '/api/accounts?closed=no'];
  const asked: string[] = [];
  const answeredBy = (answer: (address: string) => Response): void => {
    asked.length = 0;
    vi.stubGlobal('fetch', (address: string) => (asked.push(address), Promise.resolve(answer(address))));
  };
  const taken = async (): Promise<[number, unknown][]> => {
    requestEarlyTogether(paths, 'a.b.c', true);
    const answers = await Promise.all(paths.map(path => takeEarlyAnswer(path, get)!));
    return Promise.all(answers.map(async answer => [answer.status, await answer.json()]));
  };

  test('the first reads are one request, and each is answered as if it had been asked for itself', async () => {
    const answers = [
      { path: paths[1], status: 403, body: '{"errors":[]}' },
      { path: paths[0], status: 200, body: '{"name":"Max"}' },
    ];
    answeredBy(() => Response.json({ answers }));
    expect(await taken()).toEqual([
      [200, { name: 'Max' }],
      [403, { errors: [] }],
    ]);
    expect(asked).toEqual(['/api/reads?read=%2Fapi%2Fme&read=%2Fapi%2Faccounts%3Fclosed%3Dno']);
  });

  test.each([
    ['is refused', () => new Response('', { status: 503 })],
    ['leaves one out', () => Response.json({ answers: [{ path: paths[0], status: 200, body: '1' }] })],
  ])('a request for all that %s is followed by one for each that is missing', async (_, answer) => {
    answeredBy(address => (address.startsWith('/api/reads') ? answer() : Response.json(1)));
    expect((await taken()).map(([status]) => status)).toEqual([200, 200]);
    expect(asked.at(-1)).toBe(paths[1]);
  });
});

test('on a short line each is a request of its own', () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => (asked.push(address), Promise.resolve(new Response('{}'))));
  requestEarlyTogether(['/api/me', '/api/accounts'], 'a.b.c', false);
  expect(asked).toEqual(['/api/me', '/api/accounts']);
});
