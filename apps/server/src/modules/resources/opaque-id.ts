import { createHash } from 'node:crypto';

/** What `account.statisticsId` keeps of a holder's id: ids mean something within one registry only. */
export const statisticsIdOf = (registry: string, opaqueId: string): string => `${registry}:${opaqueId}`;

/** The holder's id in the registry's statistics file: the one it was imported with, else one that tells nothing about the account and stays the same. */
export function opaqueIdOf(registry: string, { accountName, statisticsId }: { accountName: string; statisticsId: string | null }): string {
  const prefix = statisticsIdOf(registry, '');
  if (statisticsId?.startsWith(prefix)) return statisticsId.slice(prefix.length);
  return createHash('sha256').update(statisticsIdOf(registry, accountName)).digest('hex').slice(0, 16).toUpperCase();
}
