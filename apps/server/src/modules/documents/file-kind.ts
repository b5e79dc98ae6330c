import type { FileKind } from '@portal/contract/file-kinds';
import { promisify } from 'node:util';
import { breathing } from '../../platform/breathing.ts';
import { createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import { beginsAsCapture, checkCapture } from './capture-file.ts';
import { acceptedKinds as accepted, cutOff as cut, FileRefused } from './file-refused.ts';
import type { Pieces } from './file-store.ts';
import { beginsAsText, checkText } from './text-file.ts';

const inflate = promisify(inflateRaw);

/** First bytes of common files that are not accepted; [signature, words]. */
const known: readonly [string, string][] = [
  ['4d5a', `its content is a program. ${capital(accepted)}`],
  ['7f454c46', `its content is a program. ${capital(accepted)}`],
  ['cafebabe', `its content is a program. ${capital(accepted)}`],
  ['2321', `its content is a script. ${capital(accepted)}`],
  ['d0cf11e0a1b11ae1', 'it’s an old Office file or has a password. Save it as .docx or .xlsx without a password, or as PDF'],
  ['47494638', 'it is a GIF image. Save it as PNG'],
  ['52494646', `its type isn’t accepted. ${capital(accepted)}`],
  ['49492a00', 'it is a TIFF image. Save it as PDF or PNG'],
  ['4d4d002a', 'it is a TIFF image. Save it as PDF or PNG'],
  ['377abcaf271c', 'it’s an archive. Upload the files one by one'],
  ['526172211a07', 'it’s an archive. Upload the files one by one'],
  ['1f8b', 'it’s an archive. Upload the files one by one'],
];

function capital(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1);
}

/**
 * Returns the kind of a file by its first bytes (at most 1,024), ignoring its name. Spreadsheets and Word documents start the same: `checkStructure`
 * distinguishes them.
 * @throws FileRefused
 */
export function kindOf(head: Buffer): FileKind {
  if (head.length === 0) throw new FileRefused('it is empty');
  const hex = head.toString('hex');
  if (hex.startsWith('89504e470d0a1a0a')) return 'png';
  if (hex.startsWith('ffd8ff')) return 'jpg';
  if (hex.startsWith('504b0304')) return 'docx';
  if (beginsAsCapture(head)) return 'pcap';
  // White space and a byte order mark may precede it, but not another format.
  if (/^(?:\xef\xbb\xbf)?[\s\0]*%PDF-\d/.test(head.toString('latin1'))) return 'pdf';
  if (
    head
      .subarray(4, 12)
      .toString('latin1')
      .match(/^ftyp(heic|heix|mif1|avif)/)
  )
    throw new FileRefused('it is a HEIC image. Save it as JPEG');
  const other = known.find(([signature]) => hex.startsWith(signature));
  if (!other && beginsAsText(head)) return 'txt';
  throw new FileRefused(other?.[1] ?? `its type isn’t accepted. ${capital(accepted)}`);
}

/** Checks that a complete file matches its beginning. Returns its kind. @throws FileRefused */
export async function checkStructure(kind: FileKind, pieces: Pieces): Promise<FileKind> {
  if (kind === 'docx' || kind === 'xlsx') return checkOffice(pieces);
  await { pdf: checkPdf, png: checkPng, jpg: checkJpeg, txt: checkText, pcap: checkCapture }[kind](pieces);
  return kind;
}

/** ISO 32000-1 7.5.5: a file ends with `startxref`, an offset and `%%EOF`; readers allow some bytes after it. */
async function checkPdf({ bytes, at }: Pieces): Promise<void> {
  const end = (await at(bytes - 2048, 2048)).toString('latin1');
  const startxref = end.lastIndexOf('startxref');
  const match = startxref < 0 ? null : /^startxref\s+(\d+)\s+%%EOF/.exec(end.slice(startxref));
  if (!match || Number(match[1]) >= bytes) throw new FileRefused(cut);
}

/** Maximum width and height of an image in a document. */
const LARGEST_SIDE = 30_000;
function checkSides(width: number, height: number): void {
  if (width < 1 || height < 1) throw new FileRefused('the image has no dimensions');
  if (width > LARGEST_SIDE || height > LARGEST_SIDE)
    throw new FileRefused(`the image has ${width} × ${height} pixels. Upload one of at most ${LARGEST_SIDE} × ${LARGEST_SIDE}`);
}

