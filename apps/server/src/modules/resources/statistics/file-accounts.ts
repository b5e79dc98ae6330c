import { setImmediate as turn } from 'node:timers/promises';
import { printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { accountNamesFrom } from '../../accounts/index.ts';
import { createAccounts } from '../holders/holders.ts';
import { ledgerRegistry } from '../ledger-columns.ts';
import { opaqueIdOf, statisticsIdOf } from '../holders/opaque-id.ts';
import type { StatisticsFile } from './statistics-file.ts';
import { isPool } from './statistics-file.ts';

/** Rows per statement: enough to be fast, few enough to let others read in between. */
export const BATCH = 2_000;

type Accounts = { accountOf: (resource: string, opaqueId: string | null) => string; opened: number; inFile: number };

/**
 * The accounts of the file's holders. Missing ones are created as open, regular accounts; the registry corrects names and types, which the file
 * doesn't have. Records without an id belong to one account of type `rir` for each registry.
 */
export async function openAccounts(
  change: Change,
  { header: { registry }, format, records }: StatisticsFile,
  existing: ReadonlyMap<string, { accountName: string | null }>,
  ownRegistry: string,
): Promise<Accounts> {
  const economies = new Map<string, Map<string, number>>();
  let unnamed = false;
  for (const [index, { opaqueId, economy, status, resource }] of records.entries()) {
    if (index % 20_000 === 0) await turn();
    if (isPool({ status })) continue;
    const id = opaqueId ?? '';
    if (id === '' && format === 'delegated' && existing.has(printResource(resource))) continue;
    if (id === '') unnamed = true;
    const counts = economies.get(id) ?? new Map<string, number>();
    economies.set(id, counts.set(economy, (counts.get(economy) ?? 0) + 1));
  }
  // Holders of this registry's own delegations have an id in its file although they weren't imported.
  const known = new Map<string, string>();
  for (const account of await change.rows<{ accountName: string; statisticsId: string | null }>(sql`
    select account_name, statistics_id from account where starts_with(statistics_id, ${statisticsIdOf(registry, '')})
    union select account_name, statistics_id from delegation join account using (account_name)
    where registry = ${ledgerRegistry(registry, ownRegistry)} and status <> 'closed'`))
    known.set(opaqueIdOf(registry, account), account.accountName);
  const fresh = [...economies.keys()].filter(id => !known.has(id)).sort();
  const names = await accountNames(change, registry, fresh);
  const accounts = fresh.map((id, index) => ({
    accountName: names[index] ?? '',
    accountStatus: 'open' as const,
    accountType: id === '' ? ('rir' as const) : ('regular' as const),
    orgName: id === '' ? `Holders the statistics of ${registry} do not name` : `Holder ${id}`,
    economy: id === '' ? null : mostFrequent(economies.get(id)),
    statisticsId: statisticsIdOf(registry, id),
  }));
  for (let from = 0; from < accounts.length; from += BATCH) await createAccounts(change, accounts.slice(from, from + BATCH));
  for (const [index, id] of fresh.entries()) known.set(id, names[index] ?? '');
  return {
    accountOf: (resource, opaqueId) => {
      const id = opaqueId ?? '';
      const holder = id === '' && format === 'delegated' ? existing.get(resource)?.accountName : undefined;
      const name = holder ?? known.get(id);
      if (name === undefined) throw new Error(`no account for the holder ${id}`);
      return name;
    },
    opened: accounts.length,
    inFile: economies.size - (unnamed ? 1 : 0),
  };
}

/** Returns names such as `APNIC-A9113FEF`: registry and id in the letters of account names; a number follows a name that is taken. */
async function accountNames(change: Change, registry: string, ids: readonly string[]): Promise<string[]> {
  const prefix = `${registry.toUpperCase()}-`;
  const taken = new Set(await accountNamesFrom(change, prefix));
  return ids.map(id => {
    const plain = `${prefix}${id === '' ? 'UNNAMED' : id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '') || 'ID'}`.slice(0, 40);
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain.slice(0, 39 - String(number).length)}-${number}`;
    taken.add(name);
    return name;
  });
}

function mostFrequent(counts: ReadonlyMap<string, number> | undefined): string | null {
  const [best] = [...(counts ?? [])].filter(([economy]) => economy !== '').sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return best?.[0] ?? null;
}
