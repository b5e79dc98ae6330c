import { crc32, inflateSync } from 'node:zlib';
import { LogoProblem } from './svg-logo.ts';

/** The largest PNG that is read, in bytes, and its sides in pixels. */
export const LARGEST_PNG = 192 * 1024;
const MAX_WIDTH = 2048;
const MAX_HEIGHT = 1024;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Channels of a pixel by its colour type (PNG, 11.2.2). */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The chunks that draw; all others, such as texts, times and places, are left out. */
const drawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

export const isPng = (file: Buffer): boolean => file.subarray(0, 8).equals(signature);

/**
 * Returns a PNG of the chunks that draw, and its size. Its pixels are unpacked once, in the bounds that its head says, to know that it is one.
 * @throws LogoProblem naming what is wrong
 */
export function readPng(file: Buffer): { png: Buffer; width: number; height: number } {
  if (file.length > LARGEST_PNG) throw new LogoProblem(`The PNG is larger than ${LARGEST_PNG / 1024} kB`);
  if (!isPng(file)) throw new LogoProblem('The file is neither an SVG nor a PNG');
  const kept: Buffer[] = [signature];
  const data: Buffer[] = [];
  let head: { width: number; height: number; bytes: number } | undefined;
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
  return { png: Buffer.concat(kept), width: head.width, height: head.height };
}

/** @throws LogoProblem */
function headOf(body: Buffer): { width: number; height: number; bytes: number } {
  if (body.length !== 13) throw new LogoProblem('The PNG is damaged');
  const [width, height, depth, type, compression, filter, interlaced] = [
    body.readUInt32BE(0),
    body.readUInt32BE(4),
    ...body.subarray(8),
  ] as number[];
  if (!width || !height || width > MAX_WIDTH || height > MAX_HEIGHT)
    throw new LogoProblem(`The PNG is ${width} by ${height} pixels. It may be ${MAX_WIDTH} by ${MAX_HEIGHT} at most`);
  const perPixel = channels[type!];
  if (perPixel === undefined || ![1, 2, 4, 8, 16].includes(depth!) || compression !== 0 || filter !== 0)
    throw new LogoProblem('The PNG is damaged');
  if (interlaced !== 0) throw new LogoProblem('The PNG is interlaced. Save it without');
  // A byte for the filter before each line (PNG, 7.3).
  return { width, height, bytes: height * (1 + Math.ceil((width * perPixel * depth!) / 8)) };
}