/** PNG (W3C, third edition) 5.3: IHDR comes first, IEND last. */
async function checkPng({ bytes, at }: Pieces): Promise<void> {
  const start = await at(8, 25);
  const end = await at(bytes - 12, 12);
  if (start.length < 25 || start.readUInt32BE(0) !== 13 || start.toString('latin1', 4, 8) !== 'IHDR') throw new FileRefused(cut);
  if (end.toString('hex') !== '0000000049454e44ae426082') throw new FileRefused(cut);
  checkSides(start.readUInt32BE(8), start.readUInt32BE(12));
}

/** Maximum number of segments before the image data of a JPEG. */
const MAX_SEGMENTS = 500;

/** ITU-T T.81 annex B: segments up to the start of a scan, one of them a frame header with the size; EOI at the end. */
async function checkJpeg({ bytes, at }: Pieces): Promise<void> {
  let offset = 2;
  let size: { width: number; height: number } | null = null;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const head = await at(offset, 9);
    if (head.length < 4 || head[0] !== 0xff) throw new FileRefused(cut);
    const marker = head[1]!;
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      offset++;
      continue;
    }
    if (marker === 0xda) break;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && head.length === 9) size = { height: head.readUInt16BE(5), width: head.readUInt16BE(7) };
    offset += 2 + head.readUInt16BE(2);
  }
  if (!size) throw new FileRefused(cut);
  checkSides(size.width, size.height);
  // Cameras append things after the end of the image.
  const end = await at(bytes - 65_536, 65_536);
  if (end.lastIndexOf(Buffer.of(0xff, 0xd9)) < 0) throw new FileRefused(cut);
}

