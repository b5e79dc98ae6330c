import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { LogoProblem, type Picture, refuseSize, type Size } from './logo-problem.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A pixel of a colour type (PNG, 11.2.2): its channels, the bits that each may have, and the bytes of its one transparent colour; of a palette one for each colour. */
const colourTypes: Readonly<Record<number, { channels: number; bits: readonly number[]; transparency: number }>> = {
  0: { channels: 1, bits: [1, 2, 4, 8, 16], transparency: 2 },
  2: { channels: 3, bits: [8, 16], transparency: 6 },
  3: { channels: 1, bits: [1, 2, 4, 8], transparency: 1 },
  4: { channels: 2, bits: [8, 16], transparency: 0 },
  6: { channels: 4, bits: [8, 16], transparency: 0 },
};
const PALETTE = 3;
/** The highest type of filter of a line (PNG, 9.2). */
const LAST_FILTER = 4;

const damaged = (): LogoProblem => new LogoProblem('The PNG is damaged. Export it again');
const cutOff = (): LogoProblem => new LogoProblem('The PNG is cut off. Export it again');
const otherPixels = (): LogoProblem => new LogoProblem('The PNG has more or fewer pixels than its size says. Export it again');

export const isPng = (file: Buffer): boolean => file.subarray(0, 8).equals(signature);

/** @property line bytes of an unpacked line, with the one of its filter (PNG, 7.3) @property type its colour type @property colours at most in its palette */
type Head = Size & { body: Buffer; line: number; type: number; colours: number };
type Parts = { head: Head; palette: Buffer | null; transparency: Buffer | null; data: Buffer };

/**
 * Returns a PNG made anew of what draws: its pixels are unpacked in the bounds that its head says, and packed again, so that nothing else of the file is left.
 * @throws LogoProblem naming what is wrong
 */
export function readPng(file: Buffer): Picture {
  const { head, palette, transparency, data } = partsOf(file);
  const pixels = unpacked(data, head);
  const parts = [
    partAs('IHDR', head.body),
    ...(palette ? [partAs('PLTE', palette)] : []),
    ...(transparency ? [partAs('tRNS', transparency)] : []),
    partAs('IDAT', deflateSync(pixels, { level: 9 })),
    partAs('IEND', Buffer.alloc(0)),
  ];
  return { width: head.width, height: head.height, bytes: Buffer.concat([signature, ...parts]) };
}

/** Reads the parts that draw; others, such as texts, times, places and colour profiles, are left out. @throws LogoProblem */
function partsOf(file: Buffer): Parts {
  const found = new Map<string, Buffer[]>();
  let head: Head | undefined;
  for (let at = 8; !found.has('IEND'); ) {
    if (at + 12 > file.length) throw cutOff();
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) throw cutOff();
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, end - 4);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw damaged();
    if ((type === 'IHDR') !== (head === undefined)) throw damaged();
    head ??= headOf(body);
    if (!['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type)) {
      // A capital: a reader that doesn't know the part can't draw the picture (PNG, 5.4).
      if (/^[A-Z]/.test(type)) throw damaged();
    } else if (type !== 'IDAT' && found.has(type)) throw damaged();
    else found.set(type, [...(found.get(type) ?? []), body]);
    at = end;
  }
  const data = found.get('IDAT');
  if (!data) throw cutOff();
  const [palette, transparency] = [found.get('PLTE')?.[0] ?? null, found.get('tRNS')?.[0] ?? null];
  // In other pictures a palette is advice.
  const drawn = head!.type === PALETTE ? palette : null;
  if (head!.type === PALETTE && !isPalette(drawn, head!)) throw damaged();
  const { transparency: bytes } = colourTypes[head!.type]!;
  if (transparency && bytes > 0 && !(drawn ? transparency.length <= drawn.length / 3 : transparency.length === bytes)) throw damaged();
  return { head: head!, palette: drawn, transparency: bytes === 0 ? null : transparency, data: Buffer.concat(data) };
}

const isPalette = (palette: Buffer | null, { colours }: Head): palette is Buffer =>
  palette !== null && palette.length > 0 && palette.length % 3 === 0 && palette.length / 3 <= colours;

/** Unpacks the pixels, at most as many as the head says. @throws LogoProblem */
function unpacked(data: Buffer, { height, line }: Head): Buffer {
  let pixels: Buffer;
  try {
    pixels = inflateSync(data, { maxOutputLength: height * line });
  } catch {
    throw otherPixels();
  }
  if (pixels.length !== height * line) throw otherPixels();
  for (let at = 0; at < pixels.length; at += line) if (pixels[at]! > LAST_FILTER) throw damaged();
  return pixels;
}

/** @throws LogoProblem */
function headOf(body: Buffer): Head {
  if (body.length !== 13) throw damaged();
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [bits, type, compression, filter, interlaced] = [...body.subarray(8)] as [number, number, number, number, number];
  const colours = colourTypes[type];
  if (!colours?.bits.includes(bits) || compression !== 0 || filter !== 0) throw damaged();
  refuseSize({ width, height });
  if (interlaced !== 0) throw new LogoProblem('The PNG is interlaced. Export it without interlacing');
  return { width, height, body, type, line: 1 + Math.ceil((width * colours.channels * bits) / 8), colours: 2 ** bits };
}

function partAs(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, 'latin1');
  body.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), body.length + 8);
  return whole;
}
