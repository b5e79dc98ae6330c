import { crc32, inflateSync } from 'node:zlib';
import { LogoProblem, refuseSize } from './logo-problem.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Channels of a pixel and the bits that each may have, by the colour type (PNG, 11.2.2). */
const colourTypes: Readonly<Record<number, { channels: number; bits: readonly number[] }>> = {
  0: { channels: 1, bits: [1, 2, 4, 8, 16] },
  2: { channels: 3, bits: [8, 16] },
  3: { channels: 1, bits: [1, 2, 4, 8] },
  4: { channels: 2, bits: [8, 16] },
  6: { channels: 4, bits: [8, 16] },
};
/** The chunks that draw; all others, such as texts, times and places, are left out. */
const drawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

export const isPng = (file: Buffer): boolean => file.subarray(0, 8).equals(signature);

/**
 * Returns a PNG of the chunks that draw, and its size. Its pixels are unpacked once, in the bounds that its head says, to know that it is one.
 * @throws LogoProblem naming what is wrong
 */
export function readPng(file: Buffer): { bytes: Buffer; width: number; height: number } {
  const kept: Buffer[] = [signature];
  const data: Buffer[] = [];
  let head: Head | undefined;
  let ended = false;
  for (let at = 8; at < file.length && !ended; ) {
    if (at + 12 > file.length) throw new LogoProblem('The PNG is cut off');
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) throw new LogoProblem('The PNG is cut off');
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(end - 4)) throw new LogoProblem('The PNG is damaged');
    if ((type === 'IHDR') !== (head === undefined)) throw new LogoProblem('The PNG has no head, or two');
    if (type === 'IHDR') head = headOf(body);
    if (type === 'IDAT') data.push(body);
    if (drawing.has(type)) kept.push(file.subarray(at, end));
    else if (type[0] === type[0]!.toUpperCase()) throw new LogoProblem('The PNG has a part that isn’t of the standard');
    ended = type === 'IEND';
    at = end;
  }
  if (!head || !ended || data.length === 0) throw new LogoProblem('The PNG is cut off');
  let pixels: Buffer;
  try {
    pixels = inflateSync(Buffer.concat(data), { maxOutputLength: head.bytes });
  } catch {
    throw new LogoProblem('The PNG has other pixels than its size says');
  }
  if (pixels.length !== head.bytes) throw new LogoProblem('The PNG has other pixels than its size says');
  return { bytes: Buffer.concat(kept), width: head.width, height: head.height };
}

/** @property bytes that the unpacked pixels have */
type Head = { width: number; height: number; bytes: number };

/** @throws LogoProblem */
function headOf(body: Buffer): Head {
  if (body.length !== 13) throw new LogoProblem('The PNG is damaged');
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [bits, type, compression, filter, interlaced] = body.subarray(8) as unknown as [number, number, number, number, number];
  refuseSize({ width, height });
  const colours = colourTypes[type];
  if (!colours?.bits.includes(bits) || compression !== 0 || filter !== 0) throw new LogoProblem('The PNG is damaged');
  if (interlaced !== 0) throw new LogoProblem('The PNG is interlaced. Save it without');
  // A byte for the filter before each line (PNG, 7.3).
  return { width, height, bytes: height * (1 + Math.ceil((width * colours.channels * bits) / 8)) };
}
