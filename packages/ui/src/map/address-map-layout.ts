/**
 * Geometry of the address map. One row is a power of two, so that every prefix is a rectangle (or whole rows), to scale.
 * Offsets count addresses from the start of the covering block; they are bigint because an IPv6 holding needs up to 2^128 of them.
 * Lengths are px.
 */

/**
 * A block's kind in the ledger. `unassigned` is delegated without any registration in it, `customers` an assignment that is itself assigned further, `outside` numbers that the drawn
 * registry or holding doesn't have.
 */
export type BlockKind = 'delegated' | 'unassigned' | 'assigned' | 'customers' | 'free' | 'held' | 'reserved' | 'outside';
/** Kinds that a hatch tells apart, which the drawing defines under their names. */
export const hatchedKinds: readonly BlockKind[] = ['free', 'reserved', 'outside'];

/** A prefix or range inside the covering block: `start` addresses after its first one, `size` addresses long. Blocks nest or are disjoint; they never cross. */
export type MapBlock = { id: string; label: string; name?: string | undefined; kind: BlockKind; start: bigint; size: bigint };

/** The aligned part of the covering block that is drawn: 2^sizeLog2 addresses from `start`. */
export type MapView = { start: bigint; sizeLog2: number };

export type LaneState = 'routed' | 'valid' | 'invalid' | 'not-found' | 'covered' | 'answers' | 'lame';
/** Properties along the axis: where it is announced, covered by a ROA, delegated in reverse. */
export type MapLane = { id: string; label: string; spans: readonly { start: bigint; size: bigint; state: LaneState }[] };

/** A block with its place among the others: how many blocks hold it, and whether it holds some. */
export type PlacedBlock = MapBlock & { depth: number; parent: PlacedBlock | null; holdsOthers: boolean };

/** One rectangle in one row: a block or its continuation, or several blocks too thin to draw apart (`count` over 1). */
export type MapPiece = {
  id: string;
  block: PlacedBlock;
  count: number;
  row: number;
  x: number;
  y: number;
  width: number;
  height: number;
  start: bigint;
  end: bigint;
  continues: boolean;
  /** It fills the view and contains the drawing: background, without an edge of its own. */
  ground: boolean;
  /** Start of an inner block, so that the label of this one avoids it; null if none is drawn. */
  innerX: number | null;
};

export type MapRow = { index: number; start: bigint; y: number };
export type LaneMark = { lane: number; state: LaneState; row: number; x: number; width: number };

export type MapLayout = {
  view: MapView;
  rowLog2: number;
  rows: MapRow[];
  /** Left edge of the rows: right of the coordinates. */
  left: number;
  rowWidth: number;
  width: number;
  height: number;
  blockHeight: number;
  pitch: number;
  laneTop: number;
  pieces: MapPiece[];
  lanes: LaneMark[];
};

export const charWidth = 6.6;
/** Height of a lane, and the distance from one to the next. */
export const laneHeight = 5;
export const lanePitch = 7;
const rowTop = 26;
const thinnest = 2;
const maxDepth = 2;

/** The smallest power of two that holds `size` addresses: 512 -> 9, 768 -> 10. */
export function sizeLog2Of(size: bigint): number {
  if (size <= 1n) return 0;
  return (size - 1n).toString(2).length;
}

/** The smallest aligned view that holds a range. */
export function viewOf(start: bigint, size: bigint): MapView {
  let sizeLog2 = sizeLog2Of(size);
  const last = start + (size > 0n ? size : 1n) - 1n;
  while (start >> BigInt(sizeLog2) !== last >> BigInt(sizeLog2)) sizeLog2 += 1;
  return { start: (start >> BigInt(sizeLog2)) << BigInt(sizeLog2), sizeLog2 };
}

/** Share of 2^sizeLog2 that `offset` is, exact to 52 bits at any size. */
export function shareOf(offset: bigint, sizeLog2: number): number {
  return sizeLog2 > 52 ? Number(offset >> BigInt(sizeLog2 - 52)) / 2 ** 52 : Number(offset) / 2 ** sizeLog2;
}

