import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { html } from '../../platform/http/html.ts';
import type { PublicRecord } from '../records/index.ts';
import { abuseCsv, addressIn, MAX_ADDRESSES, readAbuseList, whyUnread } from './abuse-list.ts';
import { type NumbersAnswer, numbersPage } from './answer-page.ts';
import { countFacet, meets, readNameQuery, searchAddress } from './name-query.ts';
import { sectionParts } from './numbers-part.ts';
import { lineOf, piecesOf, readQuery } from './query-form.ts';
import { longestTurnOf } from '../../../test/thread-costs.ts';

/** The longest, in ms of processor time, for which a list holds up everything else. */
const MAX_MS = 5;

describe('a list of addresses', () => {
  test.each([
    ['198.18.12.7', '198.18.12.7'],
    ['08:14:22 sshd[411]: Failed password for root from 198.18.12.7 port 22', '198.18.12.7'],
    ['198.18.12.7:443 -> 192.0.2.1', '198.18.12.7'],
    ['2026-11-27T05:13:00Z,2001:db8:4c00:1::5,25,spam', '2001:db8:4c00:1::5'],
    ['"198.18.0.0/24";spam', '198.18.0.0/24'],
    ['client=[2001:db8::5].', '2001:db8::5'],
    ['scan from 198.18.64[.]7 and more', '198.18.64.7'],
    ['hxxps://198.18.64(.)7/login?x=1', '198.18.64.7'],
    ['2001:db8[:]:5', '2001:db8::5'],
    ['08:14 no address', null],
    ['999.1.1.1', null],
    ['version 1.2.3', null],
  ])('of the line %j the address is %j', (line, address) => expect(addressIn(line)).toBe(address));
  test.each([
    ['blocked 198.18.64.300 today', '198.18.64.300 isn’t an address'],
    ['AS64500 again', 'AS64500 is an AS number: look it up alone'],
    ['nothing', 'No address'],
  ])('of the line %j, none is found because %j', (line, why) => expect(whyUnread(line)).toBe(why));
  test('has each address once, with its lines', () =>
    expect(readAbuseList('198.18.12.7\r\n\n198.18.12.7 again\nnothing\n10.0.0.4')).resolves.toEqual({
      addresses: [
        { address: '198.18.12.7', lines: 2 },
        { address: '10.0.0.4', lines: 1 },
      ],
      lines: 4,
      without: 1,
      unread: [{ line: 4, text: 'nothing', why: 'No address' }],
    }));
  test.each([
    ['colons', `${':'.repeat(524_000)}x`, 1],
    ['short lines', 'a\n'.repeat(262_000), 262_000],
    ['blank lines', '\n'.repeat(524_000), 0],
    ['words', 'a:b '.repeat(131_000), 1],
    [
      'addresses, of which those beyond the limit are not read',
      Array.from({ length: 40_000 }, (_, n) => `10.${n >> 8}.${n & 255}.1`).join('\n'),
      MAX_ADDRESSES + 1,
    ],
  ])('of the largest size, of %s, it holds up nothing', async (_, text, lines) => {
    const longest = await longestTurnOf(MAX_MS, async () => {
      expect(await readAbuseList(text)).toMatchObject({ lines });
    });
    expect(longest).toBeLessThan(MAX_MS);
  });
  test('is written as CSV whose cells keep their commas', () =>
    expect(
      abuseCsv([{ address: '10.0.0.4', lines: 1, network: null, holder: null, mailbox: null, note: 'Private, "RFC 1918"' }], {
        unread: [{ line: 3, text: '=cmd', why: 'No address' }],
        without: 2,
      }),
    ).toBe(
      'address,lines,abuse_mailbox,network,holder,note\r\n10.0.0.4,1,,,,"Private, ""RFC 1918"""\r\n,1,,,,Line 3: No address: =cmd\r\n,1,,,,More lines without an address\r\n',
    ));
});

