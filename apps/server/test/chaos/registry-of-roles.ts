import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { randomOf } from '../../src/demo/region/random.ts';
import { mintToken } from '../../src/modules/identity/index.ts';
import { openDatabase } from '../../src/platform/database/index.ts';
import { type OwnPostgres, ownPostgres } from '../database/own-postgres.ts';
import { freePort } from '../database/throwaway-postgres.ts';
import { Nrtm4Mirror } from '../processes/nrtm4-mirror.ts';
import { rrdpClient } from '../processes/rrdp-client.ts';
import { smallestWebBuild } from '../processes/smallest-web-build.ts';
import { ChaosLoad } from './load.ts';
import { MailPipe } from './mail-pipe.ts';
import { type EventReceiver, eventReceiver, type MailServer, mailServer } from './outside-systems.ts';
import { RoleProgram } from './role-program.ts';

const people = ['corin', 'tess', 'bill', 'tilda', 'nils', 'hana', 'max', 'stella'];
const host = 'portal.test';

/** A registry of six processes on a PostgreSQL of its own, with clients, and with the systems of others that it sends to. */
export type RegistryOfRoles = {
  postgres: OwnPostgres;
  programs: readonly RoleProgram[];
  /** Sentences about processes that ended though no one ended them. */
  ended: readonly string[];
  environment: Readonly<Record<string, string>>;
  mails: MailServer;
  events: EventReceiver;
  load: ChaosLoad;
  pipe: MailPipe;
  mirror: Nrtm4Mirror;
  rrdp: ReturnType<typeof rrdpClient>;
  /** The number that a statement answers as `n`. */
  count: (statement: string) => Promise<number>;
  /** Starts all clients. */
  start: () => Promise<void>;
  /** Lets the clients work for so long, in ms. */
  workFor: (ms: number) => Promise<void>;
  /** Waits for both web processes, and stops the clients, each after its last answer. */
  stop: () => Promise<void>;
} & AsyncDisposable;

/** Starts one. @param seed of what its clients draw @param thinks time in ms that a client takes before it asks again */
export async function registryOfRoles(seed: number, thinks?: number): Promise<RegistryOfRoles> {
  const postgres = await ownPostgres();
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-chaos-'));
  const webFolder = await smallestWebBuild();
  const [one, two, whoisPort] = [await freePort(), await freePort(), await freePort()];
  const ports = [one!, two!];
  const ended: string[] = [];
  const [mails, events] = await Promise.all([mailServer(), eventReceiver()]);
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: postgres.url,
    DEMO: 'on',
    APP_URL: `http://${host}`,
    LOG_LEVEL: 'warn',
    RPKI_RSYNC_BASE: 'rsync://localhost:1/repository',
    SMTP_URL: mails.url,
    // Six processes and the commands beside them, within the 100 connections of a server as it comes.
    DATABASE_CONNECTIONS: '5',
    MAIL_IN: 'support@registry.example',
    // Clients do in minutes what an account does in a year.
    WHOIS_EDITS_AN_HOUR: '1000000',
    WHOIS_UPLOAD_MEGABYTES_A_DAY: '1000',
    WHOIS_MOST_OBJECTS: '1000000',
  };
  const program = (name: string, more: Record<string, string>) =>
    new RoleProgram(name, { webFolder, environment: { ...environment, ...more }, onEnd: sentence => ended.push(sentence) });
  const worker = program('worker 1', { ROLES: 'worker' });
  // The first one makes the demo registry.
  await worker.start();
  const programs = [
    worker,
    program('worker 2', { ROLES: 'worker' }),
    program('publisher', { ROLES: 'publisher' }),
    program('whois', { ROLES: 'whois', WHOIS_PORT: String(whoisPort) }),
    program('web 1', { ROLES: 'web', PORT: String(one) }),
    program('web 2', { ROLES: 'web', PORT: String(two) }),
  ];
  await Promise.all(programs.slice(1).map(each => each.start()));
  const unpaid = async (): Promise<string | null> =>
    (await postgres.query(`select number from invoice where state = 'issued' order by total desc limit 1`)).rows[0]?.number ?? null;
  await vi.waitUntil(async () => (await unpaid()) !== null, { timeout: 120_000, interval: 200 });
  const { rows: contact } = await postgres.query(
    `select shown from whois_object where class = 'role' and text like '%MAINT-AU-EXAMPLE%' limit 1`,
  );
  const load = new ChaosLoad(
    { ports, whoisPort, host, known: { contact: contact[0].shown, invoiceNumber: (await unpaid())! } },
    randomOf(seed, 'clients'),
    thinks,
  );
  const pipe = new MailPipe(environment);
  const config = readConfig(environment);
  const tokens = async (): Promise<Map<string, string>> => {
    const db = await openDatabase({ url: postgres.url });
    try {
      const config = readConfig(environment);
      return new Map(await Promise.all(people.map(async name => [name, await mintToken(db, config, name, { mfa: true })] as const)));
    } finally {
      await db.close();
    }
  };
  const isReady = (port: number) =>
    vi.waitUntil(async () => (await load.call('/readyz', { port })).status === 200, { timeout: 60_000, interval: 50 });

  const mirrored = async (name: string) => {
    const { status, body, headers } = await load.file(`/nrtm4/EXAMPLE/${name}`);
    return { status: status ?? 0, body, cacheControl: headers['cache-control'] ?? null };
  };

  await isReady(ports[0]!);
  const made = await load.call('/api/EXAMPLE-AU/webhooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${(await tokens()).get('corin')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'Everything', url: events.url }),
  });
  expect(made.body).toContain('whsec_');
  events.secret = (JSON.parse(made.body) as { secret: string }).secret;
  await vi.waitUntil(async () => (await mirrored('public-key.pem')).status === 200, { timeout: 120_000, interval: 500 });
  const mirror = new Nrtm4Mirror(mirrored, (await mirrored('public-key.pem')).body.toString());
  const rrdp = rrdpClient(path.join(config.rpkiDir, 'rrdp'), config.rpkiRrdpBase);
  return {
    postgres,
    programs,
    ended,
    environment,
    mails,
    events,
    load,
    pipe,
    mirror,
    rrdp,
    count: async statement => (await postgres.query(statement)).rows[0].n as number,
    start: async () => {
      await Promise.all(ports.map(isReady));
      load.start(await tokens());
      pipe.start();
    },
    workFor: ms => pause(ms),
    stop: async () => {
      await Promise.all(ports.map(isReady));
      await Promise.all([load.stop(), pipe.stop()]);
    },
    async [Symbol.asyncDispose]() {
      for (const each of programs) {
        each.wake();
        await each.kill();
      }
      load.cut();
      await Promise.all([mails.harm('gone'), events.harm('gone')]);
      await postgres[Symbol.asyncDispose]();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
