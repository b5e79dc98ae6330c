import { api } from '@portal/contract/api';
import { brandPreviewCookie } from '@portal/contract/brand/brand-values';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { kinds, testPortal } from '../../../test/portal.ts';
import { read } from './logo-thread.ts';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

const part = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
};
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const headOf = (width: number, height: number, more: readonly number[]): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(more, 8);
  return part('IHDR', head);
};
type Drawn = { pixels?: Buffer; head?: readonly number[]; more?: readonly (readonly [type: string, body: Buffer])[]; hidden?: Buffer };

/** A PNG, of 8 bits and four channels unless its head says otherwise. @param hidden bytes behind its pixels */
const png = (width: number, height: number, { pixels, head = [8, 6, 0, 0, 0], more = [], hidden = Buffer.alloc(0) }: Drawn = {}): Buffer =>
  Buffer.concat([
    signature,
    headOf(width, height, head),
    ...more.map(([type, body]) => part(type, body)),
    part('IDAT', Buffer.concat([deflateSync(pixels ?? Buffer.alloc(height * (1 + width * 4))), hidden])),
    part('IEND', Buffer.alloc(0)),
  ]);

const problemOf = (content: string | Buffer): string => {
  try {
    read(base64(content));
  } catch (error) {
    return String((error as { problems?: { message: string }[] }).problems?.[0]?.message ?? (error as Error).message);
  }
  return 'taken';
};

/** A WebP of parts, without a picture that a browser could draw: what counts is its head. */
function webp(...parts: readonly (readonly [type: string, body: Buffer])[]): Buffer {
  const chunks = parts.map(([type, body]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  });
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.alloc(8);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
const lossless = (width: number, height: number): Buffer => {
  const body = Buffer.alloc(9, 7);
  body[0] = 0x2f;
  body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return body;
};
const lossy = (width: number, height: number): Buffer => {
  const body = Buffer.alloc(14);
  body.writeUIntBE(0x9d012a, 3, 3);
  body.writeUInt16LE(width, 6);
  body.writeUInt16LE(height, 8);
  return body;
};

test('a PNG is kept without what does not draw', () => {
  const pixels = Buffer.from(Array.from({ length: 100 * 1201 }, (_, at) => (at % 1201 === 0 ? 0 : at % 251)));
  const more = [['tEXt', Buffer.from('Author\0Corin, at 12 Reef Road')]] as const;
  const logo = read(base64(Buffer.concat([png(300, 100, { pixels, more, hidden: Buffer.from('Corin too') }), Buffer.from('<script>')])));
  expect(logo).toMatchObject({ width: 300, height: 100, name: expect.stringMatching(/-300\.png$/) });
  const kept = Buffer.from(logo.content, 'base64');
  expect(kept.toString('latin1')).not.toMatch(/Corin|script/);
  expect(inflateSync(kept.subarray(kept.indexOf('IDAT') + 4))).toEqual(pixels);
  expect(read(logo.content)).toEqual(logo);
});

test('a PNG with a palette keeps its colours and what is transparent', () => {
  const colours = ['PLTE', Buffer.from([0, 92, 173, 255, 255, 255])] as const;
  const indexed = (...more: Drawn['more'] & {}) => png(8, 1, { pixels: Buffer.from([0, 0b01010101]), head: [1, 3, 0, 0, 0], more });
  const logo = read(base64(indexed(colours, ['tRNS', Buffer.from([255, 0])])));
  const kept = Buffer.from(logo.content, 'base64').toString('latin1');
  expect([kept.includes('PLTE'), kept.includes('tRNS')]).toEqual([true, true]);
  expect(problemOf(indexed())).toContain('damaged');
  expect(problemOf(indexed(colours, colours))).toContain('damaged');
  expect(problemOf(indexed(['PLTE', Buffer.alloc(9)]))).toContain('damaged');
  expect(problemOf(indexed(colours, ['tRNS', Buffer.alloc(3)]))).toContain('damaged');
});

test('a WebP is kept without what does not draw', () => {
  const logo = read(
    base64(webp(['VP8X', Buffer.alloc(10)], ['ALPH', Buffer.from('alpha')], ['VP8 ', lossy(300, 100)], ['EXIF', Buffer.from('Corin')])),
  );
  expect(logo).toMatchObject({ width: 300, height: 100, name: expect.stringMatching(/^[0-9a-f]{64}-300\.webp$/) });
  const kept = Buffer.from(logo.content, 'base64');
  expect(kept.toString('latin1')).not.toContain('Corin');
  // What was made is a WebP itself.
  expect(read(logo.content)).toEqual(logo);
  expect(read(base64(webp(['VP8L', lossless(40, 20)])))).toMatchObject({ width: 40, height: 20 });
});

test.each([
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'Export it as a PNG or WebP'],
  ['an SVG with a declaration', '\uFEFF<?xml version="1.0"?><svg/>', 'Export it as a PNG or WebP'],
  ['a page', '<!doctype html><script>alert(1)</script>', 'Export it as a PNG or WebP'],
  ['a PDF', '%PDF-1.7', 'neither a PNG nor a WebP'],
  ['nothing', '', 'neither a PNG nor a WebP'],
  ['200 kB', Buffer.alloc(200_000), 'larger than 192 kB'],
  ['a WebP that moves', webp(['VP8X', Buffer.alloc(10)], ['ANIM', Buffer.alloc(6)], ['ANMF', Buffer.alloc(24)]), 'animated'],
  ['a WebP without a picture', webp(['VP8X', Buffer.alloc(10)]), 'no picture, or several'],
  ['a WebP of 16,000 pixels', webp(['VP8L', lossless(16_000, 20)]), 'at most 2048 by 1024'],
  ['a WebP of no pixels', webp(['VP8 ', lossy(0, 20)]), 'at most 2048 by 1024'],
  ['a WebP with another head', webp(['VP8L', Buffer.alloc(20)]), 'damaged'],
  ['half a WebP', webp(['VP8L', lossless(40, 20)]).subarray(0, 24), 'cut off'],
  ['a WebP with a part that is longer than the file', webp(['VP8L', Buffer.alloc(0)]).fill(0xff, 16, 20), 'cut off'],
])('%s is refused', (_what, content, words) => {
  expect(problemOf(content)).toContain(words);
});

