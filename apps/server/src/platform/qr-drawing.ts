import { encode } from 'uqr';

/** White modules around a QR code, so that cameras find its edge (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Returns a QR code with error correction M as one path of its dark modules: of SVG and PDF, in units of a module, in a square of `size` of them. */
export function qrDrawing(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  // Horizontal runs: a tenth of one square per module.
  return { size, path: data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('') };
}

/** Returns the runs of dark modules in a row: start and length of each. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last && last[0] + last[1] === x) last[1]++;
    else runs.push([x, 1]);
  });
  return runs;
}
