import { type Html, html } from './http/html.ts';
import { qrDrawing } from './qr-drawing.ts';

/** A QR code as an SVG image, dark on white in every theme because cameras expect that. `label` describes it for people who can't see it. */
export function qrCode(text: string, label: string): Html {
  const { size, path } = qrDrawing(text);
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`;
}
