import type { AddressOverview } from '@portal/contract/resources/resources';
import { formatCount } from '@portal/ui';
import type { Strip, StripMark } from '@portal/ui/map/AddressStrips';
import { amountOf, amountWords, plural } from '../../shell/amounts.ts';
import { stripName } from './overview-places.ts';

/** Descriptions of a delegation by its registered share. */
export const kindWords: Record<AddressOverview['counts'][number]['kind'], string> = {
  unassigned: 'No assignments registered',
  partly: 'Partly assigned',
  full: 'Fully assigned',
  own: 'Own use',
  held: 'Under transfer or return',
};

/** The strips of an overview as they are drawn and read aloud. */
export const stripsOf = (kind: 'ipv4' | 'ipv6', overview: AddressOverview): Strip[] =>
  overview.strips.map(strip => ({
    id: strip.within,
    label: stripName(strip.within),
    amount: amountOf(kind, BigInt(strip.size)),
    words: `${strip.within}: ${amountWords(kind, BigInt(strip.size))} in ${formatCount(strip.delegations)} ${plural(strip.delegations, 'delegation', 'delegations')}`,
    marks: strip.marks.map(({ resource, delegations, ...mark }) => ({ ...mark, id: resource, count: delegations })),
  }));

/** Marks of the edge: the second octet along a /8, else parts of a strip. */
export const ticksOf = ({ kind, stripLength }: AddressOverview): string[] =>
  stripLength === 8 && kind === 'ipv4' ? ['.0', '.64', '.128', '.192', '.255'] : ['', '25 %', '50 %', '75 %', ''];

/** Returns the name of a mark for pointer and keyboard. */
export const nameOfMark = ({ id, count, kind }: StripMark): string =>
  count > 1 ? `${formatCount(count)} delegations, ${id}` : `${id}, ${kindWords[kind].replace(/^./, letter => letter.toLowerCase())}`;
