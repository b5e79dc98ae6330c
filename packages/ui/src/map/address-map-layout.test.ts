import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fitLabel,
  layOutMap,
  type MapBlock,
  type MapView,
  offsetAt,
  pieceAt,
  placeBlocks,
  rowLog2For,
  shareOf,
  sizeLog2Of,
  neighbouringStop,
  stopsOf,
  trailOf,
  viewOf,
  zoomInto,
} from './address-map-layout.ts';

const block = (id: string, start: number | bigint, size: number | bigint, kind: MapBlock['kind'] = 'assigned'): MapBlock => ({
  id,
  label: id,
  kind,
  start: BigInt(start),
  size: BigInt(size),
});
const lay = (blocks: MapBlock[], view: MapView, more: { width?: number; narrow?: boolean } = {}) =>
  layOutMap({ blocks: placeBlocks(blocks), view, width: 688, narrow: false, ...more });

/** A /19 cut into aligned blocks of random sizes, without gaps. */
const partition = fc.array(fc.integer({ min: 5, max: 11 }), { minLength: 1, maxLength: 80 }).map(sizes => {
  const blocks: MapBlock[] = [];
  let at = 0;
  for (const log2 of sizes) {
    let size = 2 ** log2;
    while (at % size !== 0) size /= 2;
    if (at + size > 8192) break;
    blocks.push(block(`b${at}`, at, size, at % 3 === 0 ? 'free' : 'assigned'));
    at += size;
  }
  return blocks;
});

const cover: MapView = { start: 0n, sizeLog2: 13 };

describe('rows', () => {
  test('a /19 whose smallest block is a /26 has eight rows of /22, as the reference drawing', () => {
    const blocks = placeBlocks([block('a', 0, 512), block('b', 512, 64)]);
    expect(rowLog2For(cover, blocks, { narrow: false })).toBe(10);
  });

  test('a narrow drawing has half the row', () => {
    const blocks = placeBlocks([block('a', 0, 512), block('b', 512, 64)]);
    expect(rowLog2For(cover, blocks, { narrow: true })).toBe(9);
  });

  test('one block that fills the view needs one row, wide or narrow', () => {
    const blocks = placeBlocks([block('a', 0, 256)]);
    expect(rowLog2For({ start: 0n, sizeLog2: 8 }, blocks, { narrow: false })).toBe(8);
    expect(rowLog2For({ start: 0n, sizeLog2: 8 }, blocks, { narrow: true })).toBe(8);
  });

  test('a single address is a row', () => {
    const layout = lay([block('a', 0, 1)], { start: 0n, sizeLog2: 0 });
    expect(layout.rows).toHaveLength(1);
    expect(layout.pieces).toHaveLength(1);
  });
});

describe('to scale', () => {
  test('blocks without gaps fill the rows without gaps or overlaps, and sizes are in proportion', () => {
    fc.assert(
      fc.property(partition, fc.boolean(), (blocks, narrow) => {
        const layout = lay(blocks, cover, { narrow });
        const end = Number(blocks.reduce((sum, each) => sum + each.size, 0n));
        const perAddress = layout.rowWidth / 2 ** layout.rowLog2;
        let at = 0;
        for (const piece of layout.pieces) {
          expect(Number(piece.start)).toBe(at);
          expect(piece.x).toBeCloseTo(layout.left + (at % 2 ** layout.rowLog2) * perAddress, 6);
          if (piece.count === 1) expect(piece.width).toBeCloseTo(Math.max(2, Number(piece.end - piece.start) * perAddress), 6);
          expect(piece.x + piece.width).toBeLessThanOrEqual(layout.left + layout.rowWidth + 2);
          at = Number(piece.end);
        }
        expect(at).toBe(end);
      }),
    );
  });

  test('no block is lost when thin ones are drawn together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), count => {
        const blocks = Array.from({ length: count }, (_, index) => block(`b${index}`, index * 16, 16));
        const layout = lay(blocks, { start: 0n, sizeLog2: 16 });
        expect(layout.pieces.filter(piece => !piece.continues).reduce((sum, piece) => sum + piece.count, 0)).toBe(count);
        expect(layout.pieces.every(piece => piece.width >= 2)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('the point inside a block leads back to the block and to an address in it', () => {
    fc.assert(
      fc.property(partition, blocks => {
        const layout = lay(blocks, cover);
        for (const piece of layout.pieces) {
          if (piece.count > 1 || piece.width < 4) continue;
          const [x, y] = [piece.x + piece.width / 2, piece.y + piece.height / 2];
          expect(pieceAt(layout, x, y)?.id).toBe(piece.id);
          const offset = offsetAt(layout, x, y);
          expect(offset !== null && offset >= piece.start && offset < piece.end).toBe(true);
        }
      }),
    );
  });

  test('an IPv6 /20 keeps its proportions with offsets beyond 2^53', () => {
    const quarter = 1n << 106n;
    const layout = lay([block('a', 0n, quarter), block('b', quarter, quarter), block('c', 2n * quarter, 2n * quarter)], {
      start: 0n,
      sizeLog2: 108,
    });
    expect(layout.rows).toHaveLength(1);
    expect(layout.pieces.map(piece => Math.round(((piece.x - layout.left) / layout.rowWidth) * 100))).toEqual([0, 25, 50]);
    expect(offsetAt(layout, layout.left + layout.rowWidth * 0.5 + 0.001, layout.rows[0]?.y ?? 0)).toBeGreaterThanOrEqual(2n * quarter);
  });

  test('a block of several rows continues on each', () => {
    const layout = lay([block('a', 4096, 2048), block('b', 0, 64)], cover);
    const own = layout.pieces.filter(piece => piece.id === 'a');
    expect(own.map(piece => [piece.row, piece.continues])).toEqual([
      [4, false],
      [5, true],
    ]);
  });

  test('a range that is no prefix is drawn from its first to its last address', () => {
    const layout = lay([block('range', 0, 768)], { start: 0n, sizeLog2: 10 });
    const drawn = layout.pieces.reduce((sum, piece) => sum + Number(piece.end - piece.start), 0);
    expect(drawn).toBe(768);
  });

  test('5 000 blocks are laid out within a frame', () => {
    const blocks = placeBlocks(Array.from({ length: 5000 }, (_, index) => block(`b${index}`, index * 256, 256)));
    const view = { start: 0n, sizeLog2: 21 };
    layOutMap({ blocks, view, width: 688, narrow: false });
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      layOutMap({ blocks, view, width: 688, narrow: false });
      return performance.now() - start;
    });
    expect(Math.min(...times)).toBeLessThan(16);
  });
});

