import { api } from '@portal/contract/api';
import { whoisPermalink } from '@portal/contract/whois/permalink';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { html } from '../../platform/http/html.ts';
import { versionTimes } from '../whois/index.ts';
import { namePage } from './answer-page.ts';
import { LONGEST, readAsked } from './asked.ts';
import { acceptedForm } from './asked-form.ts';
import { historyPicture } from './history-picture.ts';
import { zoneGrid } from './zone-grid.ts';

describe('what is asked', () => {
  test.each([
    ['198.18.0.0/19', '198.18.0.0/19'],
    [' 198.18.0.0 - 198.18.31.255 ', '198.18.0.0/19'],
    ['198.18.0.0–198.18.31.255', '198.18.0.0/19'],
    ['198.18.0.0 - 198.18.0.2', '198.18.0.0 - 198.18.0.2'],
    ['198.18.12.7/32', '198.18.12.7'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['as64500', 'AS64500'],
    ['64500', 'AS64500'],
    ['AS64500-AS64510', 'AS64500 - AS64510'],
  ])('%j has one spelling, %j', (text, key) => {
    expect(readAsked(text)).toMatchObject({ kind: 'numbers', key });
    expect(readAsked(decodeURIComponent(whoisPermalink(key).slice('/whois/'.length)))).toMatchObject({ kind: 'numbers', key });
  });
  test('a name is what is left', () => expect(readAsked('  EN1-EX ')).toEqual({ kind: 'name', key: 'EN1-EX' }));
  test.each([
    ['', 'Nothing was asked.'],
    ['x'.repeat(LONGEST + 1), `That is longer than ${LONGEST} characters.`],
    ['-M 198.18.0.0/19', 'Flags such as -M are for port 43.'],
    ['198.18.0.0/19 --brief', 'Flags such as -M are for port 43.'],
  ])('%j is wrong, with a reason', (text, why) => expect(readAsked(text)).toMatchObject({ kind: 'wrong', why }));
  test('numbers that are nearly right say what is wrong with them', () =>
    expect(readAsked('198.18.0.0/40')).toMatchObject({
      kind: 'wrong',
      why: expect.stringContaining('“198.18.0.0/40” looks like numbers'),
    }));
  test('a part of an address that is too large is named', () =>
    expect(readAsked('203.0.113.300')).toMatchObject({ kind: 'wrong', why: '300 is too large.' }));
  test.each([
    [undefined, 'page'],
    ['*/*', 'page'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'page'],
    ['text/plain', 'text'],
    ['text/html;q=0.5, application/json', 'json'],
    ['application/rdap+json, application/json;q=0.9', 'rdap'],
    ['text/plain;q=0', 'page'],
    ['text/plain;q=x', 'page'],
  ])('of those who accept %j it is answered as %s', (accept, form) => expect(acceptedForm(accept)).toBe(form));
});

test('a command to copy is only of what means nothing to a shell', () => {
  const profile = { whoisHost: 'whois.example.net', supportEmail: 'help@example.net' };
  const found = { objects: ['person: X\n'], remarks: [], problem: null, overLimit: null, more: false };
  const pageOf = (key: string): string => html`${namePage({ key, appUrl: 'https://example.net', rdap: null, profile }, found)}`.markup;
  expect(pageOf('EN1-EX')).toContain('whois -h whois.example.net EN1-EX');
  expect(pageOf('Pat Example')).toContain('whois -h whois.example.net &#39;Pat Example&#39;');
  for (const key of ["x';id;'", 'x`id`', 'x$(id)', 'x|sh', 'x;id', 'x\nid']) expect(pageOf(key)).not.toContain('whois -h');
});

/** All that is answered to programs of anyone: a field more has to be public. */
const publicFields =
  'abuseMailbox first holdings kind last mailboxes moreHoldings moreObjects objects pools resource routing sections size transferProhibited'.split(
    ' ',
  );

describe('the picture of reverse zones', () => {
  const zone = (number: number, ds: string) => ({
    label: `${number}.18.198.in-addr.arpa`,
    text: `ns1.example.net; ${ds}`,
    state: { mark: 'info' as 'info' | 'invalid', word: 'Delegated' },
  });
  const drawn = (rows: ReturnType<typeof zone>[], { first = '198.18.8.0', last = '198.18.11.255', more = false } = {}) =>
    html`${zoneGrid({ kind: 'ipv4', first, last }, { id: 'reverse-zones', title: 'Reverse zones', rows, more })}`.markup;
  test('has a cell for each /24, and counts what is signed, delegated and missing', () => {
    const markup = drawn([zone(8, 'DS 55648'), zone(9, 'not signed')]);
    expect([...markup.matchAll(/<li/g)]).toHaveLength(4);
    expect(markup.replace(/<svg.*?<\/svg>|<[^>]+>/g, '')).toContain('8 signed910 not delegated11 not delegated');
    expect(markup.replace(/<[^>]+>/g, '')).toContain('Delegated, signed 1Delegated 1Not delegated 2');
  });
  test('marks a zone of which the last check found a server that doesn’t answer', () => {
    const markup = drawn([{ ...zone(8, 'DS 55648'), state: { mark: 'invalid', word: 'Lame' } }, zone(9, 'not signed')]);
    expect(markup.replace(/<svg.*?<\/svg>|<[^>]+>/g, '')).toContain('8, a server doesn’t answer signed910 not delegated');
    expect(markup.replace(/<[^>]+>/g, '')).toContain('A server doesn’t answer 1Delegated 1Not delegated 2');
  });
  test('is left out where a list says it better', () => {
    expect(drawn([zone(8, 'not signed')], { last: '198.18.8.255' })).toBe('');
    expect(drawn([zone(8, 'not signed')], { more: true })).toBe('');
    expect(drawn([zone(8, 'not signed')], { first: '198.18.8.1' })).toBe('');
    expect(drawn([zone(8, 'not signed')], { first: '198.0.0.0', last: '198.255.255.255' })).toBe('');
    expect(drawn([{ ...zone(8, 'not signed'), label: '18.198.in-addr.arpa' }])).toBe('');
  });
});

describe('the history of an object', () => {
  const now = new Date('2026-07-01T00:00:00Z');
  const of = (...times: [operation: 'ADD' | 'DEL', happenedAt: string][]): string =>
    html`${historyPicture('198.18.0.0/19', {
      versions: times.map(([operation, happenedAt]) => ({ operation, happenedAt })),
      held: null,
      now,
    })}`.markup;
  test('is drawn to scale, with its years, and said in words', () => {
    const markup = of(['ADD', '2021-03-02T00:00:00Z'], ['DEL', '2024-01-01T00:00:00Z'], ['ADD', '2026-06-30T00:00:00Z']);
    expect(markup).toContain('3 versions of 198.18.0.0/19: the first on 2 Mar 2021, the last on 30 Jun 2026.');
    expect([...markup.matchAll(/<svg x="([\d.]+)%"/g)].map(([, x]) => Number(x))).toEqual([2.99, 54.56, 99.95]);
    expect([...markup.matchAll(/>(20\d\d)</g)].map(([, year]) => year)).toEqual(['2021', '2022', '2023', '2024', '2025']);
    expect(markup.match(/class="invalid"/g)).toHaveLength(1);
  });
  test('begins with the delegation where that is older than the object', () => {
    const markup = html`${historyPicture('198.18.0.0/19', {
      versions: [{ operation: 'ADD', happenedAt: '2025-03-02T00:00:00Z' }],
      held: { holder: 'Example Networks', day: '2022-07-01' },
      now,
    })}`.markup;
    expect(markup).toContain('aria-label="Held by Example Networks since 1 Jul 2022. One version of 198.18.0.0/19 on 2 Mar 2025."');
    expect([...markup.matchAll(/>(20\d\d)</g)].map(([, year]) => year)).toEqual(['2022', '2023', '2024', '2025']);
  });
  test('is not drawn without a version, and has few years where it has many', () => {
    expect(of()).toBe('');
    expect([...of(['ADD', '1993-01-01T00:00:00Z']).matchAll(/>((?:19|20)\d\d)</g)].map(([, year]) => year)).toEqual([
      '1993',
      '1998',
      '2003',
      '2008',
      '2013',
      '2018',
    ]);
  });
});

describe.each(kindsForRules)('the public whois on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const get = (url: string, from = '192.0.2.77') => portal.http.inject({ url, headers: { host: 'portal.test' }, remoteAddress: from });
  const textOf = (body: string): string => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

  test('a question leads to an address that stays, and other spellings lead to it', async () => {
    const asked = await get('/whois?q=198.18.0.0+-+198.18.31.255');
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/whois/198.18.0.0/19']);
    const spelled = await get('/whois/198.18.7.0/19?as=text');
    expect([spelled.statusCode, spelled.headers.location]).toEqual([301, '/whois/198.18.0.0/19?as=text']);
  });

  test('a prefix has its holder, where to report abuse, and its objects, and nothing that only its holder sees', async () => {
    const corin = await portal.as('corin');
    const own = (await corin(api.whoisRecords.getRecord, { account: 'EXAMPLE-AU', query: { resource: '198.18.0.0/19' } })).data!;
    const answer = await get('/whois/198.18.0.0/19');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const page = textOf(answer.body);
    expect(page).toContain('Held by Example Networks Pty Ltd in Australia since 2 March 2021');
    expect(page).toContain('abuse@example-au.example');
    expect(answer.body).toContain('noindex');
    // What the ledger and modules tell the holder alone.
    expect(own.assignments.length).toBeGreaterThan(0);
    for (const hidden of own.assignments
      .filter(({ visibility }) => visibility === 'private')
      .flatMap(({ netname, customer }) => [netname, customer ?? netname]))
      expect(page).not.toContain(hidden);
    expect(page).not.toContain('auth: SHA');
    expect(page).toContain('auth: # Filtered');

    const json = (await get('/whois/198.18.0.0/19?as=json')).json<Record<string, unknown>>();
    expect(json).toMatchObject({ resource: '198.18.0.0/19', abuseMailbox: 'abuse@example-au.example', transferProhibited: false });
    expect(Object.keys(json).toSorted()).toEqual(publicFields);
    expect((json['sections'] as { id: string }[]).map(({ id }) => id)).not.toContain('holders');
  });

  test('a part of a delegation has its own status, and that of the delegation is named with it', async () => {
    for (const [asked, delegation] of [
      ['198.18.4.0/22', '198.18.0.0/19'],
      ['2001:db8:1000::/36', '2001:db8::/32'],
    ] as const) {
      const { body } = await get(`/whois/${asked}`);
      const status = /status:\s*([A-Z -]+)$/m.exec((await get(`/whois/${asked}?as=text`)).body)![1]!.trim();
      expect(status).toMatch(/NON-PORTABLE$/);
      const shown = status.charAt(0) + status.slice(1).toLowerCase();
      expect(body).toContain(`<span class="badge plain">${shown}</span>`);
      const said = textOf(body);
      expect(said).toContain(`Status ${shown}`);
      expect(said).toMatch(new RegExp(`by Example Networks Pty Ltd in Australia out of ${delegation} `));
      expect(said).toMatch(new RegExp(`Delegation ${delegation} , allocated portable, since `));
      expect(said).not.toContain('Since ');
    }
    // An address in it is a part of the same network.
    expect(textOf((await get('/whois/198.18.4.7')).body)).toMatch(/Part of ACCESS-A \( 198\.18\.4\.0\/22 \), assigned by/);
    expect((await get('/whois/198.18.4.0/22?as=json')).json<{ objects: { relation: string; status: string }[] }>().objects).toContainEqual(
      expect.objectContaining({ relation: 'exact', status: 'ASSIGNED NON-PORTABLE' }),
    );
  });

  test('free space of the registry is free, whatever lists of special purposes say', async () => {
    await portal.db.change({ action: 'test.pools', summary: 'Added a free block', traceId: 'd'.repeat(32) }, change =>
      change.rows(sql`insert into pool (kind, first, last, resource, size, state, registry)
        values ('ipv4', '198.19.171.0', '198.19.171.255', '198.19.171.0/24', 256, 'available', '')`),
    );
    for (const asked of ['198.19.171.4', '198.19.171.0/24']) {
      const { statusCode, body } = await get(`/whois/${asked}`);
      expect(statusCode).toBe(200);
      expect(textOf(body)).toContain('Free: held by this registry, not delegated to anyone.');
      expect(textOf(body)).not.toMatch(/no registry delegates it|Not ours/);
    }
  });

  test('a form is chosen by what the caller accepts, and caches know', async () => {
    const as = (accept: string, url = '/whois/198.18.0.0/19') =>
      portal.http.inject({ url, headers: { host: 'portal.test', accept }, remoteAddress: '192.0.2.77' });
    const text = await as('text/plain');
    expect([text.headers['content-type'], text.headers['vary']]).toEqual(['text/plain; charset=utf-8', 'accept']);
    expect((await as('application/json')).json()).toMatchObject({ resource: '198.18.0.0/19' });
    const rdap = await as('application/rdap+json');
    expect([rdap.statusCode, rdap.headers.location]).toEqual([303, '/rdap/ip/198.18.0.0/19']);
    expect((await as('text/html')).headers['vary']).toBe('accept');
    // What the address names wins.
    expect((await as('application/json', '/whois/198.18.0.0/19?as=text')).headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('a name that is a domain says whose it is', async () => {
    const page = async (key: string) => textOf((await get(`/whois/${key}`)).body);
    expect(await page('foo.example')).toContain('This registry doesn’t register domain names. Ask the registry of .example ');
    expect(await page('9.18.198.in-addr.arpa')).toMatch(
      /This reverse zone isn’t delegated\. It belongs to 198\.18\.9\.0\/24 , held by Example Networks Pty Ltd \./,
    );
    expect(await page('8.8.8.in-addr.arpa')).toContain('is registered with ARIN');
    expect(await page('NO-SUCH-NAME')).toContain('Nothing of this name is registered here.');
  });

  test('a print says where it is from and of when', async () =>
    expect((await get('/whois/198.18.0.0/19')).body).toMatch(
      /<p class="printed">[^<]+, \d{1,2} \w{3} \d{4} \d\d:\d\d UTC, [^<]+\/whois\/198\.18\.0\.0\/19<\/p>/,
    ));

  test('the history of the object of these numbers is what port 43 lists, and people have none', async () => {
    const { body } = await get('/whois/198.18.0.0/19');
    expect(body).toContain('>History<');
    const listed = (await get('/whois/query?key=198.18.0.0%2F19&versions=1&as=text')).body.match(/^\d+ +\d{4}-/gm)!;
    expect(textOf(body)).toContain(`${listed.length === 1 ? 'One version' : `${listed.length} versions`} of 198.18.0.0/19 on `);
    expect(await versionTimes(portal.db.read, { class: 'person', key: 'en1-ex' })).toEqual([]);
    expect((await get('/whois/198.18.12.7')).body).not.toContain('>History<');
  });

  test('a network comes before its route, and each object once, however many name it', async () => {
    const { body } = await get('/whois/198.18.0.0/19');
    expect(body.indexOf('<span class="name">inetnum:</span>')).toBeLessThan(body.indexOf('<span class="name">route:</span>'));
    const named = (await get('/whois/EXAMPLE-AU?as=text')).body;
    expect(named.match(/^irt: +IRT-AU-EXAMPLE$/gm)).toHaveLength(1);
    expect(named.match(/^inetnum: /gm)!.length).toBeGreaterThan(1);
  });

  test('the page of an AS number begins with its own object, and not with the block around it', async () => {
    const { body } = await get('/whois/AS64500');
    expect(body.indexOf('<span class="name">aut-num:</span>')).toBeGreaterThan(0);
    expect(body.indexOf('<span class="name">aut-num:</span>')).toBeLessThan(body.indexOf('<span class="name">as-block:</span>'));
  });

  test('the text is what port 43 answers, and says when nothing is found', async () => {
    const text = await get('/whois/198.18.0.0/19?as=text');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.body).toMatch(/^inetnum: +198\.18\.0\.0 - 198\.18\.31\.255$/m);
    const none = await get('/whois/NO-SUCH-NAME?as=text');
    expect([none.statusCode, none.body]).toEqual([404, expect.stringContaining('% No entries found')]);
  });

  test('numbers of another registry lead to it; numbers of none say what they are', async () => {
    const foreign = await get('/whois/8.8.8.8');
    expect(foreign.statusCode).toBe(404);
    expect(textOf(foreign.body)).toContain(
      '8.8.8.8 is registered with ARIN: ask whois.arin.net, or https://rdap.arin.net/registry/ip/8.8.8.8/32',
    );
    // The table of announcements is kept for our space: it says nothing about that of others, and our services have no answer to it.
    expect(foreign.body).not.toContain('id="routing"');
    expect(textOf(foreign.body)).not.toMatch(/Not announced|No ROA/);
    expect(foreign.body).toContain('href="https://www.arin.net/"');
    expect(foreign.body).toContain('href="https://rdap.arin.net/registry/ip/8.8.8.8/32"');
    expect(foreign.body).toContain('whois -h whois.arin.net 8.8.8.8');
    expect(foreign.body).not.toContain('portal.test/rdap/');
    const special = await get('/whois/10.0.0.1');
    expect(special.body).not.toContain('id="routing"');
    expect(special.statusCode).toBe(404);
    expect(textOf(special.body)).toContain('no registry delegates it');
  });

  test.each([
    ['/whois/300.1.1.1', 400, '300 is too large.'],
    ['/whois?q=-M+198.18.0.0/19', 400, 'Flags such as -M are for port 43.'],
    ['/whois/0.0.0.0/0', 400, 'more than one page can describe'],
    ['/whois/2000::/3', 400, 'more than one page can describe'],
    ['/whois/127.255.255.255%20-%20128.0.0.0', 400, 'more than one page can describe'],
    ['/whois/help', 404, 'Nothing of this name is registered here.'],
    ['/whois?q=../logout', 400, 'No object has this name.'],
    ['/whois/NO-SUCH-NAME', 404, 'Nothing of this name is registered here.'],
    ['/whois/198.18.0.0/19?as=xml', 404, 'There is no such form of an answer.'],
  ])('%s is answered %d with a sentence', async (url, status, sentence) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(status);
    expect(textOf(answer.body)).toContain(sentence);
  });

  test('scripts of other sites read what is for programs, on the way there too, and search engines list no answer', async () => {
    for (const url of ['/whois/198.18.0.0/19?as=json', '/whois/198.18.7.0/19?as=json', '/whois/0.0.0.0/0?as=json']) {
      const { headers } = await get(url);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex, nofollow' });
    }
    expect((await get('/whois/0.0.0.0/0?as=json')).json()).toEqual({ error: expect.stringContaining('more than one page') });
  });

  test('one address has two questions answered at a time, and too many are refused while others are answered', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => get('/whois/198.18.0.0/19', '203.0.113.5')));
    const statuses = all.map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter(status => status === 200)).toHaveLength(22);
    expect((await get('/whois/AS64500', '203.0.113.6')).statusCode).toBe(200);
  });

  test('what a stranger asks is shown as text, never as markup', async () => {
    const { body } = await get(`/whois/${encodeURIComponent('<script>alert(1)</script>')}`);
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;alert(1)');
  });

  test('over the limit of personal data of a day contacts are left out, for that address alone, and numbers are still answered', async () => {
    const person = (
      await portal.db.read.rows<{ key: string }>(
        sql`select shown as key from whois_object where class = 'person' order by object_id limit 1`,
      )
    )[0]!.key;
    const from = '198.51.100.9';
    let status = 200;
    for (let asked = 0; status === 200 && asked < 3000; asked++) status = (await get(`/whois/${person}?as=text`, from)).statusCode;
    expect(status).toBe(429);
    const refused = await get(`/whois/${person}`, from);
    expect(refused.statusCode).toBe(429);
    expect(textOf(refused.body)).toContain('Your address has asked for as many contacts as it may on a day.');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const numbers = await get('/whois/198.18.0.0/19', from);
    expect(numbers.statusCode).toBe(200);
    expect(numbers.body).not.toContain('<span class="name">person:</span>');
    expect(textOf(numbers.body)).toContain('Contacts are left out');
    expect((await get(`/whois/${person}`)).statusCode).toBe(200);
  });
});
