import { whoisPermalink } from '@portal/contract/whois/permalink';
import { parseRange } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicRecord } from '../records/index.ts';

/** Zones of a /24 that are drawn: fewer are a short list, and more are no picture. */
const DRAWN = { least: 4, most: 64 };

type Section = PublicRecord['sections'][number];

const lock = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 7h8v6.500H4zM5.500 7V5a2.500 2.500 0 0 1 5 0v2"/></svg>`;

/**
 * Draws the reverse zones of some IPv4 addresses, one cell for each /24: which are delegated, which of these are signed, and of which the last check found a server that doesn’t answer. The list below names their servers.
 * Null where the addresses have no whole /24, too few or too many of them, or zones of another size.
 */
export function zoneGrid({ kind, first, last }: Pick<PublicRecord, 'kind' | 'first' | 'last'>, { rows, more }: Section): Content {
  if (kind !== 'ipv4' || more) return null;
  const range = parseRange(`${first} - ${last}`);
  const [from, to] = [Number(range.first / 256n), Number((range.last + 1n) / 256n)];
  const count = to - from;
  if (range.first % 256n !== 0n || (range.last + 1n) % 256n !== 0n || count < DRAWN.least || count > DRAWN.most) return null;
  const nameOf = (number: number): string =>
    `${number % 256}.${Math.floor(number / 256) % 256}.${Math.floor(number / 65_536)}.in-addr.arpa`;
  const zones = new Map(rows.map(row => [row.label, row]));
  const cells = Array.from({ length: count }, (_, place) => ({ number: from + place, row: zones.get(nameOf(from + place)) }));
  if (cells.filter(({ row }) => row).length !== rows.length) return null;
  const isSigned = ({ text }: Section['rows'][number]): boolean => / DS \d/.test(text);
  const isLame = ({ state }: Section['rows'][number]): boolean => state?.mark === 'invalid';
  const lookOf = (row: Section['rows'][number]): 'lame' | 'signed' | 'zone' => (isLame(row) ? 'lame' : isSigned(row) ? 'signed' : 'zone');
  const looks = Map.groupBy(rows, lookOf);
  const counted = (look: 'lame' | 'signed' | 'zone'): number => looks.get(look)?.length ?? 0;
  const legend = [
    ['lame', 'A server doesn’t answer', counted('lame')],
    ['signed', 'Delegated, signed', counted('signed')],
    ['zone', 'Delegated', counted('zone')],
    ['none', 'Not delegated', count - rows.length],
  ] as const;
  return html`<div class="pad"><ul class="zones">${cells.map(({ number, row }) => {
    const shown = number % 256;
    if (!row) return html`<li class="none">${shown}<span class="away"> not delegated</span></li>`;
    return html`<li><a class="${lookOf(row)}" href="${whoisPermalink(row.label)}" title="${row.label}: ${row.text}">${shown}${isLame(row) && html`<span class="away">, a server doesn’t answer</span>`}${isSigned(row) && html`${lock}<span class="away"> signed</span>`}</a></li>`;
  })}</ul><p class="legend zone-legend">${legend.map(([look, words, found]) => found > 0 && html`<span class="${look}">${words} <b>${found}</b></span>`)}</p></div>`;
}