describe('nesting', () => {
  test('the blocks inside a block lie inside its rectangle', () => {
    const layout = lay([block('outer', 0, 4096, 'delegated'), block('inner', 0, 512), block('beside', 4096, 4096)], cover);
    const outer = layout.pieces.find(piece => piece.id === 'outer' && piece.row === 0);
    const inner = layout.pieces.find(piece => piece.id === 'inner');
    expect(outer && inner && inner.y > outer.y && inner.y + inner.height < outer.y + outer.height).toBe(true);
    expect(outer?.innerX).toBe(inner?.x);
  });

  test('the block that fills the view is paper, and what it holds keeps the full height', () => {
    const layout = lay([block('whole', 0, 8192, 'delegated'), block('inner', 0, 512)], cover);
    expect(layout.pieces.find(piece => piece.id === 'whole')?.ground).toBe(true);
    expect(layout.pieces.find(piece => piece.id === 'inner')?.height).toBe(layout.blockHeight);
  });

  test('placing distinguishes outer from inner blocks whatever the order', () => {
    const placed = placeBlocks([block('c', 600, 100), block('b', 512, 256), block('a', 0, 1024)]);
    expect(placed.map(each => [each.id, each.depth, each.holdsOthers])).toEqual([
      ['a', 0, true],
      ['b', 1, true],
      ['c', 2, false],
    ]);
  });
});

describe('moving', () => {
  const blocks = [block('a', 0, 1024), block('b', 1024, 512), block('c', 1536, 512), block('d', 2048, 64)];

  test('down goes to the nearest block of the next row, up comes back', () => {
    const layout = lay(blocks, cover);
    const [a, b] = stopsOf(layout);
    expect(a && neighbouringStop(layout, a, 1).id).toBe('b');
    expect(b && neighbouringStop(layout, b, -1).id).toBe('a');
    expect(a && neighbouringStop(layout, a, -1).id).toBe('a');
  });

  test('zooming always comes nearer and the trail leads back to the whole', () => {
    fc.assert(
      fc.property(partition, each => {
        const layout = lay(each, cover);
        for (const piece of layout.pieces) {
          const nearer = zoomInto(layout, piece);
          if (!nearer) continue;
          expect(nearer.sizeLog2).toBeLessThan(cover.sizeLog2);
          const trail = trailOf(cover, nearer, placeBlocks(each));
          expect(trail[0]).toEqual(cover);
          expect(trail.at(-1)).toEqual(nearer);
        }
      }),
    );
  });

  test('a mark of many opens the part that holds them', () => {
    const many = Array.from({ length: 4096 }, (_, index) => block(`b${index}`, index * 16, 16));
    const layout = lay(many, { start: 0n, sizeLog2: 16 });
    const mark = layout.pieces.find(piece => piece.count > 1);
    const nearer = mark && zoomInto(layout, mark);
    expect(nearer && nearer.sizeLog2 < 16 && nearer.start <= mark.start).toBe(true);
  });
});

describe('arithmetic', () => {
  test('sizes as powers of two', () => {
    expect([1n, 2n, 256n, 768n, 1n << 96n].map(sizeLog2Of)).toEqual([0, 1, 8, 10, 96]);
  });

  test('the view of a range is aligned and holds it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 64n }), fc.bigInt({ min: 1n, max: 1n << 64n }), (start, size) => {
        const view = viewOf(start, size);
        const length = 1n << BigInt(view.sizeLog2);
        expect(view.start % length).toBe(0n);
        expect(view.start <= start && start + size <= view.start + length).toBe(true);
      }),
    );
  });

  test('shares are exact to a pixel at any size', () => {
    expect(shareOf(1n << 127n, 128)).toBe(0.5);
    expect(shareOf(3n, 2)).toBe(0.75);
  });

  test('the longest label that fits is taken, none if none does', () => {
    const labels = ['198.18.14.0/25', '.14.0/25', '/25'];
    expect(fitLabel(labels, 150)).toBe('198.18.14.0/25');
    expect(fitLabel(labels, 74)).toBe('.14.0/25');
    expect(fitLabel(labels, 36)).toBe('/25');
    expect(fitLabel(labels, 12)).toBeNull();
  });
});
