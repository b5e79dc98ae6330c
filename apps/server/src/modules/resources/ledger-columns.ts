import {
  type AddressRange,
  type NumberResource,
  parseAddress,
  printAddress,
  printResource,
  type ResourceFamily,
} from '@portal/number-resources';

/** The only use that space was delegated for; it can't be transferred. */
export type DelegationPurpose = 'exchange' | 'temporary';

/** A number resource in the ledger's tables: address ends in `first` and `last`, AS numbers in `firstAs` and `lastAs`. */
export type LedgerColumns = {
  kind: ResourceFamily;
  first: string | null;
  last: string | null;
  firstAs: number | null;
  lastAs: number | null;
  resource: string;
  /** Number of addresses or AS numbers, in decimal. */
  size: string;
};

/** The columns of a resource, its text in the canonical form. */
export function columnsOf(resource: NumberResource): LedgerColumns {
  if (resource.family === 'asn')
    return {
      kind: 'asn',
      first: null,
      last: null,
      firstAs: resource.first,
      lastAs: resource.last,
      resource: printResource(resource),
      size: String(resource.last - resource.first + 1),
    };
  const { family, first, last } = resource;
  return {
    kind: family,
    first: printAddress({ family, value: first }),
    last: printAddress({ family, value: last }),
    firstAs: null,
    lastAs: null,
    resource: printResource(resource),
    size: String(last - first + 1n),
  };
}

/** The resource of a row. */
export function resourceOf(row: Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>): NumberResource {
  if (row.kind === 'asn') return { family: 'asn', first: row.firstAs ?? 0, last: row.lastAs ?? 0 };
  return rangeOf(row.first, row.last);
}

/** The address range between two addresses of a row; throws for one of AS numbers, which has none. */
export function rangeOf(first: string | null, last: string | null): AddressRange {
  if (first === null || last === null) throw new Error('AS numbers have no addresses.');
  const { family, value } = parseAddress(first);
  return { family, first: value, last: parseAddress(last).value };
}

/** The ledger stores the names of other registries; this one is the empty string, so that its own name is a setting and not data. */
export const ledgerRegistry = (registry: string, ownRegistry: string): string => (registry === ownRegistry ? '' : registry);
