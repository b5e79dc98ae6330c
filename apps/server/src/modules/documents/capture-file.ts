import { cutOff, FileRefused } from './file-refused.ts';
import type { Pieces } from './file-store.ts';

/** Number of packets checked; later ones are assumed to be similar. */
const LOOKED_AT = 1000;
const isLittle: Readonly<Record<string, boolean>> = { d4c3b2a1: true, '4d3cb2a1': true, a1b2c3d4: false, a1b23c4d: false };
const SECTION = '0a0d0d0a';

/** Returns whether a file begins as a packet capture: of libpcap, with microseconds or nanoseconds, or pcapng. */
export const beginsAsCapture = (head: Buffer): boolean => {
  const mark = head.toString('hex', 0, 4);
  return mark === SECTION || mark in isLittle;
};

/**
 * Checks that packets follow each other (draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng). The last one may be truncated, because captures are
 * interrupted. @throws FileRefused
 */
export async function checkCapture(pieces: Pieces): Promise<void> {
  const head = await pieces.at(0, 24);
  if (head.length < 24) throw new FileRefused(cutOff);
  const mark = head.toString('hex', 0, 4);
  return mark === SECTION ? checkSections(pieces, head) : checkPackets(pieces, head, isLittle[mark]!);
}

const number = (bytes: Buffer, offset: number, little: boolean): number =>
  little ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);

async function checkPackets({ bytes, at }: Pieces, head: Buffer, little: boolean): Promise<void> {
  const major = little ? head.readUInt16LE(4) : head.readUInt16BE(4);
  if (major !== 2) throw new FileRefused('it is no packet capture of version 2');
  let offset = 24;
  for (let seen = 0; seen < LOOKED_AT && offset + 16 <= bytes; seen++) {
    const length = number(await at(offset, 16), 8, little);
    if (length > bytes) throw new FileRefused(cutOff);
    offset += 16 + length;
  }
}

async function checkSections({ bytes, at }: Pieces, head: Buffer): Promise<void> {
  const order = head.toString('hex', 8, 12);
  if (order !== '1a2b3c4d' && order !== '4d3c2b1a') throw new FileRefused(cutOff);
  const little = order === '4d3c2b1a';
  let offset = 0;
  for (let seen = 0; seen < LOOKED_AT && offset + 12 <= bytes; seen++) {
    const length = number(await at(offset, 12), 4, little);
    if (length < 12 || length % 4 !== 0 || length > bytes) throw new FileRefused(cutOff);
    offset += length;
  }
}
