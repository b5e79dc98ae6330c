import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MINUTE_MS } from '@portal/contract/days';
import { type PublishedFile, validateRepository } from '@portal/rpki-objects';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { randomOf } from '../../src/demo/region/random.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { nodeCryptography } from '../../src/modules/rpki/authorities/cryptography.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { canOwnPostgres, type OwnPostgres, ownPostgres } from '../database/own-postgres.ts';
import { freePort } from '../database/throwaway-postgres.ts';
import { inherited } from '../processes/inherited.ts';
import { rrdpClient } from '../processes/rrdp-client.ts';
import { smallestWebBuild } from '../processes/smallest-web-build.ts';
import { serverProgram } from '../processes/worker-programs.ts';
import { drawFault } from './faults.ts';
import { ChaosLoad } from './load.ts';
import { RoleProgram } from './role-program.ts';
import { asnOf, endpointOf, foundBy } from './writers.ts';

/** Both are set by `npm run chaos -- --seed N --faults N`. */
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
const FAULTS = Number(process.env['CHAOS_FAULTS'] ?? 0);
/** Faults before the clients pause, what they were told is compared with what is stored, and everything is looked through. */
const ROUND = 8;
/** Answers that clients get between two faults. */
const ANSWERS = 40;
const people = ['corin', 'tess', 'bill', 'tilda', 'nils', 'hana', 'max'];
const host = 'portal.test';

