import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { NamedPictures } from '@portal/contract/markdown';

/** A picture of an article, in light colours and, where there is one, in dark ones. */
export type Picture = { width: number; height: number; light: PictureFile; dark: PictureFile | null };
/** @property address with a digest of its bytes, so that browsers may keep it for good */
export type PictureFile = { address: string; type: string; bytes: Buffer };

/** Pictures by their names in articles. */
export type Pictures = ReadonlyMap<string, Picture>;

/** Pixels that the pictures of the program have for one of the page: sharp on screens of today. */
const DENSITY = 2;
/** Bytes of a picture: a page with several of them has to arrive on a poor line too. */
const MAX_BYTES = 300_000;

const types = { webp: 'image/webp', png: 'image/png' } as const;
const nameOfFile = /^([a-z0-9][a-z0-9-]{0,79})(\.dark)?\.(webp|png)$/;

/**
 * Width and height of a picture, from its first bytes.
 * @throws Error for anything but PNG (ISO 15948, 11.2.2) and WebP (RFC 9649, 2.5 to 2.7)
 */
export function sizeOf(bytes: Buffer): { width: number; height: number } {
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47 && bytes.toString('latin1', 12, 16) === 'IHDR';
  if (isPng) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.length > 30 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    switch (bytes.toString('latin1', 12, 16)) {
      case 'VP8 ':
        return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
      case 'VP8L': {
        const bits = bytes.readUInt32LE(21);
        return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      }
      case 'VP8X':
        return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    }
  throw new Error('it must be a PNG or WebP picture');
}

/**
 * Reads the pictures of a folder of articles, which are in its folder `pictures`: `create-a-roa.webp`, and beside it `create-a-roa.dark.webp` for dark colours.
 * @param density pixels of the file for one of the page
 * @throws Error that names the file and says what is wrong
 */
export function readPictures(folder: string, density = 1): Pictures {
  const inside = path.join(folder, 'pictures');
  if (!fs.existsSync(inside)) return new Map();
  const light = new Map<string, { file: PictureFile; width: number; height: number }>();
  const dark = new Map<string, PictureFile>();
  for (const each of fs.readdirSync(inside).filter(name => !name.startsWith('.') && !name.endsWith('.txt'))) {
    try {
      const [, name, inDark, ending] = nameOfFile.exec(each) ?? [];
      if (name === undefined) throw new Error('its name must be of small letters, digits and hyphens, and end with .webp or .png');
      const bytes = fs.readFileSync(path.join(inside, each));
      if (bytes.length > MAX_BYTES) throw new Error(`it has ${bytes.length} bytes; at most ${MAX_BYTES} are shown`);
      const size = sizeOf(bytes);
      const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
      const file = { address: `/help/pictures/${each}?v=${digest}`, type: types[ending as keyof typeof types], bytes };
      if (inDark === undefined)
        light.set(name, { file, width: Math.round(size.width / density), height: Math.round(size.height / density) });
      else dark.set(name, file);
    } catch (error) {
      throw new Error(`The help picture ${path.join(inside, each)}: ${(error as Error).message}.`, { cause: error });
    }
  }
  for (const name of dark.keys())
    if (!light.has(name)) throw new Error(`The help picture ${path.join(inside, name)} has dark colours only; ${name}.webp is missing.`);
  return new Map([...light].map(([name, { file, ...size }]) => [name, { ...size, light: file, dark: dark.get(name) ?? null }]));
}

/** Pictures of the program, which its stories make of the demo registry (`e2e/help-pictures.e2e.ts`). */
export const readOwnPictures = (folder: string): Pictures => readPictures(folder, DENSITY);

/** Pictures as texts show them: by their addresses. */
export const named = (pictures: Pictures): NamedPictures =>
  new Map([...pictures].map(([name, { light, dark, ...size }]) => [name, { ...size, light: light.address, dark: dark?.address ?? null }]));
