import {
  type AddressRange,
  coverRange,
  parseAddress,
  prefixOfRange,
  printAddress,
  printPrefix,
  printRange,
  type SpecialBlock,
} from '@portal/number-resources';
import { publicObject, type RpslObject, valueOf } from '@portal/rpsl';
import { type AnswerContext, type Cidr, type Link, linkTo, type Network, pageLink, type Redaction } from './answer.ts';
import { countryOf, delegationEvents, eventsOf, geofeedLinks, langOf, remarksOf, type Stamp } from './common-members.ts';
import { nestedEntities, type Referred } from './entities.ts';
import { lockStatuses } from './lock-statuses.ts';

/** A stored inetnum or inet6num, and its surroundings. */
export type NetworkRow = Stamp & {
  shown: string;
  text: string;
  /** Host addresses. */
  first: string;
  last: string;
  /** Whether it is a delegation, or inside one. */
  delegated: boolean;
  /** Whether it contains delegations or free space of the registry without being a delegation. */
  holdsDelegations: boolean;
  /** Day of the delegation that is exactly this range. */
  delegatedOn?: string | null;
  /** Whether that delegation came by a transfer. */
  transferred?: boolean | null;
  /** Whether its holder locked the delegation; null or undefined if unknown. */
  locked?: boolean | null;
  /** Whether it lies in a frozen part that a request moves. */
  moving?: boolean | null;
  parent?: { shown: string; first: string; last: string } | null;
};

/** The range between two host addresses. */
export function rangeBetween(first: string, last: string): AddressRange {
  const { family, value } = parseAddress(first);
  return { family, first: value, last: parseAddress(last).value };
}

/** The path of a range: a prefix, or both ends if it isn't one. */
export function networkPath(range: AddressRange): string {
  const prefix = prefixOfRange(range);
  const end = (value: bigint): string => printAddress({ family: range.family, value });
  return `ip/${prefix ? printPrefix(prefix) : `${end(range.first)}-${end(range.last)}`}`;
}

function cidrsOf(range: AddressRange): Cidr[] {
  return coverRange(range).map(({ family, first, length }) => {
    const start = printAddress({ family, value: first });
    return family === 'ipv4' ? { v4prefix: start, length } : { v6prefix: start, length };
  });
}

const placeOf = (range: AddressRange): Pick<Network, 'startAddress' | 'endAddress' | 'ipVersion' | 'cidr0_cidrs'> => ({
  startAddress: printAddress({ family: range.family, value: range.first }),
  endAddress: printAddress({ family: range.family, value: range.last }),
  ipVersion: range.family === 'ipv4' ? 'v4' : 'v6',
  cidr0_cidrs: cidrsOf(range),
});

/**
 * `active` in use, `administrative` for the registry's blocks around delegations (NRO profile 4.5). An object whose range isn't in the ledger is in use.
 */
export const statusOf = ({ delegated, holdsDelegations }: Pick<NetworkRow, 'delegated' | 'holdsDelegations'>): string =>
  delegated || !holdsDelegations ? 'active' : 'administrative';

const readNetwork = (text: string): RpslObject => publicObject(text) ?? { class: '', attributes: [] };

/** A network without what it nests: inside other answers, and in lists. */
export function plainNetwork(context: AnswerContext, row: NetworkRow, object = readNetwork(row.text)): Network {
  const range = rangeBetween(row.first, row.last);
  const name = valueOf(object, 'netname');
  const type = valueOf(object, 'status');
  return {
    objectClassName: 'ip network',
    handle: row.shown,
    ...placeOf(range),
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
    ...countryOf(object),
    ...langOf(object),
    ...(row.parent && { parentHandle: row.parent.shown }),
    status: [statusOf(row), ...lockStatuses(row)],
    ...remarksOf(object),
    ...eventsOf(object, row, delegationEvents(row)),
    links: [
      linkTo(context, 'self', networkPath(range)),
      ...(row.parent ? [linkTo(context, 'up', networkPath(rangeBetween(row.parent.first, row.parent.last)))] : []),
      pageLink(context, printRange(range)),
      ...geofeedLinks(object, context.request),
    ],
    port43: context.profile.whoisHost,
  };
}

/** Links to existing networks above and below (RFC 9910). Nested networks and list rows have none. */
function relationLinks(context: AnswerContext, row: NetworkRow): Link[] {
  const key = networkPath(rangeBetween(row.first, row.last)).slice('ip/'.length);
  const relations = row.parent ? (['up', 'down', 'top', 'bottom'] as const) : (['down', 'bottom'] as const);
  return relations.map(relation => linkTo(context, `rdap-${relation}`, `ips/rirSearch1/rdap-${relation}/${key}`));
}

/** The requested network, directly or as the one above another. */
export function networkOf(
  context: AnswerContext,
  row: NetworkRow,
  referred: readonly Referred[],
): { network: Network; redacted: Redaction[] } {
  const object = readNetwork(row.text);
  const { entities, redacted } = nestedEntities(context, object, referred);
  const plain = plainNetwork(context, row, object);
  const network = { ...plain, links: [...(plain.links ?? []), ...relationLinks(context, row)] };
  return { network: { ...network, ...(entities.length > 0 && { entities }) }, redacted };
}

/** Reserved space that belongs to no registry (NRO profile 4.5). */
export function specialNetwork(context: AnswerContext, block: SpecialBlock): Network {
  const handle = printPrefix(block.prefix);
  return {
    objectClassName: 'ip network',
    handle,
    ...placeOf(block.prefix),
    name: block.name,
    status: ['reserved'],
    remarks: [{ title: 'description', description: [`${block.name}: set aside by ${block.source}`] }],
    links: [linkTo(context, 'self', `ip/${handle}`)],
    port43: context.profile.whoisHost,
  };
}
