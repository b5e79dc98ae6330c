import { expect, test } from 'vitest';
import { pictureAddress, pictureSize } from './picture.ts';

const png = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
};
/** A JPEG up to its frame header, behind a segment of the application. */
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 0x01, 0x2c, 0x02, 0x58, 1, 1, 0x11, 0, 0]);

test('the size of a picture is read from its first bytes', () => {
  expect(pictureSize('png', png(640, 480))).toEqual({ width: 640, height: 480 });
  expect(pictureSize('jpg', jpeg)).toEqual({ width: 600, height: 300 });
  expect(pictureSize('png', new Uint8Array(8))).toBeNull();
  expect(pictureSize('jpg', new Uint8Array([0xff, 0xd8, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeNull();
});

test('a picture is of the type that the registry found, and one that would fill the memory isn’t shown', async () => {
  expect(await pictureAddress('png', new Blob([png(640, 480)], { type: 'text/html' }))).toMatch(/^data:image\/png;base64,/);
  expect(await pictureAddress('png', new Blob([png(30_000, 30_000)]))).toBeNull();
});
