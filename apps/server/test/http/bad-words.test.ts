import { type Endpoint, isUpload } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { errorsOf } from '@portal/contract/declared-errors';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../portal.ts';
import { staffFor, staffPeople } from '../staff-for.ts';
import { type ServedPortal, servedPortal } from '../processes/served-portal.ts';
import { opened, type Schema, valueOf, type WithWord, withNumber, withWord } from './words-in-schemas.ts';

/** Text that no database can store: refused on input, anywhere. */
const refusedWords = { 'a NUL': 'a\0b', 'half of a surrogate pair': 'a\ud800b' };
/** Text at the limits of what databases count, date and store: a call may refuse it with a declared error. */
const extremeWords = ['x'.repeat(20_000), '🦘'.repeat(600), '0000-01-01', '0000-01-01T00:00:00Z', '9999-12-31', '9'.repeat(40)];
/** Ordinary text that only looks strange: one of it for each call, another for the call after it. */
const strangeWords = ['x', 'a\u2028b\u2029c', '１９２．０．２．０／２４ ＭＡＩＮＴ＠ｅｘ', '<img src=x onerror=alert(1)>"\'`${7*7}%s\\'];
/** Numbers at the limits of databases and languages. */
const numbers = [-1, 0, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308];
/** Words and numbers of any kind, other ones for each place of each call. `FUZZ_SEED=7 FUZZ_WORDS=50` tries others, and more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const drawnWords = Number(process.env['FUZZ_WORDS'] ?? 1);
const anyWord = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.date({ noInvalidDate: true }).map(day => day.toISOString()),
  fc.ipV4(),
  fc.ipV6(),
);
const anyNumber = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));

type Call = { url: string; body?: unknown; place: string; in: 'path' | 'query' | 'body' };

/** Encodes a word for an address: a lone surrogate as the bytes that a careless program would send. */
const encoded = (word: string): string => (word.isWellFormed() ? encodeURIComponent(word) : 'a%ED%A0%80b');

const whoMay = ({ access }: Endpoint): { as: string; account: string } =>
  access.who === 'member' && access.accounts === 'nir'
    ? { as: 'nils', account: 'NATREG-XX' }
    : { as: access.who === 'staff' ? staffFor(access.permissions) : 'corin', account: 'EXAMPLE-AU' };

/** An address of the endpoint with everything in it that there is by these names, but for one. */
function addressOf(endpoint: Endpoint, name?: string, word = ''): string {
  return endpoint.path.replace(/:(\w+)/g, (_, each: string) =>
    each === name ? encoded(word) : each.startsWith('account') ? whoMay(endpoint).account : '1',
  );
}

