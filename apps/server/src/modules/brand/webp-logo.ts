import { LogoProblem, type Picture, refuseSize, type Size } from './logo-problem.ts';

export const isWebp = (file: Buffer): boolean => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/** In the head of an extended file: it has an alpha channel (RFC 9649, 2.7). */
const HAS_ALPHA = 0x10;

type Chunk = { type: string; body: Buffer };

const cutOff = (): LogoProblem => new LogoProblem('The WebP is cut off. Export it again');

/** Size of a lossy picture (RFC 6386, 9.1), or of a lossless one (RFC 9649, 3.4). @throws LogoProblem */
function sizeOf({ type, body }: Chunk): Size {
  const isLossy = type === 'VP8 ';
  const isWhole = isLossy
    ? body.length > 10 && (body[0]! & 1) === 0 && body.readUIntBE(3, 3) === 0x9d012a
    : body.length > 5 && body[0] === 0x2f && body[4]! >>> 5 === 0;
  if (!isWhole) throw new LogoProblem('The WebP is damaged. Export it again');
  if (isLossy) return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  const bits = body.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** @throws LogoProblem where the file ends before its parts do */
function chunksOf(file: Buffer): Chunk[] {
  if (file.length < 20 || file.readUInt32LE(4) + 8 !== file.length) throw cutOff();
  const chunks: Chunk[] = [];
  for (let at = 12; at < file.length; ) {
    const length = at + 8 <= file.length ? file.readUInt32LE(at + 4) : file.length;
    if (at + 8 + length > file.length) throw cutOff();
    chunks.push({ type: file.toString('latin1', at, at + 4), body: file.subarray(at + 8, at + 8 + length) });
    // Each part ends on an even byte.
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function chunkAs({ type, body }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/**
 * Returns a WebP made anew of the parts that draw, without places, times and profiles. Its picture is as it was: browsers unpack it, in the bounds that it says itself.
 * @throws LogoProblem naming what is wrong
 */
export function readWebp(file: Buffer): Picture {
  const chunks = chunksOf(file);
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) throw new LogoProblem('The WebP is animated. Export a still picture');
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const picture = pictures[0];
  if (!picture || pictures.length > 1) throw new LogoProblem('The WebP has no picture, or several. Export it again');
  const size = sizeOf(picture);
  refuseSize(size);
  const alpha = picture.type === 'VP8 ' ? chunks.find(({ type }) => type === 'ALPH') : undefined;
  const parts = alpha ? [extendedHead(size), alpha, picture] : [picture];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts.map(chunkAs)]);
  return { ...size, bytes: chunkAs({ type: 'RIFF', body }) };
}

function extendedHead({ width, height }: Size): Chunk {
  const body = Buffer.alloc(10);
  body[0] = HAS_ALPHA;
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return { type: 'VP8X', body };
}
