import { type Html, html } from '../../../platform/http/html.ts';

/** A block of the picture: first /24 (0 to 31) or a fraction of one, length in /24s, kind and label. */
type Block = { from: number; length: number; kind: 'used' | 'split' | 'free' | 'held'; prefix: string; name?: string };

/** A sample network of documentation addresses (RFC 2544), drawn to scale: never a member's own. */
const blocks: readonly Block[] = [
  { from: 0, length: 2, kind: 'used', prefix: '198.18.0.0/23', name: 'CORE-INFRA' },
  { from: 2, length: 1, kind: 'used', prefix: '198.18.2.0/24' },
  { from: 3, length: 1, kind: 'used', prefix: '198.18.3.0/24' },
  { from: 4, length: 4, kind: 'split', prefix: '198.18.4.0/22', name: 'ACCESS-A' },
  { from: 8, length: 1, kind: 'used', prefix: '198.18.8.0/24' },
  { from: 9, length: 1, kind: 'used', prefix: '198.18.9.0/24' },
  { from: 10, length: 2, kind: 'free', prefix: '198.18.10.0/23' },
  { from: 12, length: 2, kind: 'used', prefix: '198.18.12.0/23', name: 'CUST-NORTHWIND' },
  { from: 14, length: 0.5, kind: 'used', prefix: '.14.0/25' },
  { from: 14.5, length: 0.25, kind: 'used', prefix: '/26' },
  { from: 14.75, length: 0.25, kind: 'free', prefix: '/26' },
  { from: 15, length: 1, kind: 'used', prefix: '198.18.15.0/24' },
  { from: 16, length: 4, kind: 'split', prefix: '198.18.16.0/21', name: 'CGN-PUBLIC' },
  { from: 20, length: 4, kind: 'split', prefix: '', name: 'continues' },
  { from: 24, length: 1, kind: 'used', prefix: '198.18.24.0/24' },
  { from: 25, length: 1, kind: 'held', prefix: '198.18.25.0/24' },
  { from: 26, length: 2, kind: 'free', prefix: '198.18.26.0/23' },
  { from: 28, length: 2, kind: 'free', prefix: '198.18.28.0/23' },
  { from: 30, length: 1, kind: 'used', prefix: '198.18.30.0/24' },
  { from: 31, length: 1, kind: 'free', prefix: '198.18.31.0/24' },
];

type Span = readonly [from: number, length: number];
const routed: readonly Span[] = [
  [0, 4],
  [4, 4],
  [8, 4],
  [12, 4],
  [16, 4],
  [20, 4],
  [24, 1],
  [30, 1],
];
const valid: readonly Span[] = [
  [0, 4],
  [4, 4],
  [8, 4],
  [12, 4],
  [16, 4],
  [20, 4],
  [24, 1],
];
const invalid: readonly Span[] = [[30, 1]];
const reverse: readonly Span[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 24, 30].map(at => [at, 0.98] as const);
const lame: readonly Span[] = [9, 16, 17].flatMap(at => [0, 0.25, 0.5, 0.75].map(part => [at + part, 0.153] as const));

const LEFT = 84;
const UNIT = 158.75;
const ROW = 92;
const rowOf = (at: number): number => Math.floor(at / 4);
const x = (at: number): number => Math.round((LEFT + (at % 4) * UNIT) * 10) / 10;
const width = (length: number): number => Math.round(length * UNIT * 10) / 10;
const rows = [0, 1, 2, 3, 4, 5, 6, 7];

const lane = (spans: readonly Span[], name: string, y: number): Html[] =>
  spans.map(([at, length]) => html`<rect class="${name}" x="${x(at)}" y="${y + rowOf(at) * ROW}" width="${width(length)}" height="3"/>`);

function block({ from, length, kind, prefix, name }: Block): Html {
  const top = 26.5 + rowOf(from) * ROW;
  const left = x(from) + 0.5;
  const text = left + 6.5;
  const base = top + 39.5;
  const cuts = kind === 'split' ? [1, 2, 3].map(cut => html`<path class="m-cut" d="M${x(from) + cut * UNIT} ${top}v71"/>`) : [];
  // Words on hatching need paper under them.
  const paper =
    kind === 'free' ? html`<rect class="paper" x="${left + 2}" y="${top + 27}" width="${8 + prefix.length * 6.6}" height="17"/>` : null;
  return html`<rect class="m-${kind}" x="${left}" y="${top}" width="${width(length) - 1.4}" height="71"/>${cuts}${paper}<text class="${kind === 'free' ? 'quiet' : 'bold'}" x="${text}" y="${base}">${prefix}</text>${name ? html`<text class="sans" x="${text + (prefix ? prefix.length * 6.5 + 8 : 0)}" y="${base}">${name}</text>` : null}`;
}

/** The ruled picture beside the sign-in form: eight rows of 1,024 addresses with routing, ROA and reverse DNS under each. */
export const addressMap: Html = html`<svg class="map" viewBox="0 0 720 764"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0v6"/></pattern></defs>
${[0, 1, 2, 3].map(at => html`<text class="quiet" x="${x(at) + (at === 0 ? 0 : 3.5)}" y="11">+${at * 256}</text><path class="edge" d="M${x(at) + 0.5} 15v8"/>`)}<path class="edge" d="M84 22.5h636"/>
${[0, 1, 2, 3, 4, 5, 6, 7].map(at => html`<rect class="ruler" x="${LEFT + (at * UNIT) / 2}" y="19" width="39.7" height="3.5"/>`)}
${rows.map(row => html`<text class="${row === 3 ? 'bold' : ''}" x="0" y="${66 + row * ROW}">198.18.${row * 4}.0</text><path class="tick" d="M76 ${26.5 + row * ROW}h8"/>${[100, 104, 108].map(y => html`<rect class="m-base" x="84" y="${y + row * ROW}" width="635" height="3"/>`)}`)}
${blocks.map(block)}${lane(routed, 'm-routed', 100)}${lane(valid, 'm-valid', 104)}${lane(invalid, 'm-invalid', 104)}${lane(reverse, 'm-reverse', 108)}${lane(lame, 'm-lame', 108)}
<rect class="m-here" x="83.5" y="301.5" width="318" height="89" rx="1"/><path class="here" d="M84 24l-4-7h8zM83 338l-7-4v8z"/></svg>`;
