import { createHash } from 'node:crypto';

/** Returns the stored form (`account.statisticsId`) of a holder's id: ids are unique within one registry only. */
export const statisticsIdOf = (registry: string, opaqueId: string): string => `${registry}:${opaqueId}`;

/** Returns the holder's id in the registry's statistics file: the imported one, otherwise a stable one that reveals nothing about the account. */
export function opaqueIdOf(registry: string, { accountName, statisticsId }: { accountName: string; statisticsId: string | null }): string {
  const prefix = statisticsIdOf(registry, '');
  if (statisticsId?.startsWith(prefix)) return statisticsId.slice(prefix.length);
  return createHash('sha256').update(statisticsIdOf(registry, accountName)).digest('hex').slice(0, 16).toUpperCase();
}
