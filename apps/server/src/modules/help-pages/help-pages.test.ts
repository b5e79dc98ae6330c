import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { backEndAnswerOf } from '@portal/contract/back-end-paths';
import { findPage } from '@portal/contract/pages';
import { dayIn } from '@portal/contract/days';
import { termAddress, termNames, termsArticle } from '@portal/contract/terms';
import { formatMoney } from '@portal/number-resources';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayInFull } from '../../platform/day-words.ts';
import { html } from '../../platform/http/html.ts';
import { renderMarkdown } from '../../platform/http/markdown.ts';
import { testContext } from '../../../test/context.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { getFeeEstimate } from '../billing/index.ts';
import { groupOrder, readArticle, readHelp, searchArticles, suggestArticles } from './articles.ts';
import { calculatorPath } from './fees-part.ts';
import { pageArticles, usualArticle } from './page-articles.ts';
import { readPictures, sizeOf } from './pictures.ts';

const { articles, pictures } = readHelp('');
const slugs = new Set(articles.map(({ slug }) => slug));
const markupOf = (markdown: string): string => html`${renderMarkdown(markdown).body}`.markup.trim();

describe('Markdown of articles', () => {
  test('has headings, paragraphs, lists, tables, code and links', () => {
    expect(markupOf('## Before you start\n\nAsk **us** at [help](/help/x), not `here`\nor there.')).toBe(
      '<h2 id="before-you-start">Before you start</h2>\n<p>Ask <b>us</b> at <a href="/help/x">help</a>, not <code>here</code> or there.</p>',
    );
    expect(markupOf('1. Open it\n   It is there.\n2. Close it')).toBe(
      '<ol class="steps"><li>Open it<p>It is there.</p></li><li>Close it</li></ol>',
    );
    expect(markupOf('- one\n- two')).toBe('<ul class="points"><li>one</li><li>two</li></ul>');
    expect(markupOf('| You see | Why |\n| --- | --- |\n| A | B |')).toContain('<th scope="row">A</th><td>B</td>');
    expect(markupOf('```\nwhois -h HOST x\n\nsecond\n```')).toContain('>whois -h HOST x\n\nsecond</pre>');
  });
  test('has no HTML: what looks like it is text', () => {
    expect(markupOf('<script>alert(1)</script> & **<b>**')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; <b>&lt;b&gt;</b></p>');
    expect(markupOf('`<i>`')).toBe('<p><code>&lt;i&gt;</code></p>');
  });
  test.each(['javascript:alert(1)', 'http://example.net', '//example.net', 'data:text/html,x'])('refuses a link to %s', address =>
    expect(() => renderMarkdown(`[x](${address})`)).toThrow('must begin with /, #, https:// or mailto:'),
  );
  test('explains each term once, where it stands first, and not in links, code and headings', () => {
    const { body } = readArticle(
      'a',
      '---\ntitle: A\ngroup: Whois\norder: 1\nsummary: S.\n---\n## The ROA\n\nA [ROA](/help/x) and `ROA`, two ROAs, one ROA.\n\n1. ROAs\n   For a prefix.',
    );
    const { markup } = html`${body}`;
    expect(markup.match(/class="term"/g)).toHaveLength(2);
    expect(markup).toMatch(/two <a class="term" href="\/help\/words#roa" title="Route origin authorisation: [^"]*">ROAs<\/a>, one ROA/);
    expect(markup).toContain('>prefix</a>.');
  });
  test('shows a picture where one stands alone, in dark colours too, with its size', () => {
    const shown = new Map([['form', { width: 20, height: 10, light: '/l?v=1', dark: '/d?v=2' }]]);
    expect(html`${renderMarkdown('![The form & <b>](form)', shown).body}`.markup.trim()).toBe(
      '<figure><a href="/l?v=1"><picture><source srcset="/d?v=2" media="(prefers-color-scheme: dark)"><img src="/l?v=1" width="20" height="10" alt="The form &amp; &lt;b&gt;" loading="lazy"></picture></a></figure>',
    );
    expect(() => renderMarkdown('![The form](from)', shown)).toThrow('there is no picture “from”');
    expect(() => renderMarkdown('![x](https://example.net/x.png)', shown)).toThrow('there is no picture');
  });
  test('refuses a heading of the first level: that is the title', () =>
    expect(() => renderMarkdown('# Title')).toThrow('second or third level'));
});

describe('an article', () => {
  const head = 'title: A\ngroup: Whois\norder: 1\nsummary: S.';
  test('has a title, a group, an order and a summary', () =>
    expect(readArticle('a', `---\n${head}\n---\n\nText`)).toMatchObject({
      slug: 'a',
      title: 'A',
      group: 'Whois',
      order: 1,
      summary: 'S.',
    }));
  test.each([
    ['Text', 'it must begin with title, group, order and summary'],
    [`---\n${head.replace('title: A\n', '')}\n---\nText`, '“title” is missing'],
    [`---\n${head}\nauthor: Pat\n---\nText`, '“author” is unknown'],
    [`---\n${head.replace('1', 'first')}\n---\nText`, '“order” must be a whole number'],
    [`---\n${head}\nminutes: a few\n---\nText`, '“minutes” must be a whole number'],
    [`---\ntitle\n---\nText`, 'must be a name, a colon and a value'],
  ])('%j is refused with what is wrong', (text, sentence) => expect(() => readArticle('a', text)).toThrow(sentence));
});

describe('the articles of the program', () => {
  test('an application takes as long, and needs as much, as its form says', async () => {
    const form = await fs.readFile(path.join(import.meta.dirname, '../../../../portal/src/pages/applications/AddAccountPage.tsx'), 'utf8');
    const article = await fs.readFile(path.join(import.meta.dirname, '../../../help/join.md'), 'utf8');
    const rules = await fs.readFile(path.join(import.meta.dirname, '../applications/application-row.ts'), 'utf8');
    expect(article).toContain(`kept for ${/DRAFT_DAYS = (\d+)/.exec(rules)![1]!} days`);
    const minutes = /takes about (\d+) minutes/.exec(form)![1]!;
    expect(article).toContain(`takes about ${minutes} minutes`);
    expect(article).toContain(`\nminutes: ${minutes}\n`);
    for (const needed of ['certificate of incorporation', 'network plan', 'abuse reports and invoices', 'sign-up invoice'])
      expect([form.includes(needed), article.includes(needed)], needed).toEqual([true, true]);
  });
  test('related articles are there, and none is its own', () => {
    for (const { slug, related } of articles)
      for (const other of related) expect(other !== slug && slugs.has(other), `${slug}: ${other}`).toBe(true);
  });
  test('each page of the portal has one', () => {
    expect([...new Set([...Object.values(pageArticles), usualArticle])].filter(slug => !slugs.has(slug))).toEqual([]);
  });
  test('the article of terms has each at the place to which its links lead', () => {
    const { markup } = html`${articles.find(({ slug }) => slug === termsArticle)!.body}`;
    for (const name of termNames) expect(markup).toContain(`id="${termAddress(name).split('#')[1]}"`);
  });
  test('belong to known groups', () => {
    const known: readonly string[] = groupOrder;
    expect(articles.filter(({ group }) => !known.includes(group)).map(({ slug }) => slug)).toEqual([]);
  });
  test('lead to pages and articles that exist', () => {
    const broken = articles.flatMap(({ slug, links }) =>
      links
        .filter(link => link.startsWith('/'))
        .filter(link => {
          const [, article] = /^\/help\/([^/?#]+)$/.exec(link) ?? [];
          if (article !== undefined) return !slugs.has(article) && link !== calculatorPath;
          return backEndAnswerOf(link) === null && findPage(link, 'registry').name === 'notFound';
        })
        .map(link => `${slug}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
  test('are found by what people want to do', () => {
    expect(searchArticles(articles, 'create roa')[0]?.slug).toBe('create-a-roa');
    expect(searchArticles(articles, 'REVERSE zone')[0]?.slug).toMatch(/reverse-zone/);
    expect(searchArticles(articles, 'invoice')[0]?.slug).toBe('invoices');
    expect(searchArticles(articles, 'xyzzy')).toEqual([]);
    expect(searchArticles(articles, '  ?! ')).toEqual([]);
  });
  test('are suggested for what someone writes, whatever else it says', () => {
    const suggested = (text: string): string[] => suggestArticles(articles, text, 4).map(({ slug }) => slug);
    expect(suggested('How can I create a ROA for our new prefix, please?')).toContain('create-a-roa');
    expect(suggested('My invoice has the wrong address')).toContain('invoices');
    expect(suggested('please can you help me with this')).toEqual([]);
    expect(suggested('xyzzy')).toEqual([]);
    expect(suggestArticles(articles, 'roa invoice reverse zone contact whois', 2)).toHaveLength(2);
  });
});

/** The first bytes of pictures, as far as their sizes. */
const pngOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const webpOf = (kind: 'VP8 ' | 'VP8L' | 'VP8X', size: string): Buffer =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(size, 'hex'), Buffer.alloc(16)]);

describe('pictures of articles', () => {
  test('their sizes are read from PNG and each kind of WebP', () => {
    expect(sizeOf(pngOf(640, 70_000))).toEqual({ width: 640, height: 70_000 });
    // 300 by 200: after the frame tag and start code of a lossy one; less one in 14 bits each; less one in 24 bits each.
    expect(sizeOf(webpOf('VP8 ', '0000009d012a2c01c800'))).toEqual({ width: 300, height: 200 });
    expect(sizeOf(webpOf('VP8L', '2f2bc13100'))).toEqual({ width: 300, height: 200 });
    expect(sizeOf(webpOf('VP8X', '000000002b0100c70000'))).toEqual({ width: 300, height: 200 });
    expect(() => sizeOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toThrow('must be a PNG or WebP picture');
    expect(() => sizeOf(Buffer.of())).toThrow('must be a PNG or WebP picture');
  });
  test('those of the program are there in light and dark colours, of the same size, and each is in an article', () => {
    const used = new Set(articles.flatMap(({ blocks }) => blocks.flatMap(block => (block.kind === 'picture' ? [block.light] : []))));
    for (const [name, { light, dark, width, height }] of pictures) {
      expect(used, name).toContain(light.address);
      expect(sizeOf(dark!.bytes), name).toEqual({ width: width * 2, height: height * 2 });
    }
    expect(used.size).toBeGreaterThan(8);
  });
  test('a file that can’t be shown is refused with its name', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-help-'));
    const inside = path.join(folder, 'pictures');
    await fs.mkdir(inside);
    const tried = async (name: string, bytes: Buffer): Promise<void> => {
      await fs.writeFile(path.join(inside, name), bytes);
      expect(() => readPictures(folder)).toThrow(`The help picture ${path.join(inside, name.replace('.dark.png', ''))}`);
      await fs.rm(path.join(inside, name));
    };
    await tried('logo.svg', Buffer.from('<svg/>'));
    await tried('text.png', Buffer.from('text'));
    await tried('large.png', Buffer.concat([pngOf(10, 10), Buffer.alloc(300_000)]));
    await tried('night.dark.png', pngOf(10, 10));
    expect(readPictures(folder)).toEqual(new Map());
    await fs.rm(folder, { recursive: true });
  });
});

describe.each(kindsForRules)('the help centre on %s', kind => {
  let portal: TestPortal;
  let folder: string;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-help-'));
    await fs.writeFile(
      path.join(folder, 'fees.md'),
      '---\ntitle: Our fees\ngroup: Fees and invoices\norder: 20\nsummary: Ours.\n---\n\nText of ours',
    );
    await fs.writeFile(
      path.join(folder, 'office.md'),
      '---\ntitle: Our office\ngroup: Visit us\norder: 1\nsummary: Where.\n---\n\nHere\n\n![The door](door)',
    );
    await fs.mkdir(path.join(folder, 'pictures'));
    await fs.writeFile(path.join(folder, 'pictures/door.png'), pngOf(30, 20));
    portal = await testPortal(kind, { HELP_DIR: folder });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) =>
    portal.http.inject({ url, headers: { host: 'portal.test', ...headers } });
  const textOf = (body: string): string => body.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ');

  test('anyone reads an article, which caches keep', async () => {
    const { statusCode, headers, body } = await get('/help/create-a-roa');
    expect(statusCode).toBe(200);
    expect(body).toContain('<h1>Create a ROA</h1>');
    expect(body).toContain('aria-current="page">Create a ROA</a>');
    expect(body).not.toContain('noindex');
    expect(headers['set-cookie']).toBeUndefined();
    expect((await get('/help/create-a-roa', { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304);
    const missing = await get('/help/roas-no-longer');
    expect([missing.statusCode, String(missing.headers['content-type'])]).toEqual([404, 'text/html; charset=utf-8']);
    expect(missing.body).toContain('This article isn’t here');
    expect(missing.body).toContain('noindex');
    expect((await get('/help/no-such-article?as=json')).statusCode).toBe(404);
  });

  test('an article is there in parts, for the panel beside a page, and suggestions are there in short', async () => {
    const answer = await get('/help/for?page=/resources/routes/index&as=json');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
    const article = answer.json<{ slug: string; title: string; blocks: { kind: string }[] }>();
    expect(article).toMatchObject({ slug: 'create-a-roa', title: 'Create a ROA' });
    expect(article.blocks.length).toBeGreaterThan(2);
    expect((await get('/help/create-a-roa?as=json')).json()).toEqual(article);
    const found = (await get('/help?as=json&q=create+roa')).json<{ articles: { slug: string }[] }>();
    expect(found.articles.length).toBeLessThanOrEqual(4);
    expect(found.articles[0]).toEqual({ slug: 'create-a-roa', title: 'Create a ROA', summary: expect.any(String) });
    expect((await get('/help?as=json')).json()).toEqual({ articles: [] });
    for (const wrong of ['/help?as=xml', '/help/create-a-roa?as=xml', '/help/for?page=/&as=xml', '/help/none?as=json'])
      expect((await get(wrong)).statusCode, wrong).toBe(404);
  });

  test('the article of fees has the announced ones, to the cent of an invoice, for anyone', async () => {
    const [row] = await portal.db.read.rows<{ base: string; until: string }>(
      sql`select base_fee::text as base, valid_until::text as until from fee_schedule where account_kind = 'member' and now()::date between valid_from and valid_until`,
    );
    const { body } = await get('/help/fees');
    const said = body.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ');
    expect(said).toContain('Announced fees');
    const base = Number(row!.base).toLocaleString('en').replace(',', ' ');
    expect(said).toMatch(new RegExp(`IPv4 /24 AUD ${base}`));
    expect(said).toMatch(/Sign-up fee, once AUD \d/);
    expect(said).toContain(`to ${dayInFull(row!.until)}`);
    // A formula that says one thing and a table that says another: /22 is two bits more.
    const factor = Number(/Bit factor ([\d.]+)/.exec(said)![1]);
    const fee = Number(/IPv4 \/22 AUD ([\d ]+\.?\d*)/.exec(said)![1]!.replaceAll(' ', ''));
    expect(fee).toBeCloseTo(Number(row!.base) * factor ** 2, 2);
  });

  test('the article of fees says what they are next year where that is announced, and which economies pay less', async () => {
    const said = textOf((await get('/help/fees')).body);
    const [next] = await portal.db.read.rows<{ base: string; from: string }>(
      sql`select base_fee::text as base, valid_from::text as from from fee_schedule where account_kind = 'member' and valid_from > now()::date order by valid_from limit 1`,
    );
    if (next) expect(said).toContain(`Members, ${next.from.slice(0, 4)}`);
    else expect(said).toContain('aren’t announced yet');
    const { profile } = testContext(portal);
    const isReduced = profile.leastDevelopedEconomies.some(({ economy }) => profile.serviceRegion.includes(economy));
    expect(said.includes('pay 50% of the address fee')).toBe(isReduced);
  });

  test('anyone calculates the fee of any size, to the cent of the members’ calculator', async () => {
    const asked = await get('/help/fee-calculator');
    expect(asked.statusCode).toBe(200);
    expect(asked.body).not.toContain('id="fee"');
    const { body } = await get('/help/fee-calculator?kind=member&economy=&ipv4=%2F22+%2B+%2F24&ipv6=%2F32&asns=2&new=1');
    const { profile, clock } = testContext(portal);
    const begins = dayIn(profile.timeZone, clock());
    const query = { kind: 'member', begins, ipv4: '1280', ipv6: String(1n << 24n), asns: 2, newAccount: 'true' } as const;
    const { estimate } = await getFeeEstimate({ read: portal.db.read, query, registry: { profile } });
    expect(textOf(body)).toContain(`Total ${formatMoney(profile.currency, estimate.total).replaceAll('\u00a0', ' ')}`);
    expect(textOf(body)).toContain('Sign-up fee AUD');
    const wrong = await get('/help/fee-calculator?ipv4=%2F33&ipv6=many');
    expect(wrong.statusCode).toBe(400);
    expect(textOf(wrong.body)).toContain('IPv4 has no /33.');
    expect(textOf(wrong.body)).toContain('“many” isn’t a size of IPv6.');
  });

  test('a page of the portal leads to its article, and any other page to the first steps', async () => {
    for (const [page, slug] of [
      ['/resources/routes/index', 'create-a-roa'],
      ['/contact/helpdesk/ticket/1', 'ask-a-question'],
      ['/no/such/page', 'first-steps'],
      ['/desk', 'first-steps'],
    ]) {
      const { statusCode, headers } = await get(`/help/for?page=${encodeURIComponent(page!)}`);
      expect([statusCode, headers.location]).toEqual([302, `/help/${slug}`]);
    }
    expect((await get('/help/for')).headers.location).toBe('/help/first-steps');
  });

  test('readers say whether an article helped, and registry staff see which ones failed', async () => {
    const answer = (slug: string, helped: string, remoteAddress = '192.0.2.77', more: Record<string, string> = {}) =>
      portal.http.inject({
        method: 'POST',
        url: `/help/${slug}/answer`,
        remoteAddress,
        headers: { host: 'portal.test', 'content-type': 'application/x-www-form-urlencoded', ...more },
        payload: `helped=${helped}`,
      });
    expect((await get('/help/fees')).body).toContain('Did this answer your question?');
    const { statusCode, headers } = await answer('create-a-roa', 'no');
    expect([statusCode, headers.location]).toEqual([303, '/help/create-a-roa?helped=no#helped']);
    const thanks = await get('/help/create-a-roa?helped=no');
    expect(thanks.body).toContain('Thank you.');
    expect(thanks.body).toContain('noindex');
    await answer('create-a-roa', 'yes');
    await answer('fees', 'yes');
    expect((await answer('no-such-article', 'yes')).statusCode).toBe(404);
    expect((await answer('fees', 'perhaps')).statusCode).toBe(400);
    expect((await answer('fees', 'no', '192.0.2.77', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400);
    const stella = await portal.as('stella');
    expect((await stella(api.helpAnswers.listHelpAnswers, {})).data!.rows).toEqual([
      { slug: 'create-a-roa', title: 'Create a ROA', yes: 1, no: 1 },
      { slug: 'fees', title: 'Our fees', yes: 1, no: 0 },
    ]);
    // An address that answers on and on has to wait; its further answers don't count.
    const flood = await Promise.all(Array.from({ length: 30 }, () => answer('fees', 'no', '198.51.100.7')));
    const refused = flood.filter(each => each.statusCode === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0);
    const { rows } = (await stella(api.helpAnswers.listHelpAnswers, {})).data!;
    expect(rows.find(({ slug }) => slug === 'fees')!.no).toBe(30 - refused.length);
  });

  test('a registry replaces articles by their names and adds others', async () => {
    expect((await get('/help/fees')).body).toContain('Text of ours');
    expect((await get('/help/office')).body).toContain('Our office');
    expect((await get('/help')).body).toContain('Visit us');
  });

  test('an article that can’t be read is refused with its file', async () => {
    const other = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-help-'));
    await fs.writeFile(path.join(other, 'bad.md'), 'No head');
    expect(() => readHelp(other)).toThrow(`The help article ${path.join(other, 'bad.md')}: it must begin with`);
    await fs.rm(other, { recursive: true });
    expect(() => readHelp(other)).toThrow('can’t be read');
  });

  test('a picture is there for good at its address, and each file of a registry as well', async () => {
    const { blocks } = (await get('/help/office?as=json')).json<{ blocks: { kind: string; light?: string; dark?: string | null }[] }>();
    const door = blocks.find(({ kind }) => kind === 'picture')!;
    expect(door).toMatchObject({ words: 'The door', width: 30, height: 20, dark: null });
    const answer = await get(door.light!);
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable',
    ]);
    expect(answer.rawPayload).toEqual(pngOf(30, 20));
    // An address without its digest may have other bytes tomorrow.
    expect((await get('/help/pictures/door.png')).headers['cache-control']).toBe('public, max-age=3600');
    expect((await get('/help/pictures/door.png?v=old')).headers['cache-control']).toBe('public, max-age=3600');
    expect((await get('/help/pictures/create-a-roa.dark.webp')).headers['content-type']).toBe('image/webp');
    for (const other of ['none.png', 'words.txt', '..%2Ffees.md', '..%2F..%2Fpackage.json'])
      expect((await get(`/help/pictures/${other}`)).statusCode, other).toBe(404);
  });

  test('a search shows what it found, and nothing of what was typed as markup', async () => {
    expect((await get('/help?q=roa')).body).toContain('/help/create-a-roa');
    const { body } = await get(`/help?q=${encodeURIComponent('<script>alert(1)</script>')}`);
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('noindex');
    expect((await get('/help?q=xyzzy')).body).toContain('Nothing found');
  });
});
