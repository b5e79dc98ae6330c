import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseObject } from '@portal/rpsl';
import Fastify, { type FastifyInstance } from 'fastify';
import { readConfig } from '../src/config.ts';
import { type ConfiguredSource, foreignSourcesOf } from '../src/modules/foreign-sources/index.ts';
import { followForeignSources, loadForeignSources } from '../src/modules/foreign-sources/follow.ts';
import { dumpFiles } from '../src/modules/mirrors/dump-files.ts';
import { dumpWhois } from '../src/modules/mirrors/dump.ts';
import { nrtmFiles } from '../src/modules/mirrors/nrtm-files.ts';
import { nrtmPublicKey } from '../src/modules/mirrors/nrtm-keys.ts';
import { publishNrtm } from '../src/modules/mirrors/nrtm4.ts';
import { lockWhois } from '../src/modules/whois/store/lock.ts';
import { storeObjects } from '../src/modules/whois/store/store.ts';
import { findObjects } from '../src/modules/whois/store/stored-objects.ts';
import { identityOf } from '../src/modules/whois/store/syntax.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log.ts';
import { openSecretBox } from '../src/platform/secret-box.ts';
import { readProfile } from '../src/profile.ts';
import { type Kind, migratedDatabase } from './database/migrated-database.ts';
import { loadObjects, type WhoisServer, whoisServer } from './whois-server.ts';

const profile = readProfile('');
const box = openSecretBox(readConfig({ NODE_ENV: 'test' }));
const activity = { action: 'test.write', summary: 'Removed objects', traceId: 'e'.repeat(32) };

/** A registry, EXAMPLE, that publishes its objects as files, by NRTM 3 and by NRTM 4. */
export type PublishingRegistry = {
  http: FastifyInstance;
  /** The folder of what is published, and its address. */
  folder: string;
  address: string;
  whois: WhoisServer;
  key: string;
  write: (objects: string) => Promise<void>;
  remove: (text: string) => Promise<void>;
  /** Publishes everything anew. */
  publish: (now: Date) => Promise<void>;
} & AsyncDisposable;

export async function publishingRegistry(objects: string, now: Date): Promise<PublishingRegistry> {
  const { database: db, ...copy } = await migratedDatabase('embedded');
  await loadObjects(db, objects);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-publishing-'));
  const [nrtm, dumps] = [path.join(folder, 'nrtm4'), path.join(folder, 'dump')];
  const publish = async (at: Date): Promise<void> => {
    await publishNrtm(db, { folder: nrtm, profile, box, now: at });
    await dumpWhois(db.read, { to: path.join(dumps, profile.source), profile, now: at });
  };
  await publish(now);
  const http = Fastify();
  nrtmFiles(http, { db, folder: nrtm, profile });
  dumpFiles(http, { folder: dumps, profile });
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  const whois = await whoisServer({ on: db });
  return {
    http,
    folder,
    address,
    whois,
    key: (await nrtmPublicKey(db.read))!,
    publish,
    write: text => loadObjects(db, text),
    remove: text =>
      db.change(activity, async change => {
        await lockWhois(change);
        const object = parseObject(text).object!;
        const named = { object, ...identityOf(object)! };
        const [stored] = await findObjects(change, [named]);
        await storeObjects(change, [{ operation: 'delete', ...named, stored: stored! }], profile);
      }),
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await whois[Symbol.asyncDispose]();
      await copy[Symbol.asyncDispose]();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}

/** How the entry of EXAMPLE reads in the file of a registry that mirrors it. */
export const entryOf = ({ address, whois, key }: PublishingRegistry, way: ConfiguredSource['way']['kind']): Record<string, unknown> => {
  const files = { dump: [`${address}/whois-dump/EXAMPLE/example.db.gz`], serial: `${address}/whois-dump/EXAMPLE/EXAMPLE.CURRENTSERIAL` };
  if (way === 'nrtm4') return { name: 'EXAMPLE', nrtm4: `${address}/nrtm4/EXAMPLE/update-notification-file.jose`, key };
  return way === 'nrtm3' ? { name: 'EXAMPLE', ...files, nrtm3: `127.0.0.1:${whois.port43.port}` } : { name: 'EXAMPLE', ...files, hours: 1 };
};

/** A registry, MIRROR, that mirrors others. */
export type MirroringRegistry = {
  db: Database;
  whois: WhoisServer;
  sources: readonly ConfiguredSource[];
  /** The turns of its worker, at an instant. */
  load: (now: Date) => Promise<void>;
  follow: (now: Date) => Promise<void>;
} & AsyncDisposable;

/** @param entries of the file FOREIGN_SOURCES @param objects of its own */
export async function mirroringRegistry(
  entries: readonly Record<string, unknown>[],
  { kind = 'embedded', objects = '' }: { kind?: Kind; objects?: string } = {},
): Promise<MirroringRegistry> {
  const { database: db, ...copy } = await migratedDatabase(kind);
  const own = { ...profile, source: 'MIRROR' };
  if (objects !== '') await loadObjects(db, objects);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-mirroring-'));
  const file = path.join(folder, 'sources.json');
  await fs.writeFile(file, JSON.stringify(entries));
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, FOREIGN_SOURCES: file });
  const sources = foreignSourcesOf({ config, profile: own });
  const whois = await whoisServer({ on: db, registry: own, foreign: sources });
  const context = (now: Date) => ({ db, config, profile: own, clock: () => now, log: createLog('silent') });
  return {
    db,
    whois,
    sources,
    load: now => loadForeignSources(context(now)),
    follow: now => followForeignSources(context(now)),
    [Symbol.asyncDispose]: async () => {
      await whois[Symbol.asyncDispose]();
      await copy[Symbol.asyncDispose]();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
