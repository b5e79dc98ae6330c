import {
  type AddressRange,
  containsRange,
  enclosingPrefix,
  parentPrefix,
  parsePrefix,
  parseRange,
  printPrefix,
} from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import type { PublicRecord } from '../records/index.ts';
import type { HeldPart } from '../resources/index.ts';
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

/** A block around the numbers, and the delegations in it: four times as much as what the numbers belong to. */
export type Surroundings = { block: AddressRange; text: string; parts: readonly HeldPart[] };

/** Shortest prefixes that are drawn around numbers. */
const SHORTEST = { ipv4: 8, ipv6: 16 };

/** The block that is drawn around a delegation, two lengths up; null for the largest. */
export function blockAround(range: AddressRange): { block: AddressRange; text: string } | null {
  const own = enclosingPrefix(range);
  const length = own.length - 2;
  if (length < SHORTEST[range.family]) return null;
  const prefix = parentPrefix(own, length);
  const text = printPrefix(prefix);
  return { block: parseRange(text), text };
}

/** Where a mark ends on the bar above, and its enlargement on the bar below it. */
const enlarge = (place: { x: number; width: number }, from: number, to: number): Content =>
  html`<line class="zoom" x1="${place.x}%" y1="${from}" x2="0" y2="${to}"/><line class="zoom" x1="${place.x + place.width}%" y1="${from}" x2="100%" y2="${to}"/>`;

/** One bar of the picture with its name above it. */
function level(
  top: number,
  {
    label,
    text,
    parts,
    mark,
  }: {
    label: string;
    text: string;
    parts: readonly { place: { x: number; width: number }; title: string; name: string; look: string }[];
    mark: { x: number; width: number };
  },
): Content {
  return html`<text class="end" x="0" y="${top + 10}"><tspan class="word">${label}</tspan> ${text}</text><rect class="ground" x="0" y="${top + 18}" width="100%" height="22"/>${parts.map(
    ({ place, title, name, look }) =>
      html`<g><title>${title}</title>${bar(place, { y: top + 19, height: 20, look })}${
        place.width >= NAMED_FROM &&
        html`<svg x="${place.x}%" y="${top + 18}" width="${place.width}%" height="22"><text x="8" y="15">${name}</text></svg>`
      }</g>`,
  )}${bar(mark, { y: top + 18, height: 22, look: 'here' })}`;
}

/** Height of a bar with its name and the room under it. */
const STEP = 58;

/**
 * Draws addresses to scale, each bar the enlargement of a part of the one above: delegations around, the delegation that the numbers are a part of, and the networks
 * in them with what is announced and what ROAs say. Widths are percentages, so that the picture fits any window while its text keeps its size. The tables of the page
 * say the same in words.
 */