describe('a query of the form', () => {
  test('is a command whose pieces say what they do', () => {
    const pieces = piecesOf({ flags: ['-M', '-T inetnum,route', '-r'], key: '198.18.0.0/19' }, 'whois.example.net');
    expect(pieces.map(({ text }) => text).join(' ')).toBe("whois -h whois.example.net -- '-M -T inetnum,route -r 198.18.0.0/19'");
    expect(pieces.map(({ does }) => does).slice(3)).toEqual(['all below', 'types', 'no contacts', 'asked for']);
    expect(piecesOf({ flags: [], key: 'AS64500' }, 'whois.example.net').at(-1)).toEqual({ text: "'AS64500'", does: 'asked for' });
  });
  test('is the line that port 43 takes', () => {
    const query = readQuery({ key: ' 198.18.12.0/23 ', level: '-M', types: 'inetnum, ROUTE', brief: '1' });
    expect(query && 'key' in query && lineOf(query)).toBe('-M -T inetnum,route -r 198.18.12.0/23');
    expect(readQuery({ key: '198.18.0.0 - 198.18.0.255' })).toMatchObject({ key: '198.18.0.0 - 198.18.0.255', flags: [] });
    expect(readQuery({ key: '  ' })).toBeNull();
  });
  test.each([
    [{ key: '-k x' }, 'The key has a flag in it.'],
    [{ key: 'x -V proxy,192.0.2.1' }, 'The key has a flag in it.'],
    [{ key: 'x', level: '-q' }, '“-q” is no level.'],
    [{ key: 'x', types: 'inetnum,person;drop' }, '“person;drop” is no object type.'],
    [{ key: 'x'.repeat(256) }, 'That is longer than 255 characters.'],
  ])('%j is refused', (fields, why) => expect(readQuery(fields)).toMatchObject({ wrong: { why } }));
});

describe('a search by names', () => {
  test.each([
    [{ q: 'ab' }, 'That is too short.'],
    [{ q: 'x'.repeat(256) }, 'That is longer than 255 characters.'],
    [{ q: 'abc', type: 'person' }, '“person” isn’t searched.'],
    [{ q: 'abc', economy: 'AUS' }, 'That is no economy.'],
    [{ q: 'abc', source: 'radb' }, 'Objects of the source “RADB” aren’t kept here.'],
  ])('%j is refused', (fields, why) => expect(readNameQuery(fields, ['EXAMPLE'])).toMatchObject({ wrong: { why } }));
  test('is nothing without a text', () =>
    expect([readNameQuery({}, ['EXAMPLE']), readNameQuery({ q: ['a'] }, ['EXAMPLE'])]).toEqual([null, null]));
  test('counts a facet among what meets the others', () => {
    const hit = (shown: string, economy: string, status: string, ...maintainers: string[]) => ({
      class: 'inetnum' as const,
      shown,
      name: 'N',
      economy,
      status,
      maintainers,
      description: null,
      source: 'EXAMPLE',
      address: '/whois/x',
    });
    const hits = [hit('a', 'AU', 'ALLOCATED', 'MNT-A'), hit('b', 'AU', 'ASSIGNED', 'MNT-A', 'MNT-B'), hit('c', 'NZ', 'ASSIGNED', 'MNT-B')];
    expect(countFacet(hits, { economy: 'AU' }, 'maintainer')).toEqual([
      { value: 'MNT-A', count: 2 },
      { value: 'MNT-B', count: 1 },
    ]);
    expect(countFacet(hits, { economy: 'AU' }, 'status')).toEqual([
      { value: 'ALLOCATED', count: 1 },
      { value: 'ASSIGNED', count: 1 },
    ]);
    expect(countFacet(hits, { economy: 'AU' }, 'economy')).toEqual([
      { value: 'AU', count: 2 },
      { value: 'NZ', count: 1 },
    ]);
    expect(hits.filter(each => meets(each, { economy: 'AU', status: 'ASSIGNED' })).map(({ shown }) => shown)).toEqual(['b']);
    expect(searchAddress('a&b', { type: 'inetnum' })).toBe('/whois/search?q=a%26b&type=inetnum');
    expect(searchAddress('a', { type: 'inetnum' }, 2)).toBe('/whois/search?q=a&type=inetnum&page=2');
  });
});

