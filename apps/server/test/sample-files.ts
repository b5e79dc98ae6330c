import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { crc32, deflateRawSync } from 'node:zlib';

/** Small files as programs write them, and files that are not what they seem. */

/** A PDF of one page with some words; `padding` bytes of comment make it as large as one likes. */
export function samplePdf(words = 'An agreement', padding = 0): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
    `<</Length ${words.length + 40}>>stream\nBT /F 24 Tf 72 720 Td (${words}) Tj ET${' '.repeat(40 - 28)}\nendstream`,
  ];
  let text = `%PDF-1.7\n${padding > 0 ? `%${' '.repeat(padding)}\n` : ''}`;
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 5\n0000000000 65535 f \n${table}trailer<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG that says it has this size. */
export function samplePng({ width = 1, height = 1 } = {}): Buffer {
  const header = Buffer.from('00000000000000000800000000', 'hex');
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = Buffer.from('789c6360000000020001', 'hex');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG with the markers of one: APP0, a frame header, a scan, the end. */
export function sampleJpeg({ width = 640, height = 480 } = {}): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010101004800480000', 'hex'),
    frame,
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.from('00112233', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ]);
}

/** A ZIP of these entries, deflated. */
export function sampleZip(entries: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const packed = deflateRawSync(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(crc32(text), 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(text.length, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    local.copy(central, 6, 4, 30);
    central.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const names = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(names.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, names, end]);
}

const wordMain = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
/** A Word document; more entries make it another one. */
export const sampleDocx = (more: Record<string, string> = {}): Buffer =>
  sampleZip({
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${wordMain}"/></Types>`,
    'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>An agreement</w:t></w:r></w:p></w:body></w:document>',
    ...more,
  });

const sheetMain = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
/** A workbook as Excel writes it, with more entries or others. */
export const sampleXlsx = (more: Record<string, string> = {}): Buffer =>
  sampleZip({
    '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${sheetMain}"/></Types>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Plan" sheetId="1"/></sheets></workbook>',
    ...more,
  });

/** A packet capture of two packets. @param length what the second one says of itself */
export function sampleCapture(little = true, length = 4): Buffer {
  const numbers = [0xa1b2c3d4, little ? 0x00040002 : 0x00020004, 0, 0, 65_535, 1, 0, 0, 4, 4, 0x01020304, 0, 0, length, 4, 0x01020304];
  const file = Buffer.alloc(numbers.length * 4);
  numbers.forEach((value, index) => (little ? file.writeUInt32LE(value, index * 4) : file.writeUInt32BE(value, index * 4)));
  return file;
}

/** Returns the first bytes of a Windows program. */
export const sampleProgram = (): Buffer => Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(2000, 0x41)]);

/** Sends a file as a person, and answers the id under which a request takes it. */
export async function sentFile(person: Client, { bytes = samplePdf(), fileName = 'paper.pdf' } = {}): Promise<string> {
  const answer = await person(api.files.uploadFile, { query: { fileName }, body: new Blob([new Uint8Array(bytes)]) });
  if (answer.errors) throw new Error(answer.errors[0]!.message);
  return answer.data.documentId;
}
