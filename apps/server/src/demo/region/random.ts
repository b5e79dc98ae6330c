import type { Random } from '../../platform/demo.ts';

/** Returns a sequence of numbers that is always the same for a seed and a name (mulberry32, begun with the FNV-1a hash of both). */
export function randomOf(seed: number, name: string): Random {
  let state = 2_166_136_261;
  for (const letter of `${seed} ${name}`) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
