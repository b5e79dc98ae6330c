/** Registered share of a delegation. */
export type StripKind = 'unassigned' | 'partly' | 'full' | 'own' | 'held';
/** A delegation in its strip, or several too near one another to draw apart (`count` over 1); `start` and `share` are parts of the strip, 0 to 1. */
export type StripMark = { id: string; kind: StripKind; start: number; share: number; count: number };
/** One equal part of the address space. */
export type Strip = {
  id: string;
  /** Before the strip: 113 */
  label: string;
  /** After the strip: how much is held in it. */
  amount: string;
  /** For those who hear it: "113.0.0.0/8, 28 delegations, 4 767 744 addresses". */
  words: string;
  marks: readonly StripMark[];
};

/** Distance of a strip from the next, and its height, in px. */
export const pitch = 20;
export const barHeight = 13;
/** Top of the first strip, in px. */
export const top = 26;
/** A delegation is never too thin to be seen. */
export const thinnest = 1.6;

/** Where the strips are drawn, in px: `barWidth` wide from `left`. */
export type StripFrame = { left: number; barWidth: number; width: number; height: number };

/** Returns the frame that leaves room for the longest label before the strips and the longest amount after them. */
export function stripFrame(strips: readonly Strip[], amountHead: string, width: number): StripFrame {
  const left = Math.max(34, Math.max(...strips.map(strip => strip.label.length)) * 6.9 + 13);
  const right = Math.max(64, Math.max(amountHead.length * 6.8, ...strips.map(strip => strip.amount.length * 6.9)) + 16);
  return { left, barWidth: Math.max(60, width - left - right), width, height: top + strips.length * pitch };
}

/** Returns the strip at a point, with the mark that is nearest there (within 4 px); null where there is none. */
export function stripAt(strips: readonly Strip[], { left, barWidth }: StripFrame, { x, y }: { x: number; y: number }) {
  const index = Math.floor((y - top + (pitch - barHeight) / 2) / pitch);
  const row = strips[index];
  if (!row || y < top - 4) return null;
  const share = (x - left) / barWidth;
  let best: StripMark | null = null;
  let distance = 4 / barWidth;
  for (const mark of row.marks) {
    const away = share < mark.start ? mark.start - share : Math.max(0, share - mark.start - mark.share);
    if (away < distance) {
      best = mark;
      distance = away;
    }
  }
  return { index, row, mark: best };
}
