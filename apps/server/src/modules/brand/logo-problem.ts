import { logoLimits } from '@portal/contract/brand/brand-values';

/** A part of a file that a logo may not have; the sentence says what would be right. */
export class LogoProblem extends Error {}

export type Size = { width: number; height: number };
/** A logo made anew of what draws. */
export type Picture = Size & { bytes: Buffer };

/** @throws LogoProblem for a picture without a side, or with too long a one */
export function refuseSize({ width, height }: Size): void {
  if (width < 1 || height < 1 || width > logoLimits.width || height > logoLimits.height)
    throw new LogoProblem(
      `The picture is ${width} by ${height} pixels. Use one of at most ${logoLimits.width} by ${logoLimits.height} pixels`,
    );
}
