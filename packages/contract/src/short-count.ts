import { constants } from './constants.ts';

/**
 * A large count with K, M or B (specification, section 9): 950, 1K, 1.2K, 73.4K, 12.8M. One decimal below 100 of the unit, cut not
 * rounded up, so that a count is never shown as more than it is.
 */
export function shortCount(count: number | bigint): string {
  const value = Number(count);
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  const { K, M, B } = constants.shortCountSteps;
  const [unit, letter] = size >= B ? [B, 'B'] : size >= M ? [M, 'M'] : size >= K ? [K, 'K'] : [1, ''];
  const scaled = size / unit;
  const shown = letter && scaled < 100 ? Math.floor(scaled * 10) / 10 : Math.floor(scaled);
  return `${sign}${shown}${letter}`;
}
