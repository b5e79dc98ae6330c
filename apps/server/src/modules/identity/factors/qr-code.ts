import { encode } from 'uqr';
import { type Html, html } from '../../../platform/http/html.ts';

/** White modules around a QR code, so that cameras find its edge (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A QR code as an SVG image, dark on white in every theme because cameras expect that. `label` describes it for people who can't see it. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  // One path of horizontal runs: a tenth of the markup of one square per module.
  const path = data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`;
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