export function placePicture(record: PublicRecord, around: Surroundings | null): Content {
  const { kind, resource: whole, first, last, routing } = record;
  if (kind === 'asn') return null;
  const block = parseRange(`${first} - ${last}`);
  const inside = networksOf(record, 'inside')
    .flatMap(({ resource, name }) => (resource === null ? [] : [{ resource, name, range: parseRange(resource) }]))
    .toSorted((a, b) => Number(b.range.last - b.range.first - (a.range.last - a.range.first)));
  const announced = routing?.announcements ?? [];
  const roas = routing?.roas ?? [];
  const holding = record.holdings.findLast(({ relation }) => relation !== 'inside') ?? null;
  const held = holding === null ? null : parseRange(holding.resource);
  const isPart = held !== null && holding?.relation === 'around' && containsRange(held, block);
  const isBare = first === last || inside.length + announced.length + roas.length === 0;
  const own = held ?? block;
  const mark = around && placeIn(around.block, own);
  // A network that is a part of its delegation has its own name in the lowest bar.
  const self = isPart ? record.objects.find(each => each.relation === 'exact' && /^inet6?num$/.test(each.class)) : undefined;
  const levels = [
    around &&
      mark && {
        label: 'Beside it, in',
        text: around.text,
        parts: around.parts.flatMap(({ resource, holder }) => {
          const range = parseRange(resource);
          const place = placeIn(around.block, range);
          return place
            ? [{ place, title: `${resource} ${holder}`, name: holder, look: containsRange(own, range) ? 'network' : 'other' }]
            : [];
        }),
        mark,
      },
    isPart && { label: 'Part of', text: holding.resource, parts: [], mark: placeIn(held, block)! },
  ].filter(each => each !== null && each !== false);
  if (isBare && levels.length === 0) return null;
  const top = levels.length * STEP;
  const lane = (prefixes: readonly { prefix: string; look: string }[], y: number): Content =>
    prefixes.map(({ prefix, look }) => {
      const place = placeIn(block, parsePrefix(prefix));
      return place && bar(place, { y: top + y, height: 6, look });
    });
  const counted = `${inside.length} networks, ${announced.length} announcements and ${roas.length} ROAs`;
  const title = `${whole} to scale: ${counted}${around ? `; ${around.parts.length} delegations in ${around.text} around it` : ''}. The tables of this page list them.`;
  const lowest = html`<rect class="ground" x="0" y="${top}" width="100%" height="40"/>${self && html`<rect class="network" x="0" y="${top}" width="100%" height="40"/>${inside.length === 0 && html`<text x="8" y="${top + 25}">${self.name}</text>`}`}${inside.map(
    ({ resource, name, range }) => {
      const place = placeIn(block, range);
      if (!place) return null;
      return html`<g><title>${resource} ${name}</title>${bar(place, { y: top + 1, height: 38, look: 'network' })}${
        place.width >= NAMED_FROM &&
        html`<svg x="${place.x}%" y="${top}" width="${place.width}%" height="40"><text x="8" y="25">${name}</text></svg>`
      }</g>`;
    },
  )}${levels.length > 0 && html`<rect class="here" x="0" y="${top}" width="100%" height="40"/>`}<rect class="base" x="0" y="${top + 48}" width="100%" height="6"/>${lane(
    announced.map(({ prefix }) => ({ prefix, look: 'announced' })),
    48,
  )}<rect class="base" x="0" y="${top + 58}" width="100%" height="6"/>${lane(
    roas.map(({ prefix }) => ({ prefix, look: 'covered' })),
    58,
  )}${lane(
    announced
      .filter(({ validity }) => validity !== 'not-found')
      .map(({ prefix, validity }) => ({ prefix, look: validity === 'valid' ? 'valid' : 'invalid' })),
    58,
  )}<text class="end" x="0" y="${top + 86}">${first}</text>${kind === 'ipv4' && html`<text class="end last" x="100%" y="${top + 86}">${last}</text>`}`;
  const legend = [
    ...(isBare
      ? []
      : [
          html`<span class="network">Registered in it</span>`,
          html`<span class="announced">Announced</span>`,
          html`<span class="covered">ROA, not announced</span>`,
          html`<span class="valid">Valid</span>`,
          html`<span class="invalid">Invalid</span>`,
        ]),
    ...(levels.length > 0 ? [html`<span class="here">${whole}</span>`] : []),
    ...(around && around.parts.length > 1 ? [html`<span class="other">Other delegations</span>`] : []),
  ];
  const body = html`<div class="pad"><svg class="picture ${kind === 'ipv6' && 'six'}" role="img" aria-label="${title}" width="100%" height="${isBare ? top - 16 : top + 92}">${levels.map(
    (each, place) =>
      html`${(!isBare || place + 1 < levels.length) && enlarge(each.mark, place * STEP + 40, (place + 1) * STEP + (place + 1 < levels.length ? 18 : 0))}${level(place * STEP, each)}`,
  )}${!isBare && lowest}</svg>
<p class="legend ${kind === 'ipv6' && 'six'}">${legend}</p></div>`;
  return sheet('place', 'Position', { head: html`<p class="aside">To scale</p>`, body });
}