/** Blocks in the order of the address space, holders before what they hold. The order of the input does not matter. */
export function placeBlocks(blocks: readonly MapBlock[]): PlacedBlock[] {
  const placed: PlacedBlock[] = blocks.map(block => ({ ...block, depth: 0, parent: null, holdsOthers: false }));
  placed.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.size > b.size ? -1 : a.size < b.size ? 1 : 0));
  const open: PlacedBlock[] = [];
  for (const block of placed) {
    while (open.length > 0 && block.start >= (open.at(-1)?.start ?? 0n) + (open.at(-1)?.size ?? 0n)) open.pop();
    block.parent = open.at(-1) ?? null;
    block.depth = open.length;
    if (block.parent) block.parent.holdsOthers = true;
    open.push(block);
  }
  return placed;
}

/**
 * Returns the length of a row: as many rows as the smallest visible block needs to be legible (36 px), never more than `maxRows`;
 * narrow drawings have half the row.
 */
export function rowLog2For(
  view: MapView,
  blocks: readonly PlacedBlock[],
  { narrow, maxRows = 8 }: { narrow: boolean; maxRows?: number },
): number {
  const size = 1n << BigInt(view.sizeLog2);
  let smallest = view.sizeLog2;
  for (const block of blocks) {
    if (block.start + block.size <= view.start || block.start >= view.start + size) continue;
    const log2 = block.size < 1n ? 0 : block.size.toString(2).length - 1;
    if (log2 < smallest) smallest = log2;
  }
  // 604 px is the row of the reference drawing: 604 / 36 is just over 2^4.
  const legible = smallest + 4;
  const most = Math.floor(Math.log2(maxRows));
  const wide = Math.max(view.sizeLog2 - most, Math.min(view.sizeLog2, legible));
  return Math.max(0, narrow && legible <= wide ? wide - 1 : wide);
}

export type LayoutInput = {
  /** In the order `placeBlocks` gives. */
  blocks: readonly PlacedBlock[];
  view: MapView;
  width: number;
  /** Containers up to 640 px have their own drawing. */
  narrow: boolean;
  lanes?: readonly MapLane[];
  maxRows?: number;
  /** Characters of the longest coordinate. */
  coordinateLength?: number;
};

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** The rows that things are drawn into. */
type MapGrid = Omit<MapLayout, 'pieces' | 'lanes'>;

/** Draws the view: rows, rectangles, lanes. Pure; linear in blocks and spans. */
export function layOutMap(input: LayoutInput): MapLayout {
  const grid = gridOf(input);
  return { ...grid, pieces: piecesIn(grid, input.blocks), lanes: laneMarksIn(grid, input.lanes ?? []) };
}

function gridOf({ blocks, view, width, narrow, lanes = [], maxRows = 8, coordinateLength = 11 }: LayoutInput): MapGrid {
  const rowLog2 = rowLog2For(view, blocks, { narrow, maxRows });
  const rowCount = 2 ** (view.sizeLog2 - rowLog2);
  const left = Math.max(narrow ? 80 : 84, Math.ceil(coordinateLength * charWidth + 11));
  const blockHeight = narrow ? 27 : lanes.length > 0 ? 29 : 40;
  const pitch = blockHeight + (lanes.length > 0 ? 2 + lanes.length * lanePitch : 0) + 7;
  return {
    view,
    rowLog2,
    rows: Array.from({ length: rowCount }, (_, index) => ({
      index,
      start: view.start + BigInt(index) * (1n << BigInt(rowLog2)),
      y: rowTop + index * pitch,
    })),
    left,
    rowWidth: Math.max(40, width - left - 1),
    width,
    height: rowTop + rowCount * pitch,
    blockHeight,
    pitch,
    laneTop: blockHeight + 3,
  };
}

/** A range of addresses. */
type Extent = { start: bigint; size: bigint };
/** The part of a range that is in one row, with its edges in the drawing. */
type RowPart = { row: MapRow; start: bigint; end: bigint; x: number; right: number };

const endOf = ({ start, sizeLog2 }: MapView): bigint => start + (1n << BigInt(sizeLog2));