describe.each(kindsForRules)('tools of the public whois on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
  const post = (payload: string, type: string) =>
    portal.http.inject({ method: 'POST', url: '/whois/abuse', payload, headers: { host: 'portal.test', 'content-type': type } });
  const form = (fields: Record<string, string>) => post(String(new URLSearchParams(fields)), 'application/x-www-form-urlencoded');

  test('a query with flags has its answer, and the line for port 43', async () => {
    const { statusCode, headers, body } = await get('/whois/query?key=198.18.0.0%2F19&level=-x&types=inetnum&brief=1');
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('-- &#39;-x -T inetnum -r 198.18.0.0/19&#39;');
    expect(body).toContain('<span class="name">inetnum:</span>');
    const text = await get('/whois/query?key=198.18.0.0%2F19&level=-x&types=inetnum&brief=1&as=text');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.body).toMatch(/^inetnum: +198\.18\.0\.0 - 198\.18\.31\.255$/m);
    expect(text.body).not.toMatch(/^(route|person):/m);
  });

  test('versions of an object are what port 43 lists', async () => {
    const { statusCode, body } = await get('/whois/query?key=AS64500&versions=1&as=text');
    expect(statusCode).toBe(200);
    expect(body).toMatch(/\d{4}-\d\d-\d\d/);
  });

  test.each([
    ['/whois/query?key=NO-SUCH-NAME', 404, 'No entries found'],
    ['/whois/query?key=x&types=nothing', 400, 'is no object type'],
    ['/whois/query', 200, 'Run query'],
    ['/whois/abuse', 200, 'Find contacts'],
  ])('%s is answered %d with words', async (url, status, words) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(status);
    expect(body).toContain(words);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  });

  test('a list of log lines gets the contacts for abuse reports, and says why others have none', async () => {
    const list = 'sshd: 198.18.12.7\nsshd: 198.18.12.7\n8.8.8.8\n10.0.0.4\nnothing';
    const { statusCode, body } = await form({ list, as: 'page' });
    expect(statusCode).toBe(200);
    expect(body).toContain('href="mailto:abuse@example-au.example?subject=Abuse%20report%3A%20198.18.12.7&amp;body=');
    expect(body).toContain('5 lines, 3 different addresses, 1 line without one');
    expect(body).toContain('8.8.8.8 is registered with ARIN');
    expect(body).toContain('it has no holder');
    const csv = await post(list, 'text/plain');
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body.split('\r\n').slice(0, 2)).toEqual([
      'address,lines,abuse_mailbox,network,holder,note',
      expect.stringMatching(/^198\.18\.12\.7,2,abuse@example-au\.example,.*,Example Networks Pty Ltd,$/),
    ]);
    expect(csv.body).toContain('\r\n,1,,,,Line 5: No address: nothing\r\n');
    // The same result as a file: the list is still in the box, and a button of the result sends it.
    expect(body).toContain(`${list}</textarea>`);
    expect(body).toMatch(/<button class="btn plain" form="abuse-list" name="as" value="csv">Get as CSV<\/button><\/span><\/header>/);
    expect(body).toContain('Lines that couldn’t be read');
    expect(body).toMatch(/<th scope="row" class="num">5<\/th><td class="mono">nothing<\/td>/);
    expect(body).toContain('Example Networks Pty Ltd');
    await portal.db.change({ action: 'test.pools', summary: 'Added a free block', traceId: 'd'.repeat(32) }, change =>
      change.rows(sql`insert into pool (kind, first, last, resource, size, state, registry)
        values ('ipv4', '198.19.171.0', '198.19.171.255', '198.19.171.0/24', 256, 'available', '')`),
    );
    expect((await post('198.19.171.4', 'text/plain')).body).toContain('not delegated to anyone');
  });

  test('a list without addresses, or with too many, is refused with what is right', async () => {
    const none = await form({ list: 'nothing here', as: 'page' });
    expect([none.statusCode, none.body.includes('No line has an address.')]).toEqual([400, true]);
    const many = Array.from({ length: MAX_ADDRESSES + 1 }, (_, place) => `198.18.${place >> 8}.${place & 255}`).join('\n');
    const refused = await post(many, 'text/csv');
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      'The list has more than 1000 different addresses. Send at most 1000 at a time.\n',
    ]);
    expect((await post('x'.repeat(600_000), 'text/plain')).statusCode).toBe(413);
  });

  test('what was sent is shown as text, never as markup', async () => {
    const { body } = await form({ list: '</textarea><script>alert(1)</script>', as: 'page' });
    expect(body).not.toContain('<script>alert');
  });

  test('names are found by their beginnings, by type, economy and status, and people are not', async () => {
    const { statusCode, headers, body } = await get('/whois/search?q=example');
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatch(/href="\/whois\/search\?q=example&amp;type=inetnum">inetnum<\/a>/);
    const all = (await get('/whois/search?q=example&as=json')).json<{
      hits: { type: string; shown: string; economy: string | null }[];
      isCut: boolean;
    }>();
    expect(all.isCut).toBe(false);
    expect(all.hits.length).toBeGreaterThan(2);
    const types = new Set(all.hits.map(({ type }) => type));
    expect(types.has('person') || types.has('role')).toBe(false);
    expect(body).not.toMatch(/<td class="quiet">(?:person|role)</);
    const some = (await get('/whois/search?q=example&type=inetnum&economy=AU&as=json')).json<typeof all>();
    expect(some.hits.length).toBeGreaterThan(0);
    expect(some.hits.every(({ type, economy }) => type === 'inetnum' && economy === 'AU')).toBe(true);
    expect(some.hits.length).toBeLessThan(all.hits.length);
    // Each object says where it is kept, and one of another source is refused, not answered with ours.
    const ours = (await get('/whois/search?q=example&source=example&as=json')).json<{ hits: { source: string }[] }>();
    expect(ours.hits).toHaveLength(all.hits.length);
    expect([...new Set(ours.hits.map(({ source }) => source))]).toEqual(['EXAMPLE']);
    expect(body).toMatch(/href="\/whois\/search\?q=example&amp;source=EXAMPLE">EXAMPLE<\/a><span class="quiet">\d+/);
    const foreign = await get('/whois/search?q=example&source=RADB&as=json');
    expect([foreign.statusCode, foreign.json()]).toEqual([400, { error: expect.stringContaining('aren’t kept here') }]);
    // Signs of patterns are characters of names.
    expect((await get('/whois/search?q=%25%25%25&as=json')).json()).toEqual({ hits: [], isCut: false });
    expect((await get('/whois/search?q=e_a&as=json')).json()).toEqual({ hits: [], isCut: false });
    // Words of descriptions are found, and what has many objects has pages.
    const worded = (await get('/whois/search?q=networks&as=json')).json<{ hits: { maintainers: string[] }[] }>();
    expect(worded.hits.length).toBeGreaterThan(0);
    const maintainer = worded.hits.flatMap(({ maintainers }) => maintainers)[0]!;
    const ofOne = (await get(`/whois/search?q=networks&maintainer=${maintainer.toLowerCase()}&as=json`)).json<typeof worded>();
    expect(ofOne.hits.length).toBeGreaterThan(0);
    expect(ofOne.hits.every(({ maintainers }) => maintainers.includes(maintainer))).toBe(true);
    expect((await get('/whois/search?q=example&page=999')).statusCode).toBe(200);
    // No person by what is personal.
    const person = (
      await portal.db.read.rows<{ shown: string; name: string; mail: string }>(
        sql`select shown, substring(text from '(?n)^person:\\s*(.*)$') as name, substring(text from '(?n)^e-mail:\\s*(\\S+)') as mail from whois_object where class = 'person' order by object_id limit 1`,
      )
    )[0]!;
    for (const asked of [person.name, person.mail])
      expect((await get(`/whois/search?q=${encodeURIComponent(asked)}&as=json`)).body).not.toContain(`"${person.shown}"`);
    expect((await get('/whois/search?q=ab')).statusCode).toBe(400);
    expect((await get('/whois/search')).body).not.toContain('noindex');
    expect((await get(`/whois/search?q=${encodeURIComponent('<script>x')}`)).body).not.toContain('<script>x');
    expect((await get('/whois/NO-SUCH-NAME')).body).toContain('href="/whois/search?q=NO-SUCH-NAME"');
  });

  test('a word that names nothing shows the objects that have it, marked, with the choices of the search', async () => {
    const { statusCode, body } = await get('/whois/northwind');
    expect(statusCode).toBe(200);
    expect(body).toContain('<mark>NORTHWIND</mark>');
    expect(body).toContain('href="/whois/search?q=northwind&amp;type=inetnum"');
    const { hits } = (await get('/whois/search?q=northwind&as=json')).json<{ hits: unknown[] }>();
    expect(body).toContain(`<h2 id="hits">${hits.length} objects</h2>`);
    expect((await get('/whois/northwind?as=text')).statusCode).toBe(404);
  });

  test('the page of a prefix names what adjoins it, free space by its ends, and nothing farther away', async () => {
    const block = sql`select kind, resource, first, last, null as state from delegation where status <> 'closed' and registry = '' and kind <> 'asn'
      union all select kind, resource, first, last, state from pool where registry = '' and kind <> 'asn'`;
    const pairs = await portal.db.read.rows<{ resource: string; next: string; state: string | null }>(sql`
      with block as (${block}) select x.resource, y.resource as next, y.state from block x join block y on y.kind = x.kind and y.first = x.last + 1 order by x.first`);
    expect(pairs.length).toBeGreaterThan(0);
    const { resource, next, state } = pairs[0]!;
    const [, part = ''] = /<h2 id="neighbours">(.*?)<\/section>/s.exec((await get(`/whois/${encodeURIComponent(resource)}`)).body) ?? [];
    expect(part).toContain(`After</th><td>`);
    expect(part).toContain(`>${next}</a>`);
    expect(/Free|Set aside/.test(part.slice(part.indexOf('After')))).toBe(state !== null);
    expect(part.includes('Before')).toBe(pairs.some(each => each.next === resource));
  });

  test('the page of an AS number marks its announcements as that of a prefix does, those that are invalid first', () => {
    const row = (label: string, mark: 'valid' | 'invalid' | 'not-found', word: string) => ({
      label,
      text: 'seen by 3 peers',
      link: null,
      state: { mark, word },
      actions: [],
    });
    const rows = [
      row('198.18.0.0/19', 'valid', 'Valid'),
      row('198.18.66.0/24', 'not-found', 'Not found'),
      row('198.18.1.0/24', 'invalid', 'Invalid length'),
    ];
    const record = {
      routing: null,
      sections: [{ id: 'announcements', title: 'Announcements', rows, more: false }],
    } as unknown as PublicRecord;
    const part = html`${sectionParts(record)}`.markup;
    expect(part).toContain('<th scope="col">Announced</th><th scope="col">Validity</th>');
    expect([...part.matchAll(/<td class="state"><span class="badge (\w+)">/g)].map(([, mark]) => mark)).toEqual([
      'invalid',
      'valid',
      'plain',
    ]);
  });

  test('free and private space is asked of no holder', async () => {
    const where = {
      key: '198.18.32.0/19',
      appUrl: 'https://registry.example',
      rdap: null,
      profile: { whoisHost: 'whois.registry.example' },
    };
    const text = {
      objects: [],
      remarks: [],
      problem: { sentences: ['Nothing.'] },
      overLimit: null,
      more: false,
    } as unknown as NumbersAnswer['text'];
    const found = (await get('/whois/198.18.0.0/19?as=json')).json<PublicRecord>();
    const free = {
      record: { ...found, holdings: [], objects: [] },
      beside: [],
      neighbours: [],
      around: null,
      mailbox: null,
      locked: false,
    };
    const page =
      html`${numbersPage(where, { ...free, standing: { kind: 'pool', state: 'available' }, text, versions: [], now: new Date() })}`.markup;
    expect(page).not.toContain('We ask the holder');
    expect((await get('/whois/198.18.0.0/19')).body).toContain('We ask the holder');
    const own = (await get('/whois/10.0.0.4')).body;
    expect(own).toContain('look inside your own network');
    expect(own).not.toContain('Report the referral');
  });
});
