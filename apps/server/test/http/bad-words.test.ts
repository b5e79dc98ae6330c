import { type Endpoint, isUpload } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { errorsOf } from '@portal/contract/declared-errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../portal.ts';
import { type ServedPortal, servedPortal } from '../processes/served-portal.ts';
import { opened, valueOf, withNumber, withWord } from './words-in-schemas.ts';

/** Text that no database can store: refused on input, anywhere. */
const refusedWords = { 'a NUL': 'a\0b', 'half of a surrogate pair': 'a\ud800b' };
/** Ordinary text: a call may refuse it with a declared error. */
const otherWords = {
  'a line separator': 'a\u2028b\u2029c',
  'full-width letters': '１９２．０．２．０／２４ ＭＡＩＮＴ＠ｅｘ',
  'very much': 'x'.repeat(20_000),
  'emoji in plenty': '🦘'.repeat(600),
  'a day before the calendar': '0000-01-01',
  'a moment before the calendar': '0000-01-01T00:00:00Z',
  'the last day': '9999-12-31',
  'more digits than any number': '9'.repeat(40),
  markup: '<img src=x onerror=alert(1)>"\'`${7*7}%s\\',
};
const words = { ...refusedWords, ...otherWords };
/** Numbers at the limits of databases and languages. */
const numbers = [-1, 0, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308];

type Call = { url: string; body?: unknown; place: string; in: 'path' | 'query' | 'body' };

/** Encodes a word for an address: a lone surrogate as the bytes that a careless program would send. */
const encoded = (word: string): string => (word.isWellFormed() ? encodeURIComponent(word) : 'a%ED%A0%80b');

/** An address of the endpoint with everything in it that there is by these names, but for one. */
function addressOf(endpoint: Endpoint, name?: string, word = ''): string {
  return endpoint.path.replace(/:(\w+)/g, (_, each: string) =>
    each === name ? encoded(word) : each.startsWith('account') ? 'EXAMPLE-AU' : '1',
  );
}

