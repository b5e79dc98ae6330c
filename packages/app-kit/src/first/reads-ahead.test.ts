import { afterEach, describe, expect, test, vi } from 'vitest';
import { answerAge } from '../kit/answer-age.ts';
import { dropReadsAhead, fetchOrTake, isReadAhead, peekReadAhead, requestReads, takeReadAhead } from './reads-ahead.ts';

const token = 'a.b.c';
const bearer = `Bearer ${token}`;
const get = { method: 'GET', headers: { authorization: bearer } };
const paths = ['/api/me', '/api/accounts?closed=no'] as const;
const [me, accounts] = paths;
afterEach(() => {
  delete window.readsAhead;
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Answers every request, and returns the addresses that were asked for. */
const answeredBy = (answer: (address: string) => Response | Promise<Response>): string[] => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => (asked.push(address), Promise.resolve(answer(address))));
  return asked;
};
const come = (path: string = me) => vi.waitFor(() => expect(window.readsAhead?.get(path)?.come).toBeDefined());

test('an answer is used once; the next call makes a request', async () => {
  const asked = answeredBy(() => Response.json({ name: 'Max' }));
  requestReads([me], token);
  expect(await (await fetchOrTake(me, get)).json()).toEqual({ name: 'Max' });
  expect(asked).toEqual([me]);
  expect(isReadAhead(me)).toBe(false);
  await fetchOrTake(me, get);
  expect(asked).toEqual([me, me]);
});

test('once it has arrived it can be read once without a call, with its time', async () => {
  answeredBy(() => Response.json(['EXAMPLE-AA']));
  requestReads([me], token);
  expect(takeReadAhead(me, bearer)).toBeUndefined();
  await come();
  const ahead = takeReadAhead(me, bearer)!;
  expect(ahead.data).toEqual(['EXAMPLE-AA']);
  expect(Math.abs(ahead.at - Date.now())).toBeLessThan(5000);
  expect(takeReadAhead(me, bearer)).toBeUndefined();
});

test('peeking at an answer doesn’t consume it', async () => {
  const asked = answeredBy(() => Response.json(['EXAMPLE-AA']));
  requestReads([me], token);
  expect(await peekReadAhead(me)).toEqual(['EXAMPLE-AA']);
  expect(await peekReadAhead(accounts)).toBeUndefined();
  await fetchOrTake(me, get);
  expect(asked).toEqual([me]);
});

test('what is loading or has arrived is not requested again', async () => {
  const asked = answeredBy(() => Response.json(1));
  requestReads([me, me], token);
  await come();
  requestReads([me], token);
  expect(asked).toEqual([me]);
});

test('another bearer doesn’t get it', async () => {
  const asked = answeredBy(() => Response.json(1));
  requestReads([me], token);
  await come();
  expect(takeReadAhead(me, 'Bearer d.e.f')).toBeUndefined();
  await fetchOrTake(me, { method: 'GET', headers: { authorization: 'Bearer d.e.f' } });
  expect(asked).toEqual([me, me]);
});

test('a change drops all prefetched answers', async () => {
  answeredBy(() => Response.json(1));
  requestReads(paths, token, false);
  await come();
  await fetchOrTake('/api/EXAMPLE-AA/routes', { method: 'POST', headers: { authorization: bearer } });
  expect(paths.map(isReadAhead)).toEqual([false, false]);
  expect(takeReadAhead(me, bearer)).toBeUndefined();
});

test('a sign-out drops all of them, including those still loading', async () => {
  let answer: (response: Response) => void = () => undefined;
  answeredBy(() => new Promise(resolve => (answer = resolve)));
  requestReads([me], token);
  dropReadsAhead();
  answer(Response.json(1));
  expect(await peekReadAhead(me)).toBeUndefined();
  expect(isReadAhead(me)).toBe(false);
});

test('an older answer is shown, and does not stand for a call; one that is too old is neither', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asked = answeredBy(() => Response.json(1));
  requestReads(paths, token, false);
  await vi.waitFor(() => expect(window.readsAhead?.get(accounts)?.come).toBeDefined());
  vi.setSystemTime(Date.now() + answerAge.fresh);
  await fetchOrTake(me, get);
  expect(asked).toEqual([me, accounts, me]);
  expect(takeReadAhead(accounts, bearer)?.data).toBe(1);
  requestReads([accounts], token);
  await come(accounts);
  vi.setSystemTime(Date.now() + answerAge.shown);
  expect(takeReadAhead(accounts, bearer)).toBeUndefined();
});

test.each([
  ['is refused', () => Response.json({ errors: [] }, { status: 403 })],
  ['fails on the line', () => Promise.reject(new TypeError('offline'))],
])('what %s is requested by the page itself, whether it is already waiting or not', async (_, failing) => {
  let answers: () => Response | Promise<Response> = failing;
  const asked = answeredBy(() => answers());
  requestReads([me], token);
  const waited = fetchOrTake(me, get);
  answers = () => Response.json(2);
  expect(await (await waited).json()).toBe(2);
  expect(asked).toEqual([me, me]);
  expect(isReadAhead(me)).toBe(false);
});

describe('on a slow connection', () => {
  const both = (statuses = [200, 200]) =>
    Response.json({ answers: paths.map((path, place) => ({ path, status: statuses[place], body: JSON.stringify({ path }) })) });

  test('all are one request, and each is answered as if requested separately', async () => {
    const asked = answeredBy(() => both());
    requestReads(paths, token, true);
    const answers = await Promise.all(paths.map(async path => (await fetchOrTake(path, get)).json()));
    expect(answers).toEqual([{ path: me }, { path: accounts }]);
    expect(asked).toEqual(['/api/reads?read=%2Fapi%2Fme&read=%2Fapi%2Faccounts%3Fclosed%3Dno']);
  });

  test.each([
    ['is refused', () => new Response('', { status: 503 }), 2],
    ['leaves out', () => Response.json({ answers: [{ path: me, status: 200, body: '1' }] }), 1],
    ['answers with a refusal', () => both([200, 403]), 1],
  ])('what a request for all %s is requested by the page itself', async (_, answer, missing) => {
    const asked = answeredBy(address => (address.startsWith('/api/reads') ? answer() : Response.json(1)));
    requestReads(paths, token, true);
    await Promise.all(paths.map(path => fetchOrTake(path, get)));
    expect(asked.slice(1)).toEqual(paths.slice(-missing));
  });

  test('more than fit into one request are several', () => {
    const asked = answeredBy(() => both());
    requestReads(
      Array.from({ length: 20 }, (_, place) => `/api/${place}`),
      token,
      true,
    );
    expect(asked.map(address => new URLSearchParams(address.replace(/.*\?/, '')).getAll('read').length)).toEqual([16, 4]);
  });
});
