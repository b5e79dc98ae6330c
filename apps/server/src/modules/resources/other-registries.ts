import { containsResource, coverRange, listResources, type NumberResource, resourceSetOf, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { insertDelegations, type LedgerDelegation } from './delegations.ts';
import { columnsOf, resourceOf } from './ledger-columns.ts';

/** Removes other registries' delegations in these resources, which move here; the rest of them stays. The caller holds the ledger's lock. */
export async function endElsewhere(change: Change, resources: readonly NumberResource[]): Promise<void> {
  const moving = resourceSetOf(resources);
  for (const resource of resources)
    for (const row of await delegationsElsewhere(change, resource)) {
      await change.rows(sql`update delegation set status = 'closed' where delegation_id = ${row.delegationId}`);
      const { type, source, portable, delegatedOn, economy, accountName, registry, dateText, extensions } = row;
      const common = { type, source, portable, delegatedOn, holdUntil: null, economy, accountName, registry, dateText, extensions };
      const left = listResources(subtractSets(resourceSetOf([resourceOf(row)]), moving));
      await insertDelegations(
        change,
        left.flatMap(each => (each.family === 'ipv6' ? coverRange(each) : [each])).map(each => ({ ...columnsOf(each), ...common })),
      );
    }
}

/** The open delegations of other registries that overlap a resource. */
const delegationsElsewhere = (
  read: Pick<Read, 'rows'>,
  resource: NumberResource,
): Promise<(Omit<LedgerDelegation, 'holdUntil'> & { delegationId: number })[]> => {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  return read.rows(sql`select delegation_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, type, source, portable,
    delegated_on::text, economy, account_name, registry, date_text, extensions from delegation where registry <> '' and status <> 'closed' and ${
      kind === 'asn'
        ? sql`kind = 'asn' and int8range(first_as, last_as, '[]') && int8range(${firstAs}, ${lastAs}, '[]')`
        : sql`kind <> 'asn' and inetrange(first, last, '[]') && inetrange(${first}::inet, ${last}::inet, '[]')`
    } order by delegation_id`);
};

/** Facts from other registries' published statistics about an incoming resource. */
export type HeldElsewhere = {
  /** The last day of the registry's file; null if none was imported. */
  fileOf: string | null;
  /** The registry's file lists all of the resource as delegated. */
  isHeld: boolean;
  /** Other registries whose files list some of it. */
  others: string[];
};

/**
 * Returns what the imported statistics files (`registry import statistics`) list about a resource.
 * @param registry as statistics files name it: `ripencc`
 */
export async function heldElsewhere(read: Pick<Read, 'rows'>, registry: string, resource: NumberResource): Promise<HeldElsewhere> {
  const [file] = await read.rows<{ day: string }>(sql`select end_date as day from statistics_file where registry = ${registry}`);
  const rows = await delegationsElsewhere(read, resource);
  const there = rows.filter(row => row.registry === registry);
  return {
    fileOf: file?.day ?? null,
    isHeld: containsResource(resourceSetOf(there.map(resourceOf)), resource),
    others: [...new Set(rows.filter(row => row.registry !== registry).map(row => row.registry))].sort(),
  };
}
