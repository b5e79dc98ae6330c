import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { validateRepository, type PublishedFile } from '@portal/rpki-objects';
import { printPrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nodeCryptography } from '../../src/modules/rpki/authorities/cryptography.ts';
import { fillPool } from '../../src/modules/rpki/authorities/one-time-keys.ts';
import { caSigner } from '../../src/modules/rpki/authorities/signing-system.ts';
import { publishRepository } from '../../src/modules/rpki/index.ts';
import { inherited } from './inherited.ts';
import { kinds, testPortal, type TestPortal } from '../portal.ts';
import { rrdpClient } from './rrdp-client.ts';
import { serverProgram } from './worker-programs.ts';

/** A longer trial: KILLED_PUBLICATIONS=200 npx vitest run --project server apps/server/test/processes/killed-publisher.test.ts. Each one takes keys, and each kill starts a program: these are what costs. */
const PUBLICATIONS = Number(process.env['KILLED_PUBLICATIONS'] ?? 20);
/** Kills, at moments drawn at random. */
const KILLS = Math.ceil(PUBLICATIONS / 4);
const activity = { action: 'test', summary: 'Changed ROAs', traceId: '0'.repeat(32) };

describe.runIf(kinds.includes('postgres'))('a publisher that is killed again and again', () => {
  let portal: TestPortal;
  let folder: string;
  let publisher: ChildProcess | null = null;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-publisher-'));
    portal = await testPortal('postgres', { DATA_DIR: folder });
    await portal.db.change(activity, async change => {
      await change.rows(
        sql`insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', 'EXAMPLE-AU', 'a', now()), ('member', 'OTHER-SG', 'b', now())`,
      );
      await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at) values
        ('EXAMPLE-AU', '198.18.0.0/19', 24, 64500, now()), ('EXAMPLE-AU', '2001:db8::/32', 48, 64500, now()), ('OTHER-SG', '198.51.100.0/24', 24, 64501, now())`);
    });
    await publishRepository(portal.context);
    await fillPool(portal.db, portal.context.outside(caSigner), { upTo: 3 * PUBLICATIONS, now: () => new Date(), stopped: () => false });
  });
  afterAll(async () => {
    await kill();
    await portal[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });

  /** Output of publishers that ended without being killed. */
  const ended: string[] = [];
  /** Starts a publisher, and another one where it ends unasked: as a supervisor does, on a machine that is too busy to reach its database in time. */
  const start = (): void => {
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverProgram, 'serve'], {
      env: {
        ...inherited,
        NODE_ENV: 'test',
        DATA_DIR: folder,
        APP_URL: portal.config.appUrl,
        DATABASE_URL: portal.url,
        ROLES: 'publisher',
        DEMO: 'on',
        RPKI_RSYNC_SECONDS: '60',
        // It takes the keys of the test, and makes none ahead.
        RPKI_KEY_POOL: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    started.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
    started.on('exit', code => {
      if (code === null || publisher !== started) return;
      ended.push(`exit code ${code}: ${said}`);
      if (ended.length < 5) start();
    });
    publisher = started;
  };
  const kill = async (): Promise<void> => {
    if (!publisher || publisher.exitCode !== null || publisher.signalCode !== null) return;
    const killed = publisher;
    publisher = null;
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  };

  test('uses no serial twice, leaves no hole, and no VRP that should be there is missing for a moment', {
    timeout: 2_400_000,
  }, async () => {
    const client = rrdpClient(path.join(portal.config.rpkiDir, 'rrdp'), portal.config.rpkiRrdpBase);
    const [anchor] = await portal.db.read.rows<{ content: Buffer; publicKey: Buffer }>(
      sql`select o.content, k.public_key from rpki_object o join rpki_key k using (key_id) where o.kind = 'trust-anchor'`,
    );
    const vrps = (): Set<string> => {
      const files = new Map<string, PublishedFile>(
        [...client.files].map(([uri, bytes]) => [uri, { bytes, sha256: nodeCryptography.sha256(bytes) }]),
      );
      const validated = validateRepository(anchor!.content, anchor!.publicKey, files, { now: new Date(), cryptography: nodeCryptography });
      expect(validated.problems).toEqual([]);
      return new Set(validated.vrps.map(({ prefix, asNumber }) => `AS${asNumber} ${printPrefix(prefix)}`));
    };
    const always = ['AS64500 198.18.0.0/19', 'AS64500 2001:db8::/32', 'AS64501 198.51.100.0/24'];
    await client.update();
    const first = client.version();
    start();
    const killedAt = new Set<number>();
    while (killedAt.size < KILLS) killedAt.add(Math.floor(Math.random() * PUBLICATIONS));
    for (let number = 0; number < PUBLICATIONS; number++) {
      const prefix = `198.18.${number % 32}.${Math.floor(number / 32) * 16}/28`;
      await portal.db.change(activity, async change => {
        await change.rows(sql`delete from roa where masklen(prefix) = 28`);
        await change.rows(
          sql`insert into roa (account_name, prefix, max_length, asn, created_at) values ('EXAMPLE-AU', ${prefix}::cidr, 28, 64500, now())`,
        );
      });
      // Somewhere between the change and the moment its files are there.
      if (killedAt.has(number)) {
        await new Promise(resolve => setTimeout(resolve, Math.random() * 400));
        await kill();
        start();
      }
      let validated = 0;
      await vi.waitFor(
        async () => {
          // What is there already has been validated.
          if (!(await client.update()) && validated > 0) expect.fail([`change ${number} is not published yet`, ...ended].join('\n'));
          validated++;
          const found = vrps();
          for (const vrp of always) expect(found, `${vrp} after change ${number}`).toContain(vrp);
          expect(found).toContain(`AS64500 ${prefix}`);
        },
        { timeout: 120_000, interval: 50 },
      );
    }
    expect(client.version().session, 'the session lasts').toBe(first.session);
    expect(client.version().serial - first.serial).toBeGreaterThanOrEqual(PUBLICATIONS);
    // What the database makes of it where no files are is another session, whose first publication signs the manifests anew; all else is the same to the byte.
    await kill();
    await client.update();
    const elsewhere = path.join(folder, 'elsewhere');
    await publishRepository({ ...portal.context, config: { ...portal.config, rpkiDir: elsewhere } });
    const other = rrdpClient(path.join(elsewhere, 'rrdp'), portal.config.rpkiRrdpBase);
    await other.update();
    expect(other.version()).toMatchObject({ session: expect.not.stringMatching(first.session), serial: 2 });
    const kept = (files: ReadonlyMap<string, Buffer>) =>
      [...files].filter(([uri]) => /\.(roa|cer|asa)$/.test(uri)).toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect(kept(other.files)).toEqual(kept(client.files));
  });
});
