import { api } from '@portal/contract/api';
import { brandPreviewCookie } from '@portal/contract/brand/brand-values';
import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { read } from './logo-thread.ts';

const svg = (inside: string, head = '') => `${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">${inside}</svg>`;
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const plain = svg('<title>NIC</title><g fill="#0b5cad"><path d="M0 0h300v100H0z"/><circle cx="50" cy="50" r="20" fill="url(#g)"/></g>');

function png(width: number, height: number, { pixels, more = [] }: { pixels?: Buffer; more?: readonly Buffer[] } = {}): Buffer {
  const chunk = (type: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const whole = Buffer.alloc(named.length + 8);
    whole.writeUInt32BE(body.length, 0);
    named.copy(whole, 4);
    whole.writeUInt32BE(crc32(named), named.length + 4);
    return whole;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const data = deflateSync(pixels ?? Buffer.alloc(height * (1 + width * 4)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...more.map(text => chunk('tEXt', text)),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const problemOf = (content: string | Buffer): string => {
  try {
    read(base64(content));
  } catch (error) {
    return String((error as { problems?: { message: string }[] }).problems?.[0]?.message ?? (error as Error).message);
  }
  return 'taken';
};

test('a picture is made anew of what draws', () => {
  const logo = read(base64(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${plain}`));
  expect(logo.name).toMatch(/^[0-9a-f]{64}-300\.svg$/);
  expect(Buffer.from(logo.content, 'base64').toString()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><g fill="#0b5cad"><path d="M0 0h300v100H0z"/><circle cx="50" cy="50" r="20" fill="url(#g)"/></g></svg>',
  );
});

test.each([
  ['a script', svg('<script>alert(1)</script>'), 'the element <script>'],
  ['a script of another name space', svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'), 'the element <x:script>'],
  ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>'), 'the element <SCRIPT>'],
  ['a handler', svg('<path d="M0 0" onload="alert(1)"/>'), 'the attribute onload'],
  ['a handler of the root', plain.replace('<svg', '<svg onload="alert(1)"'), 'the attribute onload'],
  ['HTML', svg('<foreignObject><p>x</p></foreignObject>'), 'the element <foreignObject>'],
  ['a link', svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'), 'the element <a>'],
  ['a reference', svg('<use href="https://evil.example/x.svg#a"/>'), 'the element <use>'],
  ['a picture of elsewhere', svg('<image href="https://evil.example/x.png"/>'), 'the element <image>'],
  ['a style sheet', svg('<style>@import url(https://evil.example/)</style>'), 'the element <style>'],
  ['a style', svg('<path style="background:url(https://evil.example/)" d="M0 0"/>'), 'the attribute style'],
  ['a colour of elsewhere', svg('<path fill="url(https://evil.example/#a)" d="M0 0"/>'), 'isn’t a shape, colour or size'],
  ['an animation', svg('<animate attributeName="href" to="javascript:alert(1)"/>'), 'the element <animate>'],
  ['an entity', svg('<path d="&x;"/>', '<!DOCTYPE svg [<!ENTITY x "M0 0">]>'), 'which isn’t part of a picture'],
  [
    'a bomb of entities',
    svg('<title>&c;</title>', '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'),
    'which isn’t part of a picture',
  ],
  ['an entity of a file', svg('', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), 'which isn’t part of a picture'],
  ['a processing instruction', svg('', '<?xml-stylesheet href="https://evil.example/x.css"?>'), 'which isn’t part of a picture'],
  ['CDATA', svg('<![CDATA[<script>]]>'), 'which isn’t part of a picture'],
  ['a text', svg('Hello'), 'Convert texts to paths'],
  ['two drawings', `${plain}${plain}`, 'one <svg> and nothing else'],
  ['no box', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', 'no viewBox'],
  ['half a drawing', '<svg viewBox="0 0 1 1"><g>', 'isn’t a whole SVG'],
  ['a page', '<html><body>x</body></html>', 'the element <html>'],
  ['too many elements', svg('<g/>'.repeat(3000)), 'more than 2000 elements'],
  ['a deep nest', svg('<g>'.repeat(40) + '</g>'.repeat(40)), 'elements deep'],
  ['too long a text', svg(`<path d="${'M0 0'.repeat(20_000)}"/>`), 'larger than 64 kB'],
  ['bytes', Buffer.from([0x3c, 0x73, 0xff, 0xfe]), 'isn’t in UTF-8'],
  ['a PDF', '%PDF-1.7', 'neither an SVG nor a PNG'],
])('%s is refused', (_what, content, words) => {
  expect(problemOf(content)).toContain(words);
});

test('a PNG is kept without what does not draw', () => {
  const logo = read(base64(png(300, 100, { more: [Buffer.from('Author\0Corin, at 12 Reef Road')] })));
  expect(logo).toMatchObject({ width: 300, height: 100, name: expect.stringMatching(/-300\.png$/) });
  expect(Buffer.from(logo.content, 'base64').toString('latin1')).not.toContain('Corin');
});

test.each([
  ['30,000 by 30,000 pixels', png(30_000, 30_000, { pixels: Buffer.alloc(100) }), '2048 by 1024 at most'],
  ['more pixels than its size', png(10, 10, { pixels: Buffer.alloc(20_000_000) }), 'other pixels than its size says'],
  ['fewer pixels than its size', png(100, 100, { pixels: Buffer.alloc(10) }), 'other pixels than its size says'],
  ['a cut', png(10, 10).subarray(0, 60), 'cut off'],
  ['another byte', Buffer.from(png(10, 10).map((byte, at) => (at === 20 ? byte ^ 1 : byte))), 'damaged'],
])('a PNG of %s is refused', (_what, content, words) => {
  expect(problemOf(content)).toContain(words);
});

test('two people put a logo on every page, and before that no one sees it', async () => {
  await using portal = await testPortal();
  const host = new URL(portal.context.config.appUrl).host;
  const get = (url: string, cookie = '') => portal.http.inject({ url, headers: { host, cookie } });
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const refused = await stella(api.brand.uploadBrandLogo, { body: { content: base64(svg('<script/>')) } });
  expect(refused).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('<script>') }] });
  expect((await stella(api.brand.uploadBrandLogo, { body: { content: 'A'.repeat(20_000_000) } })).status).toBe(413);
  const { name } = (await stella(api.brand.uploadBrandLogo, { body: { content: base64(plain) } })).data!;
  expect((await get(`/brand/${name}`)).statusCode).toBe(404);
  const body = { validFrom: null, values: [{ name: 'logoLight' as const, value: name }], reason: 'A new logo' };
  const { changeId, preview } = (await stella(api.brand.prepareBrandChange, { body })).data!;
  expect((await get(`/brand/${name}`)).statusCode).toBe(404);
  expect((await get(`/brand/${name}`, `${brandPreviewCookie}=${preview!}`)).headers['cache-control']).toBe('no-store');
  await stella(api.brand.confirmBrandChange, { changeId });
  const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(({ link }) => link === `/desk/brand?change=${changeId}`)!;
  await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  const shown = await get(`/brand/${name}`);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect((await get('/accessibility')).body).toContain(`url(/brand/${name})`);
  expect((await get('/brand/../../etc/passwd')).statusCode).toBe(404);
});
