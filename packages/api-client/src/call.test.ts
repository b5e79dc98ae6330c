import { endpoint, type ErrorItem, group, member, signedIn } from '@portal/contract';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type ClientOptions, createClient, errorsOf, type StoppedCall } from './call.ts';
import type { Challenge } from './challenge.ts';
import { ServiceFailure } from './service-failure.ts';

const sentence = 'An unexpected error has occurred, please try again later. If the problem persists, please contact Support';
const calls = group('billing', {
  listInvoices: endpoint({
    method: 'GET',
    path: '/api/:account/invoices',
    summary: 'Invoices.',
    access: member('member-billing-view'),
    query: z.object({ year: z.optional(z.number()), q: z.optional(z.string()) }),
    answer: z.array(z.object({ number: z.string() })),
  }),
  payInvoice: endpoint({
    method: 'POST',
    path: '/api/:account/invoices/:invoiceId/pay',
    summary: 'Pay.',
    access: member('member-billing-update'),
    body: z.object({ amount: z.string() }),
    effect: 'money',
    limit: 'received',
    activity: 'Paid',
  }),
  getPrices: endpoint({
    method: 'GET',
    path: '/prices.json',
    summary: 'Prices.',
    access: signedIn,
    answer: z.object({ list: z.string() }),
  }),
  exportInvoices: endpoint({
    method: 'GET',
    path: '/api/:account/invoices-export',
    summary: 'File.',
    access: member('member-billing-view'),
    answer: 'download',
  }),
});

