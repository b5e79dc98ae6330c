const page = { width: 595, height: 842, margin: 71 };

/** Western European text as a PDF string (ISO 32000-1 7.3.4.2). */
const text = (words: string): string => `(${words.replaceAll(/[\\()]/g, sign => `\\${sign}`)})`;

/** A PDF of one page: a title and lines under it, each short enough for the page. */
export function paper(title: string, lines: readonly string[]): Buffer {
  const body = lines.map(line => `0 -18 Td ${text(line)} Tj`).join('\n');
  const content = `BT /B 20 Tf ${page.margin} ${page.height - 110} Td ${text(title)} Tj /F 11 Tf 0 -18 Td\n${body}\nET`;
  const font = (name: string): string => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/Lang(en)>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${page.width} ${page.height}]/Contents 4 0 R/Resources<</Font<</F ${font('Helvetica')}/B ${font('Helvetica-Bold')}>>>>>>`,
    `<</Length ${Buffer.byteLength(content, 'latin1')}>>stream\n${content}\nendstream`,
    `<</Title${text(title)}>>`,
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, place) => {
    const offset = file.length;
    file += `${place + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R/Info 5 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}