/** Returns the parts of a range in the rows of the view, in order; none if it is outside. */
function rowParts({ view, rowLog2, rows, left, rowWidth }: MapGrid, range: Extent): RowPart[] {
  const from = max(range.start, view.start);
  const to = min(range.start + range.size, endOf(view));
  if (from >= to) return [];
  const rowBits = BigInt(rowLog2);
  const xIn = (offset: bigint, row: MapRow) => left + shareOf(offset - row.start, rowLog2) * rowWidth;
  return rows.slice(Number((from - view.start) >> rowBits), Number((to - 1n - view.start) >> rowBits) + 1).map(row => {
    const start = max(from, row.start);
    const end = min(to, row.start + (1n << rowBits));
    return { row, start, end, x: xIn(start, row), right: xIn(end, row) };
  });
}

/** Returns whether a block is the background of the view: it fills the view, and others are drawn on it. */
const isGround = ({ view }: MapGrid, block: PlacedBlock): boolean =>
  block.holdsOthers && block.start <= view.start && block.start + block.size >= endOf(view);

/** Returns how many drawn blocks hold a block; null if it isn't drawn, because it is too deep inside others or its holder is too thin. */
function depthIn(grid: MapGrid, block: PlacedBlock): number | null {
  let depth = 0;
  for (let holder = block.parent; holder; holder = holder.parent) if (!isGround(grid, holder)) depth += 1;
  if (depth > maxDepth) return null;
  return depth > 0 && shareOf(block.parent?.size ?? 0n, grid.rowLog2) * grid.rowWidth < 8 ? null : depth;
}

function piecesIn(grid: MapGrid, blocks: readonly PlacedBlock[]): MapPiece[] {
  const pieces: MapPiece[] = [];
  /** The last thin piece of each row and depth, which the next may join. */
  const runs = new Map<number, MapPiece>();
  const drawn = new Map<PlacedBlock, MapPiece[]>();
  for (const block of blocks) {
    if (block.start + block.size <= grid.view.start || block.start >= endOf(grid.view)) continue;
    const depth = depthIn(grid, block);
    if (depth === null) continue;
    const ground = isGround(grid, block);
    const inset = ground ? 0 : depth * 4;
    const own: MapPiece[] = [];
    for (const { row, start, end, x, right } of rowParts(grid, block)) {
      const width = right - x;
      const place = row.index * 4 + depth;
      const run = runs.get(place);
      if (width < thinnest && run && x - (run.x + run.width) < thinnest) {
        run.count += 1;
        run.end = end;
        run.width = Math.max(thinnest, x + width - run.x);
        run.id = `${run.block.id}…${run.count}`;
        continue;
      }
      const piece: MapPiece = {
        id: block.id,
        block,
        count: 1,
        row: row.index,
        x,
        y: row.y + inset,
        width: Math.max(thinnest, width),
        height: grid.blockHeight - 2 * inset,
        start,
        end,
        continues: start > block.start && !ground,
        ground,
        innerX: null,
      };
      if (width < thinnest) runs.set(place, piece);
      else runs.delete(place);
      const outer = block.parent && drawn.get(block.parent)?.find(candidate => candidate.row === row.index);
      if (outer && outer.innerX === null) outer.innerX = x;
      pieces.push(piece);
      own.push(piece);
    }
    if (block.holdsOthers) drawn.set(block, own);
  }
  return pieces;
}

function laneMarksIn(grid: MapGrid, lanes: readonly MapLane[]): LaneMark[] {
  const marks: LaneMark[] = [];
  for (const [lane, { spans }] of lanes.entries()) {
    /** The last mark of each row and state, which the next may join. */
    const last = new Map<string, LaneMark>();
    for (const span of spans) {
      for (const { row, x, right } of rowParts(grid, span)) {
        const key = `${row.index} ${span.state}`;
        const before = last.get(key);
        const joins =
          before && x - (before.x + before.width) < 0.5 && (right - x < 8 || (span.state !== 'answers' && span.state !== 'lame'));
        if (joins) {
          before.width = Math.max(before.width, right - before.x);
          continue;
        }
        const mark: LaneMark = { lane, state: span.state, row: row.index, x, width: Math.max(1, right - x) };
        last.set(key, mark);
        marks.push(mark);
      }
    }
  }
  return marks;
}

