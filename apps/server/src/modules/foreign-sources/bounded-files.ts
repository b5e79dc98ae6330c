import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Breathe } from '../../platform/breathing.ts';
import { LONGEST_OBJECT } from './kept-object.ts';
import { SourceProblem } from './source-problem.ts';

/** Bytes of a file once it is unpacked: the largest registries have a tenth. */
const MAX_UNPACKED = 16 * 2 ** 30;

const reasonOf = (error: unknown): string => (error as { code?: string }).code ?? (error as Error).message;

/** The bytes of a file, unpacked where they are gzip's. @throws SourceProblem for a file that ends in the middle, isn't what it says, or unpacks without end */
export async function* unpacked(file: string, most: number = MAX_UNPACKED): AsyncGenerator<Buffer, void, void> {
  const source = createReadStream(file, { highWaterMark: 262_144 });
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const first = await iterator.next();
    if (first.done) return;
    const whole = async function* (): AsyncGenerator<Buffer> {
      yield first.value;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    };
    let bytes = 0;
    const counted = (chunk: Buffer): Buffer => {
      bytes += chunk.length;
      if (bytes > most) throw new SourceProblem(`A file has more than ${most} bytes once it is unpacked.`);
      return chunk;
    };
    if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
      for await (const chunk of whole()) yield counted(chunk);
      return;
    }
    const out = new PassThrough();
    const unpacking = pipeline(whole, createGunzip(), out).catch((error: unknown) => {
      throw new SourceProblem(`A compressed file ends in the middle, or is damaged (${reasonOf(error)}).`);
    });
    unpacking.catch(() => {});
    try {
      for await (const chunk of out as Readable & AsyncIterable<Buffer>) yield counted(chunk);
    } catch (error) {
      if (error instanceof SourceProblem) throw error;
      await unpacking;
      throw error;
    }
    await unpacking;
  } finally {
    source.destroy();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** UTF-8, or Latin-1 where it isn't. */
export function decoded(latin1: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is the same in both
  if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1;
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}

/** An empty line, or one of blanks. */
const blank = /\n[ \t]*\n/g;

/** The paragraphs of a file of objects one by one. @throws SourceProblem for one that is too long, and for a file whose last line has no end */
export async function* paragraphsIn(chunks: AsyncIterable<Buffer>, breathe: Breathe): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of chunks) {
    // An empty line may have begun in the chunk before.
    const searched = Math.max(0, rest.lastIndexOf('\n'));
    rest += chunk.toString('latin1').replaceAll('\r', '');
    let from = 0;
    blank.lastIndex = searched;
    for (let end = blank.exec(rest); end; end = blank.exec(rest)) {
      const text = rest.slice(from, end.index + 1);
      refuseLong(text.length);
      if (text.trim() !== '') yield decoded(text);
      from = end.index + end[0].length - 1;
      blank.lastIndex = from;
      await breathe();
    }
    rest = rest.slice(from);
    refuseLong(rest.length);
  }
  if (rest.trim() === '') return;
  if (!rest.endsWith('\n')) throw new SourceProblem('A file ends in the middle of a line.');
  yield decoded(rest);
}

function refuseLong(length: number): void {
  if (length > LONGEST_OBJECT) throw new SourceProblem(`An object has more than ${LONGEST_OBJECT} characters.`);
}

/** Bytes of one record of NRTM 4: JSON writes some letters in six bytes. */
const LONGEST_RECORD = 4 * LONGEST_OBJECT;

/** The texts of a JSON text sequence (RFC 7464) one by one. @throws SourceProblem for anything else */
export async function* recordsIn(chunks: AsyncIterable<Buffer>, breathe: Breathe): AsyncGenerator<unknown, void, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let hasBegun = false;
  const parsed = (): unknown => {
    const text = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    bytes = 0;
    if (!text.endsWith('\n')) throw new SourceProblem('A file of NRTM 4 ends in the middle of a record.');
    try {
      return JSON.parse(text);
    } catch {
      throw new SourceProblem('A file of NRTM 4 has a record that isn’t JSON.');
    }
  };
  for await (const chunk of chunks) {
    let at = 0;
    if (!hasBegun) {
      if (chunk[0] !== 0x1e) throw new SourceProblem('A file of NRTM 4 doesn’t begin with a record.');
      hasBegun = true;
      at = 1;
    }
    for (let next = chunk.indexOf(0x1e, at); next >= 0; next = chunk.indexOf(0x1e, at)) {
      pieces.push(chunk.subarray(at, next));
      yield parsed();
      at = next + 1;
      await breathe();
    }
    pieces.push(chunk.subarray(at));
    bytes += chunk.length - at;
    if (bytes > LONGEST_RECORD) throw new SourceProblem(`A record of NRTM 4 has more than ${LONGEST_RECORD} bytes.`);
  }
  if (hasBegun) yield parsed();
}
