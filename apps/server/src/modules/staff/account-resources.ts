import { type AccountPicture, pictureResources } from '@portal/contract/staff/account-pictures';
import { parsePrefix, parseResource } from '@portal/number-resources';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { heldBlocks } from '../resources/index.ts';
import type { zoneSummary } from '../reverse-dns/index.ts';
import type { seenAnnouncements } from '../routes/index.ts';

type Listed = NonNullable<AccountPicture['resources']>;
type Seen = Awaited<ReturnType<typeof seenAnnouncements>>['announcements'];
type Zones = Awaited<ReturnType<typeof zoneSummary>>['blocks'];
type Row = Listed['rows'][number] & { first: bigint; last: bigint };

/** The row in which a number lies; the rows are of one kind, in order, and don't overlap. */
function rowAt(rows: readonly Row[], number: bigint): Row | null {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle]!;
    if (number < row.first) high = middle - 1;
    else if (number > row.last) low = middle + 1;
    else return row;
  }
  return null;
}

/** The first delegations of an account, each with its use, the routes that are seen of it, and its reverse zones. */
export async function resourcesOf(
  read: Read,
  accountName: string,
  { announcements, blocks }: { announcements: Seen; blocks: Zones },
): Promise<Listed> {
  const held = await heldBlocks(read, accountName);
  const rows: Row[] = held.slice(0, pictureResources).map(({ kind, resource, size, used, delegatedOn }) => {
    const numbers = parseResource(resource);
    return {
      kind,
      resource,
      since: delegatedOn,
      size,
      used,
      routes: { valid: 0, invalid: 0, notFound: 0 },
      zones: null,
      first: BigInt(numbers.first),
      last: BigInt(numbers.last),
    };
  });
  const ofKind = Map.groupBy(rows, ({ kind }) => kind);
  const breathe = breathing();
  for (const { prefix, asn, validity } of announcements) {
    const { family, first } = parsePrefix(prefix);
    const key = validity === 'valid' ? 'valid' : validity === 'not-found' ? 'notFound' : 'invalid';
    for (const row of [rowAt(ofKind.get(family) ?? [], first), rowAt(ofKind.get('asn') ?? [], BigInt(asn))]) if (row) row.routes[key] += 1;
    await breathe();
  }
  for (const { prefix, needed, covered, cells } of blocks) {
    const { family, first } = parsePrefix(prefix);
    const row = rowAt(ofKind.get(family) ?? [], first);
    if (!row) continue;
    const before = row.zones ?? { needed: 0, covered: 0, lame: 0 };
    row.zones = {
      needed: before.needed + needed,
      covered: before.covered + covered,
      lame: before.lame + cells.filter(({ state }) => state === 'lame').length,
    };
  }
  return { rows: rows.map(({ first: _first, last: _last, ...row }) => row), delegations: held.length };
}