const without = FAULTS === 0 ? 'npm run chaos runs it' : canOwnPostgres() ? null : 'install postgresql';
const name = `a registry of six processes, harmed again and again${without === null ? ` (${FAULTS} times, seed ${SEED})` : ` (skipped: ${without})`}`;
describe.skipIf(without !== null)(name, () => {
  let postgres: OwnPostgres;
  let programs: RoleProgram[];
  let load: ChaosLoad;
  let environment: Record<string, string>;
  let rrdp: ReturnType<typeof rrdpClient>;
  let ports: number[];
  let folder: string;
  const ended: string[] = [];
  const say = (sentence: string): void => void process.stdout.write(`    ${sentence}\n`);

  beforeAll(async () => {
    postgres = await ownPostgres();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-chaos-'));
    const webFolder = await smallestWebBuild();
    const [one, two, whoisPort] = [await freePort(), await freePort(), await freePort()];
    ports = [one!, two!];
    environment = {
      NODE_ENV: 'test',
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: postgres.url,
      DEMO: 'on',
      APP_URL: `http://${host}`,
      LOG_LEVEL: 'warn',
      RPKI_RSYNC_BASE: 'rsync://localhost:1/repository',
    };
    const program = (name: string, more: Record<string, string>) =>
      new RoleProgram(name, { webFolder, environment: { ...environment, ...more }, onEnd: sentence => ended.push(sentence) });
    const worker = program('worker 1', { ROLES: 'worker' });
    // The first one makes the demo registry.
    await worker.start();
    programs = [
      worker,
      program('worker 2', { ROLES: 'worker' }),
      program('publisher', { ROLES: 'publisher' }),
      program('whois', { ROLES: 'whois', WHOIS_PORT: String(whoisPort) }),
      program('web 1', { ROLES: 'web', PORT: String(one) }),
      program('web 2', { ROLES: 'web', PORT: String(two) }),
    ];
    await Promise.all(programs.slice(1).map(each => each.start()));
    load = new ChaosLoad({ ports, whoisPort, host }, randomOf(SEED, 'clients'));
    const config = readConfig(environment);
    rrdp = rrdpClient(path.join(config.rpkiDir, 'rrdp'), config.rpkiRrdpBase);
  }, 5 * MINUTE_MS);
  afterAll(async () => {
    for (const each of programs ?? []) {
      each.wake();
      await each.kill();
    }
    load?.close();
    await postgres?.[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const tokens = async (): Promise<Map<string, string>> => {
    const db = await openDatabase({ url: postgres.url });
    try {
      const config = readConfig(environment);
      return new Map(await Promise.all(people.map(async name => [name, await mintToken(db, config, name, { mfa: true })] as const)));
    } finally {
      await db.close();
    }
  };
  const count = async (statement: string): Promise<number> => (await postgres.query(statement)).rows[0].n as number;
  const isReady = (port: number) =>
    vi.waitUntil(async () => (await load.call('/readyz', { port })).status === 200, { timeout: 60_000, interval: 50 });

  /** Returns the AS numbers of the ROAs that a validator holds valid; the repository is whole, its serials only grow and no file is missing. */
  const published = async (): Promise<Set<number>> => {
    await rrdp.update();
    const { rows } = await postgres.query(
      `select o.content, k.public_key as "publicKey" from rpki_object o join rpki_key k using (key_id) where o.kind = 'trust-anchor'`,
    );
    const [{ content, publicKey }] = rows as [{ content: Buffer; publicKey: Buffer }];
    const files = new Map<string, PublishedFile>(
      [...rrdp.files].map(([uri, bytes]) => [uri, { bytes, sha256: nodeCryptography.sha256(bytes) }]),
    );
    const { problems, vrps } = validateRepository(content, publicKey, files, { now: new Date(), cryptography: nodeCryptography });
    expect(problems).toEqual([]);
    expect(vrps.length).toBeGreaterThan(0);
    return new Set(vrps.map(({ asNumber }) => asNumber));
  };

  /** Compares what clients were told with what is stored, published and answered. */
  const compare = async (): Promise<void> => {
    await vi.waitUntil(async () => (await load.settle()).length === 0, { timeout: 60_000, interval: 200 });
    const wrong: string[] = [];
    const { rows } = await postgres.query(
      'select trace_id, action, count(*)::int as n from activity where refusal is null group by trace_id, action',
    );
    const lines = new Map(rows.map(({ trace_id, action, n }) => [`${trace_id} ${action}`, n as number]));
    for (const change of load.sent) {
      const meant = change.saved ? 1 : 0;
      const name = `${change.kind} ${change.number}, ${change.saved ? 'acknowledged' : 'not saved'}`;
      // What comes of a change later (mails, publication) has its trace id too.
      const logged = lines.get(`${change.traceId} ${endpointOf(change).id}`) ?? 0;
      if (logged !== meant) wrong.push(`${name}: ${logged} lines of the log`);
      const statement = foundBy(change);
      if (statement === null) continue;
      const found = await count(statement);
      if (found !== meant) wrong.push(`${name}: found ${found} times`);
    }
    expect(wrong).toEqual([]);
    const roas = load.sent.filter(({ kind, saved }) => kind === 'roa' && saved).map(({ number }) => asnOf(number));
    await vi.waitFor(async () => expect([...(await published())]).toEqual(expect.arrayContaining(roas)), {
      timeout: 120_000,
      interval: 200,
    });
    const attempted = new Set(load.sent.filter(({ saved }) => saved).map(({ number }) => asnOf(number)));
    expect([...(await published())].filter(asn => asn >= asnOf(0) && !attempted.has(asn))).toEqual([]);
    const object = load.sent.findLast(({ kind, saved }) => kind === 'whois' && saved);
    if (object)
      await vi.waitUntil(
        async () =>
          (await load.askWhois(`-T route6 2001:db8:${(object.number % 32_768).toString(16)}::/48`))?.includes(`chaos ${object.number}.`),
        { timeout: 60_000, interval: 200 },
      );
    const looked = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', serverProgram, 'registry', 'verify'], {
      env: { ...inherited, ...environment },
      encoding: 'utf8',
    });
    expect(`${looked.stdout}${looked.stderr}`).toContain('Nothing is wrong.');
  };

  test('loses nothing that it acknowledged, doubles nothing, and publishes what is right', { timeout: 0 }, async () => {
    const random = randomOf(SEED, 'faults');
    await Promise.all(ports.map(isReady));
    for (let done = 0; done < FAULTS; ) {
      load.start(await tokens());
      for (let inRound = 0; inRound < ROUND && done < FAULTS; inRound++, done++) {
        const before = load.answers;
        await vi.waitUntil(() => load.answers - before >= ANSWERS || ended.length > 0, { timeout: 120_000, interval: 20 });
        const fault = drawFault({ postgres, programs }, random);
        say(`${done + 1}. ${fault.words}`);
        await fault.happen();
        expect(ended).toEqual([]);
      }
      await Promise.all(ports.map(isReady));
      await load.stop();
      expect(load.findings).toEqual([]);
      await compare();
      const saved = load.sent.filter(change => change.saved).length;
      say(`${done} faults, ${load.answers} answers, ${load.sent.length} changes sent, ${saved} saved: each once, none lost`);
    }
  });
});
