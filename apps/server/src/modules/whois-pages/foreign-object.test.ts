import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { loadForeignSources } from '../foreign-sources/follow.ts';

const objects = `
aut-num:        AS64500
as-name:        OTHER-EXAMPLE
descr:          The same number elsewhere
admin-c:        PP1-OTHER
mnt-by:         MAINT-OTHER
source:         OTHER

as-set:         AS-EXAMPLE-OTHER
descr:          Zebra networks
members:        AS64500, AS64501
mnt-by:         MAINT-OTHER
source:         OTHER

route:          198.18.0.0/19
descr:          Zebra route
origin:         AS64999
mnt-by:         MAINT-OTHER
source:         OTHER
`;

describe.each(kindsForRules)('objects of other registries on the pages of whois, on %s', kind => {
  let portal: TestPortal;
  let folder: string;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-pages-'));
    const [dump, file] = [path.join(folder, 'other.db'), path.join(folder, 'sources.json')];
    await fs.writeFile(dump, objects);
    await fs.writeFile(file, JSON.stringify([{ name: 'OTHER', dump: [pathToFileURL(dump).href], default: true }]));
    portal = await testPortal(kind, { FOREIGN_SOURCES: file });
    await loadForeignSources(portal.context);
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });
  const get = (url: string) => portal.http.inject({ url, headers: { host: 'portal.test' } });
  type Found = { hits: { source: string; shown: string; address: string }[] };

  test('a search finds them, names their source, and narrows by it', async () => {
    const { hits } = (await get('/whois/search?q=zebra&as=json')).json<Found>();
    expect(hits.map(({ source, address }) => `${source} ${address}`).sort((a, b) => a.localeCompare(b, 'en'))).toEqual([
      'OTHER /whois/OTHER/as-set/AS-EXAMPLE-OTHER',
      'OTHER /whois/OTHER/route/198.18.0.0/19AS64999',
    ]);
    expect(hits.map(({ shown }) => shown)).toContain('198.18.0.0/19AS64999');
    const { body } = await get('/whois/search?q=AS64500');
    expect(body).toMatch(/href="\/whois\/search\?q=AS64500&amp;source=OTHER">OTHER<\/a><span class="quiet">[1-9]/);
    expect(body).toContain('href="/whois/OTHER/aut-num/AS64500"');
    expect(body).toContain('<th scope="col">Source</th>');
    const own = (await get('/whois/search?q=AS64500&source=EXAMPLE&as=json')).json<Found>();
    expect(new Set(own.hits.map(({ source }) => source))).toEqual(new Set(['EXAMPLE']));
    const others = (await get('/whois/search?q=as-example&source=other&as=json')).json<Found>();
    expect(others.hits.map(({ shown }) => shown)).toEqual(['AS-EXAMPLE-OTHER']);
    const unknown = await get('/whois/search?q=zebra&source=RADB&as=json');
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json<{ error: string }>().error).toContain('This search has EXAMPLE, OTHER only.');
  });

  test('each has a page with its source in the address, as text and as JSON too', async () => {
    const page = await get('/whois/OTHER/aut-num/AS64500');
    expect(page.statusCode).toBe(200);
    expect(page.headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(page.body).toContain('An object of OTHER, another registry');
    expect(page.body).toContain('OTHER-EXAMPLE');
    expect(page.body).not.toContain('PP1-OTHER');
    // What it names is there, and not here.
    expect(page.body).not.toContain('href="/whois/MAINT-OTHER"');
    expect((await get('/whois/OTHER/aut-num/AS64500?as=text')).body).toMatch(/^% An object of OTHER.*\n\naut-num: +AS64500\n/);
    expect((await get('/whois/OTHER/route/198.18.0.0/19AS64999?as=json')).json()).toMatchObject({
      source: 'OTHER',
      type: 'route',
      key: '198.18.0.0/19AS64999',
    });
    expect((await get('/whois/OTHER/aut-num/AS64501')).statusCode).toBe(404);
    expect((await get('/whois/RADB/aut-num/AS64500')).statusCode).toBe(404);
  });

  test('pages of numbers and names are the registry’s own, also where the source is a default', async () => {
    for (const url of ['/whois/AS64500', '/whois/198.18.0.0/19', '/whois/AS64500?as=text', '/whois/198.18.0.0/19?as=text'])
      expect((await get(url)).body, url).not.toMatch(/OTHER|Zebra/);
    expect((await get('/whois/AS-EXAMPLE-OTHER')).statusCode).toBe(404);
  });

  test('a query with flags takes the sources', async () => {
    const { body } = await get('/whois/query?key=AS64500&sources=other&as=text');
    expect(body).toMatch(/^% Objects of OTHER, another registry/);
    expect(body).toMatch(/as-name: +OTHER-EXAMPLE/);
    const page = await get('/whois/query?key=198.18.0.0%2F19&level=-x&types=route&sources=all');
    expect(page.body).toContain('-x -a -T route 198.18.0.0/19');
    expect(page.body).toContain('Zebra route');
    expect((await get('/whois/query?key=AS64500&sources=example&as=text')).body).not.toContain('OTHER');
    expect((await get('/whois/query?key=AS64500&sources=radb')).body).toContain('Objects of the source “RADB” aren’t kept here.');
  });

  test('nothing else of the portal has them', async () => {
    expect((await get('/rdap/autnum/64500')).body).not.toContain('OTHER');
    const metrics = await portal.http.inject({ url: '/metrics', headers: { host: 'portal.test' }, remoteAddress: '127.0.0.1' });
    expect(metrics.body).toContain('foreign_source_objects{source="OTHER"} 3');
  });
});
