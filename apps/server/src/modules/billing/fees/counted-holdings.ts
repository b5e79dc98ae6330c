import type { CountedHoldings, FeeAccountKind, feeEstimates } from '@portal/contract/billing/fee-estimates';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Act } from '../../../platform/http/endpoints.ts';
import { accountNamed } from '../../accounts/index.ts';
import { billedTypes, expectedOn } from './fee-schedules.ts';

/** Up to this many prefixes of a family are listed; more are grouped by size. */
const MAX_NAMED = 20;

type Block = { family: 'ipv4' | 'ipv6'; resource: string; size: string; historical: boolean; assigned: boolean };

/**
 * Returns the current holdings of an account as its next fee counts them, as the rows of a new fee calculation. Contacts who may not see number
 * resources get the number of prefixes of each size, which invoices show too.
 */
export async function getCountedHoldings({
  read,
  account,
  registry: { today, profile },
}: Act<typeof feeEstimates.getCountedHoldings>): Promise<CountedHoldings> {
  const { accountName, accountType, nir, permissions } = account;
  const pays = billedTypes[accountType];
  const [{ expiryDate, economy }, held] = await Promise.all([
    accountNamed(read, accountName),
    read.rows<Omit<Block, 'family'> & { kind: 'ipv4' | 'ipv6' | 'asn' }>(sql`
      select kind, resource, size::text, source = 'historical' as historical, type = 'assigned' as assigned
      from delegation where account_name = ${accountName} and registry = '' and status <> 'closed' order by kind, first, first_as`),
  ]);
  const begins = expiryDate === null ? null : daysAfter(expiryDate, 1);
  const schedule = await expectedOn(read, pays ?? 'member', begins ?? today, profile.feeGrowth);
  const addresses = held.flatMap(({ kind, ...block }): Block[] => (kind === 'asn' ? [] : [{ ...block, family: kind }]));
  const historical = addresses.filter(block => block.historical && !schedule?.countHistorical);
  const others = addresses.filter(block => !historical.includes(block));
  const free48 = schedule?.firstPi48Free
    ? others.find(({ family, assigned, size }) => family === 'ipv6' && assigned && size === FORTY_EIGHT)
    : undefined;
  const counted = others.filter(block => block !== free48);
  const notCounted = [
    ...(historical.length > 0 ? [historical.length === 1 ? '1 historical block' : `${historical.length} historical blocks`] : []),
    ...(free48 ? ['The first assigned IPv6 /48'] : []),
  ];
  const asns = held.filter(({ kind }) => kind === 'asn').reduce((sum, { size }) => sum + Number(size), 0);
  const kind: FeeAccountKind | null = pays === undefined ? null : nir ? 'nir' : pays;
  const named = permissions.has('resources-view') && counted.length <= MAX_NAMED;
  return { kind, economy, begins, blocks: named ? rowsOf(counted, nameOf) : rowsOf(counted, sizeOf), asns, notCounted };
}

/** Addresses of an IPv6 /48. */
const FORTY_EIGHT = String(2n ** 80n);

/** `/22`, or the number of addresses for an IPv4 range that isn't a prefix. IPv6 is delegated by prefix. */
function sizeOf({ family, size }: Block): string {
  const count = BigInt(size);
  const bits = count.toString(2).length - 1;
  if (1n << BigInt(bits) === count) return `/${(family === 'ipv4' ? 32 : 128) - bits}`;
  return family === 'ipv4' ? size : `${(count + (1n << 72n) - 1n) >> 72n}`;
}

const nameOf = (block: Block): string => (block.resource.includes('/') ? block.resource : sizeOf(block));

function rowsOf(blocks: readonly Block[], name: (block: Block) => string): CountedHoldings['blocks'] {
  const rows = new Map<string, CountedHoldings['blocks'][number]>();
  for (const block of blocks) {
    const key = `${block.family} ${name(block)}`;
    const row = rows.get(key) ?? { family: block.family, name: name(block), quantity: 0 };
    row.quantity += 1;
    rows.set(key, row);
  }
  return [...rows.values()];
}