/** The address under a point, or null outside the rows. */
export function offsetAt(layout: MapLayout, x: number, y: number): bigint | null {
  const row = layout.rows[Math.floor((y - rowTop) / layout.pitch)];
  const share = (x - layout.left) / layout.rowWidth;
  if (!row || share < 0 || share >= 1) return null;
  const fine = Math.min(layout.rowLog2, 52);
  return row.start + (BigInt(Math.floor(share * 2 ** fine)) << BigInt(layout.rowLog2 - fine));
}

/** The innermost rectangle under a point. */
export function pieceAt(layout: MapLayout, x: number, y: number): MapPiece | null {
  for (let index = layout.pieces.length - 1; index >= 0; index -= 1) {
    const piece = layout.pieces[index] as MapPiece;
    if (x >= piece.x && x < piece.x + piece.width && y >= piece.y && y < piece.y + piece.height) return piece;
  }
  return null;
}

/** The longest label that fits a rectangle, or null. Labels come longest first; the text starts 6.5 px in. */
export function fitLabel(labels: readonly string[], width: number): string | null {
  return labels.find(label => label.length * charWidth + 9.5 <= width) ?? null;
}

/** The first rectangle of each block drawn, in the order of the address space: what the arrow keys move between. */
export function stopsOf(layout: MapLayout): MapPiece[] {
  const seen = new Set<string>();
  return layout.pieces.filter(piece => !seen.has(piece.id) && Boolean(seen.add(piece.id)));
}

/** The stop in the row above (-1) or below (+1) that is nearest in the picture; the same one at the edge. */
export function neighbouringStop(layout: MapLayout, current: MapPiece, direction: -1 | 1): MapPiece {
  const own = layout.pieces.filter(piece => piece.id === current.id);
  const from = direction === -1 ? own[0] : own.at(-1);
  if (!from) return current;
  const middle = from.x + Math.min(from.width, 24) / 2;
  for (let row = from.row + direction; row >= 0 && row < layout.rows.length; row += direction) {
    let best: MapPiece | null = null;
    let distance = Number.POSITIVE_INFINITY;
    for (const piece of layout.pieces) {
      if (piece.row !== row || piece.id === current.id) continue;
      const away = middle < piece.x ? piece.x - middle : Math.max(0, middle - piece.x - piece.width);
      if (away < distance || (away === distance && best && piece.block.depth > best.block.depth)) {
        best = piece;
        distance = away;
      }
    }
    if (best) return best;
  }
  return current;
}

/** Returns the target of a zoom into a rectangle: its block, or for a mark of many the smallest aligned part that contains them, always closer than the view; null if there is none. */
export function zoomInto(layout: MapLayout, piece: MapPiece): MapView | null {
  const whole = piece.count === 1 ? viewOf(piece.block.start, piece.block.size) : viewOf(piece.start, piece.end - piece.start);
  if (whole.sizeLog2 < layout.view.sizeLog2) return whole.sizeLog2 === 0 && piece.count === 1 ? null : whole;
  if (piece.count === 1 || layout.view.sizeLog2 === 0) return null;
  const sizeLog2 = Math.min(layout.rowLog2, layout.view.sizeLog2 - 1);
  return { start: (piece.start >> BigInt(sizeLog2)) << BigInt(sizeLog2), sizeLog2 };
}

/** Returns the blocks from the covering one to the view: each holds the next. */
export function trailOf(cover: MapView, view: MapView, blocks: readonly PlacedBlock[]): MapView[] {
  const trail: MapView[] = [cover];
  const end = view.start + (1n << BigInt(view.sizeLog2));
  for (const block of blocks) {
    if (block.start > view.start || block.start + block.size < end) continue;
    const step = viewOf(block.start, block.size);
    if (step.sizeLog2 < (trail.at(-1)?.sizeLog2 ?? 0) && step.sizeLog2 > view.sizeLog2) trail.push(step);
  }
  if (view.sizeLog2 < cover.sizeLog2) trail.push(view);
  return trail;
}