test.each([
  ['30,000 by 30,000 pixels', png(30_000, 30_000, { pixels: Buffer.alloc(100) }), 'at most 2048 by 1024'],
  ['more pixels than its size', png(10, 10, { pixels: Buffer.alloc(20_000_000) }), 'more or fewer pixels than its size says'],
  ['fewer pixels than its size', png(100, 100, { pixels: Buffer.alloc(10) }), 'more or fewer pixels than its size says'],
  ['a filter that there isn’t', png(1, 1, { pixels: Buffer.alloc(5, 9) }), 'damaged'],
  ['colours that there aren’t', png(1, 1, { head: [3, 6, 0, 0, 0] }), 'damaged'],
  ['a part that must be known', png(1, 1, { more: [['ABCD', Buffer.alloc(1)]] }), 'damaged'],
  ['lines that are sent in turns', png(1, 1, { head: [8, 6, 0, 0, 1] }), 'without interlacing'],
  ['a cut', png(10, 10).subarray(0, 60), 'cut off'],
  ['another byte', Buffer.from(png(10, 10).map((byte, at) => (at === 20 ? byte ^ 1 : byte))), 'damaged'],
])('a PNG of %s is refused', (_what, content, words) => {
  expect(problemOf(content)).toContain(words);
});

test.each(kinds)('two people put a logo on every page, and before that no one sees it, with the database %s', async kind => {
  await using portal = await testPortal(kind);
  const host = new URL(portal.context.config.appUrl).host;
  const get = (url: string, cookie = '') => portal.http.inject({ url, headers: { host, cookie } });
  const [stella, stan] = await Promise.all([portal.as('stella'), portal.as('stan')]);
  const refused = await stella(api.brand.uploadBrandLogo, { body: { content: base64('<svg><script/></svg>') } });
  expect(refused).toMatchObject({ status: 400, errors: [{ message: expect.stringContaining('Export it as a PNG or WebP') }] });
  expect((await stella(api.brand.uploadBrandLogo, { body: { content: 'A'.repeat(20_000_000) } })).status).toBe(413);
  const { name } = (await stella(api.brand.uploadBrandLogo, { body: { content: base64(png(300, 100)) } })).data!;
  expect((await get(`/brand/${name}`)).statusCode).toBe(404);
  const body = { validFrom: null, values: [{ name: 'logoLight' as const, value: name }], reason: 'A new logo' };
  const other = { ...body, values: [{ name: 'logoDark' as const, value: name.replace(/^./, sign => (sign === '0' ? '1' : '0')) }] };
  expect(await stella(api.brand.prepareBrandChange, { body: other })).toMatchObject({
    status: 400,
    errors: [{ message: 'Logo in the dark theme: no such logo was uploaded. Upload its file' }],
  });
  const { changeId, preview } = (await stella(api.brand.prepareBrandChange, { body })).data!;
  expect((await get(`/brand/${name}`)).statusCode).toBe(404);
  expect((await get(`/brand/${name}`, `${brandPreviewCookie}=${preview!}`)).headers['cache-control']).toBe('no-store');
  await stella(api.brand.confirmBrandChange, { changeId });
  const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
  const { proposalId, fingerprint } = waiting.find(({ link }) => link === `/desk/brand?change=${changeId}`)!;
  await stan(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
  const shown = await get(`/brand/${name}`);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  const etag = shown.headers['etag'] as string;
  const again = await portal.http.inject({ url: `/brand/${name}`, headers: { host, 'if-none-match': etag } });
  expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'public, max-age=31536000, immutable']);
  // What was uploaded again is the same logo.
  expect((await stella(api.brand.uploadBrandLogo, { body: { content: base64(png(300, 100)) } })).data).toEqual({ name });
  expect((await get('/accessibility')).body).toContain(`url(/brand/${name})`);
  expect((await get('/brand/../../etc/passwd')).statusCode).toBe(404);
});
