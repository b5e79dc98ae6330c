import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  sampleCapture,
  sampleDocx,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleProgram,
  sampleXlsx,
  sampleZip,
} from '../../../test/sample-files.ts';
import { checkStructure, kindOf } from './file-kind.ts';

const pieces = (bytes: Buffer) => ({
  bytes: bytes.length,
  at: async (offset: number, length: number) => bytes.subarray(Math.max(0, offset), Math.max(0, offset) + length),
});
/** Returns the kind of a file, or why it is refused. */
async function detect(file: Buffer): Promise<string> {
  try {
    return await checkStructure(kindOf(file.subarray(0, 1024)), pieces(file));
  } catch (error) {
    return (error as Error).message;
  }
}

/** A Word document with an entry that understates or overstates its unpacked size. */
function lyingDocx(by: number): Buffer {
  const file = sampleDocx({ 'word/media/flood.bin': 'x'.repeat(200_000) });
  const name = file.lastIndexOf('word/media/flood.bin');
  file.writeUInt32LE(200_000 + by, name - 46 + 24);
  return file;
}

/** A Word document with two entries at the same offset: thousands of them would be unpacked thousands of times. */
function overlappingDocx(): Buffer {
  const file = sampleDocx({ 'word/media/1.bin': 'x', 'word/media/flood.bin': randomBytes(50_000).toString('hex') });
  const [one, flood] = ['word/media/1.bin', 'word/media/flood.bin'].map(name => file.lastIndexOf(name) - 46) as [number, number];
  // Method, checksum and sizes of the entry, then its offset.
  file.copy(file, one + 10, flood + 10, flood + 28);
  file.copy(file, one + 42, flood + 42, flood + 46);
  return file;
}

describe('the kind of a file', () => {
  test.each([
    ['a PDF', samplePdf(), 'pdf'],
    ['a PDF after a byte order mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf, 0x0a), samplePdf()]), 'pdf'],
    ['a PNG', samplePng({ width: 800, height: 600 }), 'png'],
    ['a JPEG', sampleJpeg(), 'jpg'],
    ['a JPEG with something after its end', Buffer.concat([sampleJpeg(), Buffer.alloc(500, 1)]), 'jpg'],
    ['a Word document', sampleDocx(), 'docx'],
    ['a spreadsheet', sampleXlsx(), 'xlsx'],
    ['a log', Buffer.from('1  gw.example (192.0.2.1)  0.4 ms\n2  * * *\n'), 'txt'],
    [
      'a table with commas, after a byte order mark',
      Buffer.from('\ufeffprefix,site\n192.0.2.0/24,Suva\n2001:db8::/32,"Nuku‘alofa"\n'),
      'txt',
    ],
    ['text with a letter across two pieces', Buffer.from(`${'x'.repeat(65_535)}é`), 'txt'],
    ['a capture', sampleCapture(), 'pcap'],
    ['a capture of the other byte order', sampleCapture(false), 'pcap'],
    ['a capture that was stopped in a packet', sampleCapture().subarray(0, -3), 'pcap'],
    ['a capture of the new kind', Buffer.from('0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000', 'hex'), 'pcap'],
  ])('%s is taken', async (_, file, kind) => {
    expect(await detect(file)).toBe(kind);
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a program', sampleProgram(), 'its content is a program'],
    ['a program of Linux', Buffer.concat([Buffer.from('7f454c4602', 'hex'), Buffer.alloc(99)]), 'its content is a program'],
    ['a program with the mark of a PDF in it', Buffer.concat([sampleProgram(), samplePdf()]), 'its content is a program'],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'type isn’t accepted. Send a PDF'],
    ['a web page before a PDF', Buffer.concat([Buffer.from('<script>alert(1)</script>'), samplePdf()]), 'type isn’t accepted'],
    ['an image made of text (SVG)', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'type isn’t accepted'],
    ['a Word file of the old kind', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'old Office file'],
    ['a GIF', Buffer.from('GIF89a.....'), 'it is a GIF image'],
    ['a photograph of a telephone', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), 'it is a HEIC image'],
    ['a PDF cut off', samplePdf('x', 5000).subarray(0, 3000), 'it looks incomplete'],
    ['a PDF whose table stands outside it', Buffer.from('%PDF-1.4\nstartxref\n99999\n%%EOF\n'), 'it looks incomplete'],
    ['a PNG cut off', samplePng().subarray(0, 40), 'it looks incomplete'],
    ['a PNG without a size', samplePng({ width: 0 }), 'the image has no dimensions'],
    ['a PNG of a billion pixels', samplePng({ width: 40_000, height: 40_000 }), '40000 × 40000 pixels'],
    ['a JPEG cut off in its header', sampleJpeg().subarray(0, 22), 'it looks incomplete'],
    ['a JPEG without its end', sampleJpeg().subarray(0, -2), 'it looks incomplete'],
    ['an archive', sampleZip({ 'a.txt': 'a' }), 'an archive, not a Word document'],
    ['a spreadsheet with macros', sampleXlsx({ 'xl/vbaProject.bin': 'macro' }), 'it contains macros. Save it as .xlsx'],
    ['a spreadsheet that is linked to others', sampleXlsx({ 'xl/externalLinks/externalLink1.xml': '<a/>' }), 'linked to other files'],
    ['text of another coding', Buffer.from('Adresse: S\xe3o Tom\xe9', 'latin1'), 'isn’t UTF-8'],
    ['text that moves the cursor of a terminal', Buffer.from('ok\u001b[2Jdone'), 'type isn’t accepted'],
    ['text with such a thing further on', Buffer.from(`${'ok\n'.repeat(2000)}\u001b[2J`), 'control characters'],
    ['a table that starts a program', Buffer.from(`name,size\n"x",=cmd|' /C calc'!A0\n`), 'starts a program'],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'its content is a script'],
    ['blanks', Buffer.from(' \n \n'), 'type isn’t accepted'],
    ['a capture whose packets lie', sampleCapture(true, 99_999), 'it looks incomplete'],
    ['the beginning of a capture', sampleCapture().subarray(0, 12), 'it looks incomplete'],
    ['an archive cut off', sampleDocx().subarray(0, -30), 'it looks incomplete'],
    ['a Word document with macros', sampleDocx({ 'word/vbaProject.bin': 'macro' }), 'it contains macros'],
    ['a Word document with a program', sampleDocx({ 'word/embeddings/setup.exe': 'MZ' }), 'it contains macros'],
    [
      'a Word document that enables macros by its type',
      sampleDocx({ '[Content_Types].xml': '<Types ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>' }),
      'it contains macros',
    ],
    [
      'a table of numbers',
      sampleZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }),
      'an archive, not a Word document',
    ],
    ['a Word document that unpacks to more than it says', lyingDocx(-199_000), 'unpacked size doesn’t match'],
    ['a Word document that unpacks to less than it says', lyingDocx(1), 'unpacked size doesn’t match'],
    ['a Word document whose entries overlap', overlappingDocx(), 'an archive, not a Word document'],
    ['a Word document that unpacks outside its folder', sampleDocx({ '../../etc/passwd': 'x' }), 'an archive, not a Word document'],
  ])('%s is refused, with what to do', async (_, file, words) => {
    expect(await detect(file)).toContain(words);
  });
});
