import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { ascenderOf, inFont, widthOf } from './font-ruler.ts';
import { openTaggedDocument } from './tagged-document.ts';

const file = createRequire(import.meta.url).resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2');

type Inside = { _font: { font: object; subset: { glyphs: number[] } }; _fontFamilies: object };
/** A document with text, as pdfkit represents it. */
function set(words: string): Inside {
  const { document } = openTaggedDocument({ margin: 57, info: {} });
  inFont(document, file).fontSize(12).text(words, 57, 57);
  return document as unknown as Inside;
}

test('documents share an open font file, and each has a subset of its own letters, whatever was set and measured before', () => {
  const first = set('network');
  expect(set('QUITE other LETTERS')._font.subset.glyphs.length).toBeGreaterThan(10);
  widthOf(file, 'measured WAVY');
  expect(ascenderOf(file)).toBeGreaterThan(0.5);
  const again = set('network');
  expect(again._font.font).toBe(first._font.font);
  expect(again._font.subset).not.toBe(first._font.subset);
  // The letters of the word, and the sign for what a font does not have.
  expect(again._font.subset.glyphs).toHaveLength(8);
  expect(again._font.subset.glyphs).toEqual(first._font.subset.glyphs);
});

test('a document embeds a font once, however often it is used', () => {
  const { document } = openTaggedDocument({ margin: 57, info: {} });
  const families = (): string[] => Object.keys((document as unknown as Inside)._fontFamilies);
  inFont(document, file).text('one');
  const once = families();
  inFont(document, 'Helvetica').text('two');
  inFont(document, file).text('three');
  expect(families()).toEqual(once);
});
