import { type AddressRange, parsePrefix, parseRange } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicRecord } from '../records/index.ts';
import { networksOf } from './networks.ts';
import { sheet } from '../public-pages/index.ts';

/** Narrower ones have no room for their name, in percent of the whole. */
const NAMED_FROM = 11;

/** Where a part lies in a block, in percent of it; null outside. */
function placeIn(block: AddressRange, part: AddressRange): { x: number; width: number } | null {
  if (part.family !== block.family || part.last < block.first || part.first > block.last) return null;
  const first = part.first < block.first ? block.first : part.first;
  const last = part.last > block.last ? block.last : part.last;
  const all = block.last - block.first + 1n;
  const percent = (count: bigint): number => Number((count * 1_000_000n) / all) / 10_000;
  return { x: percent(first - block.first), width: Math.max(percent(last - first + 1n), 0.15) };
}

const bar = (place: { x: number; width: number }, { y, height, look }: { y: number; height: number; look: string }): Content =>
  html`<rect class="${look}" x="${place.x}%" y="${y}" width="${place.width}%" height="${height}"/>`;

/**
 * Draws addresses to scale: networks in them, what is announced, and what ROAs say. Widths are percentages, so that the picture fits any window while its text
 * keeps its size. The tables of the page say the same in words.
 */
export function placePicture(record: PublicRecord): Content {
  const { kind, resource: whole, first, last, routing } = record;
  if (kind === 'asn' || first === last) return null;
  const block = parseRange(`${first} - ${last}`);
  const inside = networksOf(record, 'inside')
    .flatMap(({ resource, name }) => (resource === null ? [] : [{ resource, name, range: parseRange(resource) }]))
    .toSorted((a, b) => Number(b.range.last - b.range.first - (a.range.last - a.range.first)));
  const announced = routing?.announcements ?? [];
  const roas = routing?.roas ?? [];
  if (inside.length + announced.length + roas.length === 0) return null;
  const lane = (prefixes: readonly { prefix: string; look: string }[], y: number): Content =>
    prefixes.map(({ prefix, look }) => {
      const place = placeIn(block, parsePrefix(prefix));
      return place && bar(place, { y, height: 6, look });
    });
  const title = `${whole} to scale: ${inside.length} networks, ${announced.length} announcements and ${roas.length} ROAs. The tables of this page list them.`;
  const body = html`<div class="pad"><svg class="picture" role="img" aria-label="${title}" width="100%" height="92">
<rect class="ground" x="0" y="0" width="100%" height="40"/>${inside.map(({ resource, name, range }) => {
    const place = placeIn(block, range);
    if (!place) return null;
    return html`<g><title>${resource} ${name}</title>${bar(place, { y: 1, height: 38, look: 'network' })}${
      place.width >= NAMED_FROM &&
      html`<svg x="${place.x}%" y="0" width="${place.width}%" height="40"><text x="8" y="25">${name}</text></svg>`
    }</g>`;
  })}<rect class="base" x="0" y="48" width="100%" height="6"/>${lane(
    announced.map(({ prefix }) => ({ prefix, look: 'announced' })),
    48,
  )}<rect class="base" x="0" y="58" width="100%" height="6"/>${lane(
    roas.map(({ prefix }) => ({ prefix, look: 'covered' })),
    58,
  )}${lane(
    announced
      .filter(({ validity }) => validity !== 'not-found')
      .map(({ prefix, validity }) => ({ prefix, look: validity === 'valid' ? 'valid' : 'invalid' })),
    58,
  )}<text class="end" x="0" y="86">${first}</text>${kind === 'ipv4' && html`<text class="end last" x="100%" y="86">${last}</text>`}</svg>
<p class="legend"><span class="network">Registered in it</span><span class="announced">Announced</span><span class="covered">ROA, not announced</span><span class="valid">Valid</span><span class="invalid">Invalid</span></p></div>`;
  return sheet('place', 'Where it lies', { head: html`<p class="aside">To scale</p>`, body });
}
