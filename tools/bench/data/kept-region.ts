import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrate, openDatabase } from '../../../apps/server/src/platform/database/index.ts';
import { migrationFiles } from '../../../apps/server/src/platform/database/migrations.ts';
import { account, binaries, freePort } from '../../../apps/server/test/database/throwaway-postgres.ts';
import { pg } from './portal-data.ts';
import { loadRegion, type Region } from './whois-region.ts';

const PREFIX = 'portal-region-';

export type KeptRegions = { region(objects: number): Promise<{ url: string; region: Region; kept: boolean }> } & AsyncDisposable;

/**
 * Starts a PostgreSQL server, with the memory a registry would give it, that keeps the databases of regions between runs: loading a million objects
 * takes a minute or more. Another statistics file, a change of how objects are made from it, or a migration starts over.
 */
export async function keptRegions(statistics: string): Promise<KeptRegions> {
  const bin = binaries();
  const owner = account();
  if (bin === null || owner === null) throw new Error('this needs the programs of PostgreSQL, and an account that may run them');
  const hash = createHash('sha256').update(fs.readFileSync(statistics)).update(bin);
  hash.update(fs.readFileSync(path.join(import.meta.dirname, 'whois-region.ts')));
  for (const { name, sha256 } of await migrationFiles()) hash.update(`${name} ${sha256}`);
  const name = `${PREFIX}${hash.digest('hex').slice(0, 16)}`;
  const folder = path.join(os.tmpdir(), name);
  for (const other of fs.readdirSync(os.tmpdir()))
    if (other.startsWith(PREFIX) && other !== name) fs.rmSync(path.join(os.tmpdir(), other), { recursive: true, force: true });
  const data = path.join(folder, 'data');
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) {
    fs.mkdirSync(folder, { recursive: true });
    if (owner.uid !== undefined) fs.chownSync(folder, owner.uid, owner.gid ?? owner.uid);
    const args = ['-D', data, '-A', 'trust', '-U', 'portal', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const made = spawnSync(path.join(bin, 'initdb'), args, { ...owner, cwd: folder, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off', 'shared_buffers=1GB'];
  settings.push('max_wal_size=8GB', 'autovacuum=off', 'max_connections=100');
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('ready to accept connections')) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start.\n${said}`);
    await Promise.race([once(server.stderr, 'data'), once(server, 'exit')]);
  }
  const urlOf = (database: string): string => `postgres://portal@127.0.0.1:${port}/${database}`;
  return {
    region: async objects => {
      const database = `region_${objects}`;
      const file = path.join(folder, `${database}.json`);
      const url = urlOf(database);
      if (fs.existsSync(file)) return { url, region: JSON.parse(fs.readFileSync(file, 'utf8')) as Region, kept: true };
      const admin = new pg.Client({ connectionString: urlOf('postgres') });
      await admin.connect();
      await admin.query(`drop database if exists ${database}`);
      await admin.query(`create database ${database} template template0`);
      await admin.end();
      const db = await openDatabase({ url });
      await migrate(db);
      await db.close();
      const region = await loadRegion(url, statistics, objects);
      fs.writeFileSync(file, JSON.stringify(region));
      return { url, region, kept: false };
    },
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
    },
  };
}
