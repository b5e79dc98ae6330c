import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Config, readConfig } from '../../../apps/server/src/config.ts';
import { mintToken } from '../../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../../apps/server/test/database/throwaway-postgres.ts';
import { root } from '../../root.ts';
import { address, port, runCommand, startProgram } from '../programs/program.ts';
import { statisticsFile } from './statistics.ts';

/** The driver the server uses, from where the server has it. */
export const pg = createRequire(path.join(root, 'apps/server/package.json'))('pg') as typeof import('pg');

export type PortalData = {
  /** Environment of a program that serves this data. */
  environment: Record<string, string>;
  config: Config;
  db: Database;
  url: string;
  about: string;
  /** The account with the most delegations of a kind. */
  largest(kind: 'ipv4' | 'ipv6' | 'asn'): Promise<{ accountName: string; delegations: number }>;
  tokenOf(name: string): Promise<string>;
} & AsyncDisposable;

/** A PostgreSQL database with the demo registry and a whole statistics file. */
export async function portalData(folder: string): Promise<PortalData> {
  const { server, reason } = await throwawayPostgres();
  if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
  const { file, about } = await statisticsFile(folder);
  const database = await server.createDatabase();
  const environment = { DATA_DIR: folder, DATABASE_URL: database.url };
  await runCommand(['migrate'], environment);
  await runCommand(['demo', 'load'], environment);
  await runCommand(
    ['import', 'statistics', await withDemoRecords(file, { folder, environment }), '--yes', '--accept-wrong-summary'],
    environment,
  );
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const db = await openDatabase({ url: database.url });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await workOff(environment, client);
  await client.query('vacuum analyze');
  return {
    environment,
    config,
    db,
    url: database.url,
    about,
    largest: async kind => {
      const { rows } = await client.query<{ account_name: string; delegations: string }>(
        'select account_name, count(*) as delegations from delegation where kind = $1 group by account_name order by 2 desc, 1 limit 1',
        [kind],
      );
      return { accountName: rows[0]!.account_name, delegations: Number(rows[0]!.delegations) };
    },
    tokenOf: name => mintToken(db, config, name, { mfa: true }),
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await db.close();
      await database.drop();
    },
  };
}

/** Writes the file with the demo registry's own records, if both are of one registry: without them it would close numbers that requests of the demo registry move. */
async function withDemoRecords(
  file: string,
  { folder, environment }: { folder: string; environment: Record<string, string> },
): Promise<string> {
  const own = path.join(folder, 'demo-records');
  await runCommand(['export', 'statistics', '--format', 'delegated-extended', '--out', own], environment);
  const records = readFileSync(own, 'latin1')
    .split('\n')
    .filter(line => line.split('|').length >= 7 && !/^[\d.]+\|/.test(line));
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').trimEnd();
  const registry = records[0]?.split('|')[0];
  if (!text.includes(`\n${registry}|`)) return file;
  const both = path.join(folder, 'statistics-with-demo-records');
  writeFileSync(both, `${text}\n${records.join('\n')}\n`, 'latin1');
  return both;
}

/** Imports leave tasks to the worker (whois objects for a whole region) that the benchmarks do not measure. */
async function workOff(environment: Record<string, string>, client: InstanceType<typeof pg.Client>): Promise<void> {
  await using _worker = await startProgram({ ...environment, ROLES: 'worker' });
  const end = performance.now() + 300_000;
  for (;;) {
    const { rowCount } = await client.query(`select task_id::text from task where state in ('queued', 'running')
      union all select account_name from whois_due_account limit 1`);
    if (rowCount === 0) return;
    if (performance.now() > end) throw new Error('The worker did not finish its work in five minutes.');
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

export type Statement = { text: string; values: unknown[] };

/** The statements that the driver sends in this process while `work` runs, transaction control left out. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: InstanceType<typeof pg.Client>, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof first === 'string' ? first : first.text;
    if (text && !/^(begin|commit|rollback|start transaction|set |listen)/i.test(text))
      seen.push({ text, values: (typeof first === 'string' ? second : first.values) ?? [] });
    return Reflect.apply(original, this, args) as never;
  } as typeof pg.Client.prototype.query;
  try {
    await work();
  } finally {
    Reflect.set(pg.Client.prototype, 'query', original);
  }
  return seen;
}