/** A client whose network answers with these, one after the other, and what it was asked. */
function clientWith(answers: (Response | Error | (() => Promise<Response>))[], options: Partial<ClientOptions> = {}) {
  const asked: { url: string; init: RequestInit }[] = [];
  const reports: { errors: readonly ErrorItem[]; status: number }[] = [];
  const call = createClient({
    baseUrl: '',
    token: () => 'aaa.bbb.ccc',
    fetch: (url, init) => {
      asked.push({ url, init });
      const answer = answers[asked.length - 1];
      if (answer === undefined) throw new Error('not expected');
      if (typeof answer === 'function') return answer();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    report: (errors, { status }) => reports.push({ errors, status }),
    ...options,
  });
  const headers = (index = 0) => asked[index]!.init.headers as Record<string, string>;
  return { call, asked, reports, headers };
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const unauthorised = () => json(401, { errors: [{ code: 'NOT_SIGNED_IN', message: 'over', traceId: 't' }] });

describe('the request of a call', () => {
  it('has a JSON content type, the identity token as bearer and a trace-parent', async () => {
    const { call, asked, headers } = clientWith([json(200, [])]);
    await call(calls.listInvoices, { account: 'EXAMPLE-AU', query: { year: 2026, q: undefined } });
    expect(asked[0]!.url).toBe('/api/EXAMPLE-AU/invoices?year=2026');
    expect(headers()['content-type']).toBe('application/json');
    expect(headers()['authorization']).toBe('Bearer aaa.bbb.ccc');
    expect(headers()['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('traces only paths that start with /api/', async () => {
    const { call, headers } = clientWith([json(200, { list: 'x' })]);
    await call(calls.getPrices, {});
    expect(headers()).not.toHaveProperty('traceparent');
  });

  it('sends no bearer without a sign-in', async () => {
    const { call, headers } = clientWith([json(200, { list: 'x' })], { token: () => null });
    await call(calls.getPrices, {});
    expect(headers()).not.toHaveProperty('authorization');
  });

  it('writes path parameters so that they cannot leave their place', async () => {
    const { call, asked } = clientWith([new Response(null, { status: 204 })]);
    await call(calls.payInvoice, { account: 'A/../B', invoiceId: 'x?y', body: { amount: '1' } });
    expect(asked[0]!.url).toBe('/api/A%2F..%2FB/invoices/x%3Fy/pay');
    expect(asked[0]!.init.body).toBe('{"amount":"1"}');
  });

  it('is refused immediately when a path parameter is missing', async () => {
    const { call } = clientWith([]);
    await expect(call(calls.listInvoices, { account: '' })).rejects.toThrow('path parameter "account"');
  });
});

describe('an answer that has come before the call', () => {
  it('is found by the address and the bearer of the call', () => {
    const answered = vi.fn(() => ({ data: [], at: 1 }));
    const { call, asked } = clientWith([], { answered });
    expect(call.answered!(calls.listInvoices, { account: 'EXAMPLE-AA', query: { year: 2026 } })).toEqual({ data: [], at: 1 });
    expect(answered).toHaveBeenCalledExactlyOnceWith('/api/EXAMPLE-AA/invoices?year=2026', 'Bearer aaa.bbb.ccc');
    expect(asked).toEqual([]);
  });
  it('is not looked for while a parameter of its address is missing', () => {
    const answered = vi.fn(() => ({ data: [], at: 1 }));
    expect(clientWith([], { answered }).call.answered!(calls.listInvoices, { account: '' })).toBeUndefined();
    expect(clientWith([], { answered }).call.answered!(calls.listInvoices, {})).toBeUndefined();
    expect(answered).not.toHaveBeenCalled();
  });
  it('is not looked for without a sign-in, nor for a change', () => {
    const answered = vi.fn(() => ({ data: [], at: 1 }));
    expect(clientWith([], { answered, token: () => null }).call.answered!(calls.getPrices, {})).toBeUndefined();
    expect(clientWith([], { answered }).call.answered!(calls.payInvoice, { account: 'EXAMPLE-AA', invoiceId: '1' })).toBeUndefined();
    expect(answered).not.toHaveBeenCalled();
  });
});

describe('the answer of a call', () => {
  it('is the status with the data', async () => {
    const { call } = clientWith([json(200, [{ number: 'INV-1' }])]);
    expect(await call(calls.listInvoices, { account: 'A' })).toEqual({ status: 200, data: [{ number: 'INV-1' }] });
  });

  it('is the status without data for an answer without body', async () => {
    const { call } = clientWith([new Response(null, { status: 204 })]);
    expect(await call(calls.payInvoice, { account: 'A', invoiceId: '1', body: { amount: '1' } })).toEqual({ status: 204, data: undefined });
  });

  it('is a file with its name for a download', async () => {
    const { call } = clientWith([
      new Response('a,b', {
        headers: { 'content-disposition': 'attachment; filename="x.csv"; filename*=UTF-8\'\'Rechnungen%20%C3%9C.csv' },
      }),
    ]);
    const { data } = await call(calls.exportInvoices, { account: 'A' });
    expect(data?.fileName).toBe('Rechnungen Ü.csv');
    expect(await data?.blob.text()).toBe('a,b');
  });

  it('names a download after its path when the server does not, and never takes a folder', async () => {
    const { call } = clientWith([
      new Response('x'),
      new Response('x', { headers: { 'content-disposition': 'attachment; filename="../../etc/passwd"' } }),
    ]);
    expect((await call(calls.exportInvoices, { account: 'A' })).data?.fileName).toBe('invoices-export');
    expect((await call(calls.exportInvoices, { account: 'A' })).data?.fileName).toBe('passwd');
  });
});

describe('errors (specification section 8)', () => {
  it('keep code, message and trace id of an errors array', () => {
    expect(errorsOf('{"errors":[{"code":"A","message":"a","traceId":"1"},{"code":"B","message":"b"}]}', 'ours')).toEqual([
      { code: 'A', message: 'a', traceId: '1' },
      { code: 'B', message: 'b', traceId: 'ours' },
    ]);
  });

  it('keep the field they are about, and include it in their sentence', () => {
    const errors = errorsOf(
      '{"errors":[{"code":"A","message":"a","traceId":"1","field":"email"},{"code":"A","message":"b","field":7}]}',
      'ours',
    );
    expect(errors).toEqual([
      { code: 'A', message: 'a', traceId: '1', field: 'email' },
      { code: 'A', message: 'b', traceId: 'ours' },
    ]);
    expect(new ServiceFailure(400, [...errors, { ...errors[0]!, field: 'to.0' }]).message).toBe('email: a; to.0: a');
  });

  it.each([
    ['a text', 'Bad gateway', 'Bad gateway'],
    ['JSON without errors', '{"detail":"no"}', '{"detail":"no"}'],
    ['an empty errors array', '{"errors":[]}', '{"errors":[]}'],
    ['errors that are no array', '{"errors":"no"}', '{"errors":"no"}'],
    ['nothing', '', sentence],
  ])('become UNEXPECTED_ERROR with the body as message: %s', (_, body, message) => {
    expect(errorsOf(body, 'ours')).toEqual([{ code: 'UNEXPECTED_ERROR', message, traceId: 'ours' }]);
  });

  it('of the network are 500 UNEXPECTED_ERROR with the sentence of the specification', async () => {
    const { call, reports, headers } = clientWith([new TypeError('Failed to fetch')]);
    const answer = await call(calls.listInvoices, { account: 'A' });
    expect(answer).toEqual({
      status: 500,
      errors: [{ code: 'UNEXPECTED_ERROR', message: sentence, traceId: headers()['traceparent']!.split('-')[1] }],
    });
    expect(reports).toHaveLength(1);
  });

  it('an answer that is no JSON counts as a failure', async () => {
    const { call } = clientWith([new Response('<html>')]);
    expect((await call(calls.listInvoices, { account: 'A' })).status).toBe(500);
  });

  it('of an aborted call are 299 REQUEST_ABORTED, and not reported', async () => {
    const abort = new AbortController();
    const { call, reports } = clientWith([() => Promise.reject(new DOMException('aborted', 'AbortError'))]);
    abort.abort();
    const answer = await call(calls.listInvoices, { account: 'A' }, { signal: abort.signal });
    expect(answer.status).toBe(299);
    expect(answer.errors?.[0]).toMatchObject({ code: 'REQUEST_ABORTED', message: 'Service request was aborted.' });
    expect(reports).toEqual([]);
  });

  it('are reported once, with what was called', async () => {
    const { call, reports } = clientWith([json(403, { errors: [{ code: 'NO_PERMISSION', message: 'no', traceId: 't' }] })]);
    await call(calls.listInvoices, { account: 'A' });
    expect(reports).toEqual([{ status: 403, errors: [{ code: 'NO_PERMISSION', message: 'no', traceId: 't' }] }]);
  });
});

describe('a session that ran out', () => {
  it('is renewed once and the call repeated with the new token', async () => {
    let token = 'old.old.old';
    const renew = vi.fn(async () => ((token = 'new.new.new'), true));
    const signOut = vi.fn();
    const { call, headers, reports } = clientWith([unauthorised(), json(200, [])], { token: () => token, renew, signOut });
    expect((await call(calls.listInvoices, { account: 'A' })).status).toBe(200);
    expect(headers(1)['authorization']).toBe('Bearer new.new.new');
    expect(renew).toHaveBeenCalledTimes(1);
    expect(signOut).not.toHaveBeenCalled();
    expect(reports).toEqual([]);
  });

  it.each([
    ['the renewal fails', () => Promise.resolve(false), 1],
    ['the renewal throws', () => Promise.reject(new Error('IFrame timed out without a response')), 1],
    ['the repeated call is refused too', () => Promise.resolve(true), 2],
  ])('ends in sign-out when %s', async (_, renew, times) => {
    const signOut = vi.fn();
    const { call, asked, reports } = clientWith([unauthorised(), unauthorised()], { renew, signOut });
    expect((await call(calls.listInvoices, { account: 'A' })).status).toBe(401);
    expect(asked).toHaveLength(times);
    expect(signOut).toHaveBeenCalledTimes(1);
    expect(reports).toHaveLength(1);
  });

  it('is renewed once for calls that are refused together', async () => {
    const renew = vi.fn(() => new Promise<boolean>(resolve => setTimeout(() => resolve(true))));
    const { call } = clientWith([unauthorised(), unauthorised(), json(200, []), json(200, [])], { renew });
    await Promise.all([call(calls.listInvoices, { account: 'A' }), call(calls.listInvoices, { account: 'B' })]);
    expect(renew).toHaveBeenCalledTimes(1);
  });
});

describe('a call that needs a second factor', () => {
  const challenge = () =>
    json(
      401,
      { errors: [{ code: 'MFA_REQUIRED', message: 'needs', traceId: 't' }] },
      {
        'www-authenticate':
          'Bearer error="insufficient_user_authentication", acr_values="urn:x:mfa", max_age="300", act="Pay%20an%20invoice%20%E2%80%93%20all%20of%20it", asked_act="e30.sig"',
      },
    );

  it('asks for what the server asks for, naming what was interrupted; a change that is given up is not sent again', async () => {
    const stepUp = vi.fn((_challenge: Challenge, _call: StoppedCall) => Promise.resolve(false));
    const renew = vi.fn(() => Promise.resolve(true));
    const signOut = vi.fn();
    const { call, asked, reports } = clientWith([challenge()], { stepUp, renew, signOut });
    const input = { account: 'A', invoiceId: '1', body: { amount: '1' } };
    const answer = await call(calls.payInvoice, input);
    expect(stepUp).toHaveBeenCalledWith(
      { acrValues: 'urn:x:mfa', maxAgeSeconds: 300, act: 'Pay an invoice – all of it', asked: 'e30.sig' },
      {
        endpoint: expect.objectContaining({ id: 'billing.payInvoice', method: 'POST', path: calls.payInvoice.path }),
        input,
        act: { name: 'Pay an invoice – all of it' },
      },
    );
    expect(stepUp.mock.calls[0]![1].endpoint, 'only what JSON can hold').not.toHaveProperty('answer');
    expect(answer.errors?.[0]?.code).toBe('NOT_CONFIRMED');
    expect([asked.length, reports]).toEqual([1, []]);
    expect(renew).not.toHaveBeenCalled();
    expect(signOut).not.toHaveBeenCalled();
  });

  it('a confirmed change is sent once more, with the confirmation and the key of the first attempt', async () => {
    let confirmation: string | undefined;
    const stepUp = vi.fn(() => {
      confirmation = 'signed';
      return Promise.resolve(true);
    });
    const { call, asked } = clientWith([challenge(), json(200, {})], { stepUp, confirmationOf: () => confirmation });
    const answer = await call(calls.payInvoice, { account: 'A', invoiceId: '1', body: { amount: '1' } });
    expect(answer.status).toBe(200);
    const [first, second] = asked.map(({ init }) => new Headers(init.headers));
    expect([first!.get('confirmation'), second!.get('confirmation')]).toEqual([null, 'signed']);
    expect(second!.get('idempotency-key')).toBe(first!.get('idempotency-key'));
  });

  it('says where it was made, and with which confirmation it was refused', async () => {
    const stepUp = vi.fn((_challenge: Challenge, _call: StoppedCall) => Promise.resolve(false));
    let place = '/billing?invoice=1';
    const answer = () => {
      place = '/home';
      return Promise.resolve(challenge());
    };
    const { call } = clientWith([answer], { stepUp, place: () => place, confirmationOf: () => 'too old' });
    await call(calls.payInvoice, { account: 'A', invoiceId: '1', body: { amount: '1' } });
    expect(stepUp.mock.calls[0]![1]).toMatchObject({ from: '/billing?invoice=1', sentWith: 'too old' });
  });

  describe('after an answer was lost, and given up,', () => {
    const lost = () => new TypeError('Failed to fetch');
    const given = { account: 'A', invoiceId: '1', body: { amount: '1' } };
    const giveUp = { stepUp: () => Promise.resolve(false), pause: () => Promise.resolve() };

    it.each([
      ['was saved', json(200, { outcome: 'saved', savedAt: '2026-11-01T00:00:00Z' }), 'SAVED_BEFORE'],
      ['was not saved', json(200, { outcome: 'not-saved', savedAt: null }), 'NOT_CONFIRMED'],
      ['is not known', json(403, { errors: [{ code: 'NO', message: 'no' }] }), 'OUTCOME_UNKNOWN'],
    ])('is said to be what it is: it %s', async (_what, outcome, code) => {
      const { call, asked } = clientWith([lost(), challenge(), outcome], giveUp);
      expect((await call(calls.payInvoice, given)).errors?.[0]?.code).toBe(code);
      expect(asked.at(-1)!.url).toContain('change-outcomes');
    });

    it('also when the answer was lost to an earlier press with the same key', async () => {
      const idempotencyKey = 'k'.repeat(20);
      const { call } = clientWith([lost(), challenge(), json(200, { outcome: 'saved', savedAt: null })], {
        stepUp: () => Promise.resolve(false),
      });
      expect((await call(calls.payInvoice, given, { idempotencyKey })).errors?.[0]?.code).toBe('UNEXPECTED_ERROR');
      expect((await call(calls.payInvoice, given, { idempotencyKey })).errors?.[0]?.code).toBe('SAVED_BEFORE');
    });
  });

  it('is asked about once: a second refusal is the answer', async () => {
    const stepUp = vi.fn(() => Promise.resolve(true));
    const { call, asked } = clientWith([challenge(), challenge()], { stepUp });
    const answer = await call(calls.payInvoice, { account: 'A', invoiceId: '1', body: { amount: '1' } });
    expect(answer.errors?.[0]?.code).toBe('MFA_REQUIRED');
    expect([stepUp.mock.calls.length, asked.length]).toEqual([1, 2]);
  });

  it('a read that the person did not come back from is answered by its refusal', async () => {
    const { call } = clientWith([challenge()], { stepUp: () => Promise.resolve(false) });
    expect((await call(calls.listInvoices, { account: 'A' })).errors?.[0]?.code).toBe('MFA_REQUIRED');
  });

  it('a plain challenge is no step-up', async () => {
    const stepUp = vi.fn(() => Promise.resolve(false));
    const { call } = clientWith([json(401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' })], {
      stepUp,
      signOut: () => undefined,
    });
    await call(calls.listInvoices, { account: 'A' });
    expect(stepUp).not.toHaveBeenCalled();
  });
});

describe('a call whose answer does not come', () => {
  const unavailable = () =>
    new Response(JSON.stringify({ errors: [{ code: 'UNAVAILABLE', message: 'Not now', traceId: 'abc' }] }), { status: 503 });
  const patient = (answers: (Response | Error)[]) => {
    const pauses: number[] = [];
    const client = clientWith(answers, {
      pause: ms => {
        pauses.push(ms);
        return Promise.resolve();
      },
    });
    return { ...client, pauses };
  };

  it('is repeated, ever later, when it reads; nothing is reported that went well in the end', async () => {
    const { call, pauses, reports } = patient([unavailable(), new TypeError('Failed to fetch'), new Response('{"list":"short"}')]);
    expect(await call(calls.getPrices, {})).toEqual({ status: 200, data: { list: 'short' } });
    expect(pauses).toEqual([500, 2000]);
    expect(reports).toEqual([]);
  });

  it('is given up after three repetitions, and reported once', async () => {
    const { call, asked, reports } = patient([unavailable(), unavailable(), unavailable(), unavailable()]);
    expect((await call(calls.getPrices, {})).status).toBe(503);
    expect([asked.length, reports.length]).toEqual([4, 1]);
  });

  it('asks with its key whether a change was done, and does not repeat a change without one', async () => {
    const given = { account: 'EXAMPLE-AU', invoiceId: '1', body: { amount: '1.00' } };
    const keyed = patient([new TypeError('Failed to fetch'), new Response(null, { status: 204 })]);
    expect((await keyed.call(calls.payInvoice, given, { idempotencyKey: 'one-and-the-same' })).status).toBe(204);
    expect([0, 1].map(index => keyed.headers(index)['idempotency-key'])).toEqual(['one-and-the-same', 'one-and-the-same']);
    const own = patient([new TypeError('Failed to fetch'), new Response(null, { status: 204 })]);
    expect((await own.call(calls.payInvoice, given)).status).toBe(204);
    expect(own.headers(0)['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(own.headers(1)['idempotency-key']).toBe(own.headers(0)['idempotency-key']);
    // Without a sign-in no keys are remembered.
    const nobody = clientWith([new TypeError('Failed to fetch')], { token: () => null, pause: () => Promise.resolve() });
    expect((await nobody.call(calls.payInvoice, given)).status).toBe(500);
    expect([nobody.asked.length, nobody.headers()['idempotency-key']]).toEqual([1, undefined]);
  });

  describe('and stays away', () => {
    const given = { account: 'EXAMPLE-AU', invoiceId: '1', body: { amount: '1.00' } };
    const cut = () => new TypeError('Failed to fetch');
    const outcome = (outcome: string) => json(200, { outcome, savedAt: null });
    const paused = () => json(503, { errors: [{ code: 'CHANGES_PAUSED', message: 'Not now', traceId: 'abc' }] });
    const settlingClient = (answers: (Response | Error)[]) => {
      const events: unknown[] = [];
      const client = clientWith(answers, {
        pause: () => Promise.resolve(),
        unsure: ({ endpoint }) => events.push(`unsure about ${endpoint}`),
        settled: (_, what) => events.push(what),
      });
      return { ...client, events, urls: () => client.asked.map(({ url }) => url) };
    };

    it('is asked about until the registry answers: a saved change answers what it answered first', async () => {
      const { call, events, urls, asked, headers } = settlingClient([
        cut(),
        cut(),
        cut(),
        cut(),
        cut(),
        unavailable(),
        outcome('saved'),
        new Response(null, { status: 204 }),
      ]);
      expect(await call(calls.payInvoice, given)).toEqual({ status: 204, data: undefined });
      expect(events).toEqual(['unsure about billing.payInvoice', 'saved']);
      const pay = '/api/EXAMPLE-AU/invoices/1/pay';
      expect(urls()).toEqual([...Array<string>(4).fill(pay), ...Array<string>(3).fill('/api/change-outcomes'), pay]);
      expect(JSON.parse(asked[4]!.init.body as string)).toEqual({ endpoint: 'billing.payInvoice', key: headers(0)['idempotency-key'] });
    });

    it('is said not to be saved when it was not, once and in words', async () => {
      const { call, events, reports } = settlingClient([cut(), cut(), cut(), cut(), outcome('not-saved')]);
      expect(await call(calls.payInvoice, given)).toMatchObject({
        status: 503,
        errors: [{ code: 'NOT_SAVED', message: expect.stringMatching(/^Your change was not saved/) }],
      });
      expect([events.at(-1), reports.length]).toEqual(['not-saved', 1]);
    });

    it('is said to be unknown after ten minutes', async () => {
      const { call, events, asked } = settlingClient(Array.from({ length: 124 }, cut));
      expect(await call(calls.payInvoice, given)).toMatchObject({ errors: [{ code: 'OUTCOME_UNKNOWN' }] });
      expect([events.at(-1), asked.length]).toEqual([null, 124]);
    });

    it('is neither repeated nor asked about when the registry said that nothing can be changed, nor when the caller gave it up', async () => {
      const refused = settlingClient([paused()]);
      expect(await refused.call(calls.payInvoice, given)).toMatchObject({ errors: [{ code: 'CHANGES_PAUSED' }] });
      expect([refused.events, refused.asked.length]).toEqual([[], 1]);
      const abort = new AbortController();
      const left = settlingClient([cut()]);
      abort.abort();
      expect((await left.call(calls.payInvoice, given, { signal: abort.signal })).status).toBe(299);
      expect(left.events).toEqual([]);
    });
  });

  it('is not repeated for a refusal, or by a client that waits for nothing', async () => {
    const refused = patient([new Response(JSON.stringify({ errors: [] }), { status: 409 })]);
    expect((await refused.call(calls.getPrices, {})).status).toBe(409);
    const hasty = clientWith([unavailable()]);
    expect((await hasty.call(calls.getPrices, {})).status).toBe(503);
  });
});