function queryOf(value: unknown): string {
  const pairs = Object.entries(value as Record<string, unknown>).flatMap(([name, each]) =>
    [each].flat().map(one => `${encoded(name)}=${encoded(String(one))}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const addressWithQuery = (endpoint: Endpoint): string =>
  addressOf(endpoint) + (endpoint.query ? queryOf(valueOf(opened(endpoint.query))) : '');
const bodyOf = ({ body }: Endpoint): unknown => (body && !isUpload(body) ? valueOf(opened(body)) : undefined);

/**
 * The calls of an endpoint with a value at each place of its query and its body in turn. `isTaken`: only those that the schemas of the contract take. What these
 * refuse, the border refuses before the call begins, by the same schemas: the calls with an empty body show that it asks them.
 */
function callsAt(endpoint: Endpoint, placesIn: (schema: Schema) => WithWord[], isTaken: boolean): Call[] {
  const { query, body } = endpoint;
  const taken = (schema: Schema) => placesIn(schema).filter(({ value }) => !isTaken || schema.safeParse(value).success);
  return [
    ...(query ? taken(opened(query)) : []).map(
      ({ place, value }): Call => ({
        url: addressOf(endpoint) + queryOf(value),
        body: bodyOf(endpoint),
        place: place.split('.')[0]!,
        in: 'query',
      }),
    ),
    ...(body && !isUpload(body) ? taken(opened(body)) : []).map(
      ({ place, value }): Call => ({ url: addressWithQuery(endpoint), body: value, place: place || 'body', in: 'body' }),
    ),
  ];
}

/** The calls of an endpoint with the word at each place of its path in turn. */
const callsInPath = (endpoint: Endpoint, word: string): Call[] =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map(
    ([, name]): Call => ({ url: addressOf(endpoint, name, word), body: bodyOf(endpoint), place: name!, in: 'path' }),
  );

/** The number of calls that are under way together: no call waits for another, so a defect of one is not another's. */
const TOGETHER = 8;

describe('text that no database stores, and text that is merely strange, in every place of every call', () => {
  let portal: TestPortal;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    portal = await testPortal();
    // Each call finds the registry in the same state.
    Object.assign(portal.db, { change: portal.db.rehearse });
    for (const name of ['corin', 'nils', ...staffPeople]) tokens.set(name, await portal.tokenOf(name));
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const answerTo = async (endpoint: Endpoint, { url, body }: Call) => {
    const answer = await portal.request(url, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${tokens.get(whoMay(endpoint).as)!}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const errors = answer.ok ? [] : ((await answer.json()) as { errors: { code: string; field?: string }[] }).errors;
    return { status: answer.status, errors };
  };

  /** Makes calls and returns what is wrong with their answers, each with its endpoint, its place and its words. */
  const findings = async (
    calls: Iterable<{ endpoint: Endpoint; call: Call; word: string | number }>,
    isWrong: (answer: { status: number; field: string | undefined; undeclared: boolean }, call: Call) => boolean,
  ): Promise<string[]> => {
    const wrong: string[] = [];
    const waiting = calls[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        const { endpoint, call, word } = next.value;
        const { status, errors } = await answerTo(endpoint, call);
        const declared = new Set<string>(errorsOf(endpoint));
        const undeclared = errors.some(({ code }) => !declared.has(code));
        if (isWrong({ status, field: errors[0]?.field, undeclared }, call))
          wrong.push(
            `${endpoint.id} with ${JSON.stringify(word).slice(0, 80)} in ${call.in} ${call.place}: ${status} ${errors.map(({ code, field }) => `${code} ${field}`).join()}`,
          );
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, work));
    return wrong;
  };
  const isDefect = ({ status, undeclared }: { status: number; undeclared: boolean }): boolean => status >= 500 || undeclared;

  test('what no database can keep is refused, and its place is named', async () => {
    const calls = allEndpoints.flatMap(endpoint =>
      Object.values(refusedWords).flatMap(word =>
        [...callsInPath(endpoint, word), ...callsAt(endpoint, schema => withWord(schema, word), false)].map(call => ({
          endpoint,
          call,
          word,
        })),
      ),
    );
    const isWellFormed = ({ url }: Call): boolean => !url.includes('%ED%A0%80');
    expect(
      await findings(calls, ({ status, field, ...more }, call) => {
        // Bytes that are not UTF-8 are no address; in a query, decoding turns them into a replacement character.
        if (!isWellFormed(call)) return call.in === 'path' ? status !== 404 : isDefect({ status, ...more });
        return status !== 400 || field !== call.place;
      }),
    ).toEqual([]);
  });

  test('any other word and any number is taken, or refused with an error that the call declares', async () => {
    let place = 0;
    /** Values drawn for this place, and for no other one. */
    const drawn = <T>(of: fc.Arbitrary<T>): T[] => fc.sample(of, { seed: seed * 1_000_000 + place++, numRuns: drawnWords });
    const calls = allEndpoints.flatMap((endpoint, at) => {
      const words = [...extremeWords, strangeWords[at % strangeWords.length]!, ...drawn(anyWord)];
      const inPath = words.filter(word => word !== '' && word.isWellFormed() && encodeURIComponent(word).length <= 300);
      return [
        {
          endpoint,
          word: '{}',
          call: { url: addressOf(endpoint), body: endpoint.method === 'GET' ? undefined : {}, place: '', in: 'body' } as Call,
        },
        ...inPath.flatMap(word =>
          callsInPath(endpoint, word)
            // All accounts are found, or not, by one function.
            .filter(({ place: name }) => name !== 'account')
            .map(call => ({ endpoint, call, word })),
        ),
        ...words.flatMap(word => callsAt(endpoint, schema => withWord(schema, word), true).map(call => ({ endpoint, call, word }))),
        ...[...numbers, ...drawn(anyNumber)].flatMap(number =>
          callsAt(endpoint, schema => withNumber(schema, number), true).map(call => ({ endpoint, call, word: number })),
        ),
      ];
    });
    expect(calls.length).toBeGreaterThan(3000);
    expect(await findings(calls, isDefect)).toEqual([]);
  });

  test('a strange account, and a part of an address that is too long, are the same to every kind of access', async () => {
    const oneOfEach = [
      ...new Map(allEndpoints.filter(({ path }) => path.includes('/:account')).map(each => [each.access.who, each])).values(),
    ];
    const calls = oneOfEach.flatMap(endpoint =>
      [...extremeWords, ...strangeWords].flatMap(word => callsInPath(endpoint, word).map(call => ({ endpoint, call, word }))),
    );
    expect(await findings(calls, answer => isDefect(answer) || answer.status < 400)).toEqual([]);
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