const noOffice = `it’s an archive, not a Word document or spreadsheet. ${capital(accepted)}`;
/** Maximum number of files in a ZIP. */
export const maxZipEntries = 5000;
/** Bytes of the name of an entry: more than any program writes. */
const LONGEST_NAME = 1000;
/** Parts that programs run, in small letters. */
const active = /(^|\/)(vbaproject\.bin|vbadata\.xml|activex\/.*|[^/]*\.(exe|dll|js|vbs|bat|cmd|scr))$/;
/** Unpacked, together. */
const LARGEST_UNPACKED = 500_000_000;
const CONTENT_TYPES = '[Content_Types].xml';
const officeMains = [
  { kind: 'docx', part: 'word/document.xml', type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml' },
  { kind: 'xlsx', part: 'xl/workbook.xml', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml' },
] as const;

type Entry = { name: string; method: number; packed: number; unpacked: number; offset: number; encrypted: boolean };

/**
 * ECMA-376 part 2: a ZIP with `[Content_Types].xml`, with a Word document or a workbook as main part. No macros, no links to other files, which
 * programs follow, and a limit on the unpacked size. Returns which of the two it is.
 */
async function checkOffice(pieces: Pieces): Promise<'docx' | 'xlsx'> {
  const breathe = breathing();
  const entries = await centralDirectory(pieces, breathe);
  const names = new Set<string>();
  const found = { encrypted: false, outside: false, active: false, linked: false, unpacked: 0, packed: 0 };
  for (const { name, encrypted, unpacked, packed } of entries) {
    const lower = name.toLowerCase();
    names.add(lower);
    found.encrypted ||= encrypted;
    found.outside ||= /(^|[\\/])\.\.([\\/]|$)|^[\\/]/.test(name);
    found.active ||= active.test(lower);
    found.linked ||= lower.startsWith('xl/externallinks/');
    found.unpacked += unpacked;
    found.packed += packed;
    await breathe();
  }
  const types = entries.find(({ name }) => name === CONTENT_TYPES);
  const main = officeMains.find(({ part }) => names.has(part));
  if (!types || !main) throw new FileRefused(noOffice);
  if (found.encrypted) throw new FileRefused('it is encrypted. Save it without a password');
  if (found.outside) throw new FileRefused(noOffice);
  if (found.unpacked > LARGEST_UNPACKED) throw new FileRefused('it’s too large when unpacked');
  // Entries that share content would be read once each.
  if (found.packed > pieces.bytes) throw new FileRefused(noOffice);
  const xml = await textOf(pieces, types);
  const macros = `it contains macros. Save it as .${main.kind} without them, or as PDF`;
  if (found.active || /macroEnabled|vbaProject/i.test(xml)) throw new FileRefused(macros);
  if (found.linked) throw new FileRefused('it’s linked to other files. Save it with values only');
  if (!xml.includes(main.type)) throw new FileRefused(noOffice);
  for (const entry of entries) {
    await checkUnpacked(pieces, entry);
    await breathe();
  }
  return main.kind;
}

/** Checks an entry's declared size by unpacking: programs that open it later trust that size. Unpacked data are not kept. */
async function checkUnpacked(pieces: Pieces, entry: Entry): Promise<void> {
  const content = await packedOf(pieces, entry);
  let unpacked = content.length;
  if (entry.method === 8 && content.length <= SMALL && entry.unpacked <= SMALL) unpacked = smallUnpacked(content, entry.unpacked);
  else if (entry.method === 8) {
    unpacked = 0;
    const unpacking = createInflateRaw();
    unpacking.end(content);
    try {
      for await (const piece of unpacking) {
        unpacked += (piece as Buffer).length;
        if (unpacked > entry.unpacked) break;
      }
    } catch {
      throw new FileRefused(cut);
    }
  } else if (entry.method !== 0) throw new FileRefused(noOffice);
  if (unpacked !== entry.unpacked) throw new FileRefused('its unpacked size doesn’t match. Save it again');
}

/** Bytes of an entry that is unpacked in one turn: a millisecond. A stream for each of thousands leaves more memory to be collected than that. */
const SMALL = 256 * 1024;

/** Returns the unpacked size of a small entry; of one that is larger than declared, one more than that. @throws FileRefused */
function smallUnpacked(content: Buffer, declared: number): number {
  try {
    return inflateRawSync(content, { maxOutputLength: declared + 1, chunkSize: Math.min(Math.max(declared + 1, 64), 16_384) }).length;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return declared + 1;
    throw new FileRefused(cut);
  }
}

/** Yields the packed content of an entry. */
async function packedOf({ at }: Pieces, { offset, packed }: Entry): Promise<Buffer> {
  const local = await at(offset, 30);
  if (local.length < 30 || local.readUInt32LE(0) !== 0x04034b50) throw new FileRefused(noOffice);
  return at(offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), packed);
}

/** APPNOTE.TXT 4.3.12 and 4.3.16. */
async function centralDirectory({ bytes, at }: Pieces, breathe: () => Promise<void>): Promise<Entry[]> {
  const tail = await at(bytes - 65_557, 65_557);
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0 || tail.length - end < 22) throw new FileRefused(cut);
  const count = tail.readUInt16LE(end + 10);
  const size = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0 || count > maxZipEntries || start + size > bytes || size > 2_000_000) throw new FileRefused(noOffice);
  const directory = await at(start, size);
  const entries: Entry[] = [];
  let offset = 0;
  while (entries.length < count) {
    if (offset + 46 > directory.length || directory.readUInt32LE(offset) !== 0x02014b50) throw new FileRefused(cut);
    const nameLength = directory.readUInt16LE(offset + 28);
    if (nameLength > LONGEST_NAME) throw new FileRefused(noOffice);
    entries.push({
      encrypted: (directory.readUInt16LE(offset + 8) & 1) === 1,
      method: directory.readUInt16LE(offset + 10),
      packed: directory.readUInt32LE(offset + 20),
      unpacked: directory.readUInt32LE(offset + 24),
      offset: directory.readUInt32LE(offset + 42),
      name: directory.toString('utf8', offset + 46, offset + 46 + nameLength),
    });
    offset += 46 + nameLength + directory.readUInt16LE(offset + 30) + directory.readUInt16LE(offset + 32);
    await breathe();
  }
  return entries;
}

const LARGEST_TYPES = 1_000_000;

/** The text of one small entry. */
async function textOf(pieces: Pieces, entry: Entry): Promise<string> {
  const { method, packed } = entry;
  if (packed > LARGEST_TYPES) throw new FileRefused(noOffice);
  const content = await packedOf(pieces, entry);
  if (method === 0) return content.toString('utf8');
  if (method !== 8) throw new FileRefused(noOffice);
  try {
    return (await inflate(content, { maxOutputLength: LARGEST_TYPES })).toString('utf8');
  } catch {
    throw new FileRefused(noOffice);
  }
}