function queryOf(value: unknown): string {
  const pairs = Object.entries(value as Record<string, unknown>).flatMap(([name, each]) =>
    [each].flat().map(one => `${encoded(name)}=${encoded(String(one))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The call of an endpoint with the number at each place in turn. */
function callsWithNumber(endpoint: Endpoint, number: number): Call[] {
  const { query, body } = endpoint;
  const plain = addressOf(endpoint) + (query ? queryOf(valueOf(opened(query))) : '');
  const isBody = body && !isUpload(body);
  return [
    ...(query ? withNumber(opened(query), number) : []).map(
      ({ place, value }): Call => ({
        url: addressOf(endpoint) + queryOf(value),
        body: isBody ? valueOf(opened(body)) : undefined,
        place,
        in: 'query',
      }),
    ),
    ...(isBody ? withNumber(opened(body), number) : []).map(({ place, value }): Call => ({ url: plain, body: value, place, in: 'body' })),
  ];
}

/** The call of an endpoint with the word at each place in turn. */
function callsWith(endpoint: Endpoint, word: string): Call[] {
  const { path, query, body } = endpoint;
  const plain = addressOf(endpoint) + (query ? queryOf(valueOf(opened(query))) : '');
  const plainBody = body && !isUpload(body) ? valueOf(opened(body)) : undefined;
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(
      ([, name]): Call => ({ url: addressOf(endpoint, name, word), body: plainBody, place: name!, in: 'path' }),
    ),
    ...(query ? withWord(opened(query), word) : []).map(
      ({ place, value }): Call => ({
        url: addressOf(endpoint) + queryOf(value),
        body: plainBody,
        place: place.split('.')[0]!,
        in: 'query',
      }),
    ),
    ...(plainBody === undefined ? [] : withWord(opened(body), word)).map(
      ({ place, value }): Call => ({ url: plain, body: value, place: place || 'body', in: 'body' }),
    ),
  ];
}

describe('text that no database stores, and text that is merely strange, in every place of every call', () => {
  let portal: TestPortal;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    portal = await testPortal();
    // Each call finds the registry in the same state.
    Object.assign(portal.db, { change: portal.db.rehearse });
    for (const name of ['corin', 'stella']) tokens.set(name, await portal.tokenOf(name));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const answerTo = async (endpoint: Endpoint, { url, body }: Call) => {
    const token = tokens.get(endpoint.access.who === 'staff' ? 'stella' : 'corin')!;
    const answer = await portal.request(url, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const errors = answer.ok ? [] : ((await answer.json()) as { errors: { code: string; field?: string }[] }).errors;
    return { status: answer.status, errors };
  };

  test.each(allEndpoints)('$id', async endpoint => {
    const declared = new Set<string>(errorsOf(endpoint));
    const wrong: string[] = [];
    for (const [name, word] of Object.entries(words))
      for (const call of callsWith(endpoint, word)) {
        const { status, errors } = await answerTo(endpoint, call);
        const finding = `${name} in ${call.in} ${call.place}: ${status} ${errors.map(({ code, field }) => `${code} ${field}`).join()}`;
        // Bytes that are not UTF-8 are not a valid address.
        const isNoAddress = call.in === 'path' && !word.isWellFormed();
        // Decoding an address turns bytes that are not UTF-8 into a replacement character.
        const isRefused = name in refusedWords && !isNoAddress && (call.in !== 'query' || word.isWellFormed());
        if (isNoAddress ? status !== 404 : status >= 500 || errors.some(({ code }) => !declared.has(code))) wrong.push(finding);
        else if (isRefused && (status !== 400 || errors[0]?.field !== call.place)) wrong.push(finding);
      }
    for (const number of numbers)
      for (const call of callsWithNumber(endpoint, number)) {
        const { status, errors } = await answerTo(endpoint, call);
        if (status >= 500 || errors.some(({ code }) => !declared.has(code)))
          wrong.push(`${number} in ${call.in} ${call.place}: ${status} ${errors.map(({ code, field }) => `${code} ${field}`).join()}`);
      }
    expect(wrong).toEqual([]);
  });
});

describe('a NUL at addresses outside the contract', () => {
  let portal: ServedPortal;
  beforeAll(async () => {
    portal = await servedPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const nul = 'a%00b';

  test('is refused in every part of the address of every page and file', async () => {
    const addresses = portal.routes.filter(
      ({ method, url }) => ['GET', 'POST'].includes(method) && /[:*]/.test(url) && !url.startsWith('/api/'),
    );
    expect(addresses.length).toBeGreaterThan(20);
    const answers = await Promise.all(
      addresses.map(async ({ method, url }) => {
        const address = url.replaceAll(/:\w+|\*$/g, nul);
        return [method, url, (await portal.ask(address, { method })).status];
      }),
    );
    expect(answers.filter(([, , status]) => status !== 400)).toEqual([]);
  });

  test.each([
    '/rdap/entity/a%00b',
    '/rdap/entities?fn=a%00b*',
    '/rdap/entities?handle=ab%00*',
    '/rdap/domains?name=a%00b*',
    '/rdap/ips?name=ab%00*',
    '/rdap/ips?handle=ab%00*',
    '/rdap/autnums?name=ab%00*',
    '/rdap/domain/a%00b.in-addr.arpa',
    '/account/freeze?code=a%00b',
    '/account/unsubscribe?code=a%00b',
    '/account/new-password?code=a%00b',
    '/account/confirm-registration?code=a%00b',
    '/irt-validation?code=a%00b',
    '/oidc/auth?client_id=portal&response_type=code&scope=openid&state=a%00b',
    '/oidc/auth/a%00b',
    '/?state=a%00b',
  ])('is refused at %s', async address => {
    const { status, body } = await portal.ask(address);
    expect(`${status} ${body}`).toMatch(/^400 [^]*NUL/);
  });

  test.each([
    ['/account/reset', 'username=corin%00'],
    ['/account/reset', 'username%00=corin'],
    ['/account/register', 'fullName=a&email=a%00b%40example.net'],
    ['/account/new-password', 'code=a%00b&password=b'],
    ['/account/freeze', 'code=a%00b'],
    ['/irt-validation', 'code=a%00b'],
    ['/sign-in/x/password', 'username=a%00b&password=c%00d'],
    ['/auth/backchannel-logout', 'logout_token=a%00b'],
  ])('is refused in a form for %s: %s', async (address, body) => {
    const answer = await portal.ask(address, { method: 'POST', headers: form, body });
    expect(`${answer.status} ${answer.body}`).toMatch(/^400 [^]*NUL/);
  });

  test('is not a defect in the one form that the OpenID provider parses itself', async () => {
    const body = 'grant_type=authorization_code&client_id=a%00b&code=a%00b&redirect_uri=a%00b&code_verifier=a%00b';
    expect((await portal.ask('/oidc/token', { method: 'POST', headers: form, body })).status).toBeLessThan(500);
  });
});
