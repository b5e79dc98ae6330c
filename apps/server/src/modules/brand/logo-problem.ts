/** The largest file of a logo, in bytes, and its sides in pixels. */
export const LARGEST_LOGO = 192 * 1024;
const MAX_WIDTH = 2048;
const MAX_HEIGHT = 1024;

/** A part of a file that a logo may not have; the sentence says what would be right. */
export class LogoProblem extends Error {}

/** @throws LogoProblem for a picture without a side, or with too long a one */
export function refuseSize({ width, height }: { width: number; height: number }): void {
  if (width < 1 || height < 1 || width > MAX_WIDTH || height > MAX_HEIGHT)
    throw new LogoProblem(`The picture has ${width} by ${height} pixels. It may have ${MAX_WIDTH} by ${MAX_HEIGHT} at most`);
}
