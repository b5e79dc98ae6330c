import PDFDocument from 'pdfkit';

/** Colours of our documents: text, secondary text, and the accent of rules. */
export const textColor = '#131b2e';
export const mutedColor = '#5b647c';
export const accent = '#ac1263';
export const hairlineColor = '#dfe3ea';

/** An open A4 document and its text area; `structure` is the root of its tags. */
export type TaggedDocument = {
  document: PDFKit.PDFDocument;
  structure: PDFKit.PDFStructureElement;
  width: number;
  right: number;
  /** Draws a horizontal rule over the text area, which readers of the text skip. */
  rule: (y: number, colour: string, thickness: number) => void;
  /** Ends the document and returns its bytes. */
  finish: () => Promise<Uint8Array>;
};

/** Opens a tagged PDF (ISO 32000-1 14.8) of A4 pages in English. The same content gives the same bytes, because its date is in `info`. */
export function openTaggedDocument({ margin, info }: { margin: number; info: PDFKit.DocumentInfo }): TaggedDocument {
  const document = new PDFDocument({
    size: 'A4',
    margin,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info,
    bufferPages: true,
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const done = new Promise<void>((resolve, reject) => {
    document.on('end', resolve);
    document.on('error', reject);
  });
  const right = document.page.width - margin;
  const structure = document.struct('Document');
  document.addStructure(structure);
  return {
    document,
    structure,
    width: right - margin,
    right,
    rule: (y, colour, thickness) => {
      document.markContent('Artifact', { type: 'Layout' });
      document.moveTo(margin, y).lineTo(right, y).lineWidth(thickness).strokeColor(colour).stroke();
      document.endMarkedContent();
    },
    finish: async () => {
      structure.end();
      document.end();
      await done;
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
}
