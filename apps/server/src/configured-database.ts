import type { Config } from './config.ts';
import { type Database, openDatabase } from './platform/database/index.ts';
import type { Log } from './platform/log.ts';

/** Opens the database of the settings, with its own folder where it is embedded. */
export function openConfiguredDatabase(config: Config, log: Log): Promise<Database> {
  return openDatabase({
    url: config.database,
    directUrl: config.databaseDirectUrl || undefined,
    replicas: config.databaseReadUrls.length > 0 ? { urls: config.databaseReadUrls, lagSeconds: config.replicaLagSeconds } : undefined,
    pools: config.databaseUrl.startsWith('postgres')
      ? { reader: config.databaseConnections, writer: config.databaseConnections }
      : undefined,
    onError: error => log.warn('database connection', { error }),
  });
}
