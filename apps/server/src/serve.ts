import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openApp } from './app.ts';
import { commandSocketOf, openCommandSocket } from './cli/command-socket.ts';
import type { Config } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { openContext } from './context.ts';
import { demoIsLoaded, demoPeople, loadDemo } from './demo/index.ts';
import { fileStorage } from './modules/documents/index.ts';
import { type Database, inTurn, migrate } from './platform/database/index.ts';
import { createLog } from './platform/log.ts';
import type { RoleServer } from './platform/module.ts';
import { scheduleOf } from './platform/periodic-work.ts';
import { startWorker } from './platform/worker.ts';
import { readProfile } from './profile.ts';
import { release } from './release.ts';

/** Where `tools/build-web.ts` puts the web apps. */
const webFolder = path.join(import.meta.dirname, '../../../dist/web');

/** Runs the roles of this process until it is told to stop; then finishes what is under way and closes. */
export async function serve(config: Config, clock = () => new Date()): Promise<void> {
  if (!config.roles.some(role => role !== 'publisher'))
    throw new Error(`ROLES=${config.roles.join(',')} has nothing to do in this version: add web, worker or whois.`);
  const started = performance.now();
  const log = createLog(config.logLevel);
  const profile = readProfile(config.profile);
  await fs.mkdir(config.filesDir, { recursive: true });
  const db = await openConfiguredDatabase(config, log);
  const context = openContext({ db, config, profile, release, log, clock });
  const { modules } = context;
  const closing: (() => Promise<unknown>)[] = [() => db.close(), context.close];
  const close = async (): Promise<void> => {
    for (const step of closing.reverse()) await step();
  };

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // A stuck connection must not keep the process for ever.
    const impatience = wait(10_000, undefined, { ref: false }).then(() => process.exit(1));
    void Promise.race([close(), impatience]).then(() => process.exit(0));
  };
  // Before anything is announced: whoever hears that it is ready may tell it to stop.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  try {
    await migrate(db);
    // Of several that start at once on an empty database one loads it, and the others wait.
    if (config.demoMode)
      await inTurn(db, 'demo', async () => {
        if (!(await demoIsLoaded(db))) await loadDemo(db, config, profile, clock(), context.outside(fileStorage));
      });

    const does = new Set(config.roles);
    if (does.has('worker')) {
      for (const { listen } of modules) if (listen) closing.push(await listen(context));
      const tasks = modules.flatMap(module => module.tasks ?? []);
      const worker = await startWorker(context, { tasks, schedule: scheduleOf(modules) });
      closing.push(() => worker.stop());
    }
    const servers: Awaited<ReturnType<RoleServer['open']>>[] = [];
    for (const { role, open } of modules.flatMap(module => module.servers ?? [])) {
      if (!does.has(role)) continue;
      const server = await open(context);
      servers.push(server);
      closing.push(server.close);
    }
    if (does.has('web')) {
      const app = await openApp(context, { webFolder, metrics: () => servers.flatMap(({ metrics }) => metrics()) });
      closing.push(() => app.close());
      await app.http.listen({ host: config.host, port: config.port });
    }
    const socket = commandSocketOf(config);
    if (socket !== null) closing.push((await openCommandSocket(socket, { config, db, log })).close);
    const announcements = servers.map(({ announcement }) => announcement);
    await ready(config, profile.product, { db, announcements, milliseconds: performance.now() - started });
  } catch (error) {
    if (stopping) return;
    await close();
    throw error;
  }
}

type Readiness = { db: Database; announcements: readonly string[]; milliseconds: number };

async function ready(config: Config, product: string, { db, announcements, milliseconds }: Readiness): Promise<void> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const seconds = (milliseconds / 1000).toFixed(1);
  const database =
    db.kind === 'embedded'
      ? `embedded database${config.database === 'memory://' ? ' in memory' : ` in ${path.relative(process.cwd(), config.database) || '.'}`}`
      : 'PostgreSQL';
  if (config.roles.includes('web')) say(`\nMy${product} is ready at ${config.appUrl} (${database}, ${seconds} s)`);
  else say(`\nMy${product} runs ${config.roles.join(', ')} (${database}, ${seconds} s)`);
  for (const announcement of announcements) say(announcement);
  if (config.demoMode && config.roles.includes('web')) {
    say(
      '\nDemo people sign in with their name and the password demo-registry-<name>; codes of second factors are shown on the sign-in page:',
    );
    for (const person of demoPeople) say(`  ${person.username.padEnd(8)}${person.about}`);
    say(`\nMail is shown at ${config.appUrl}/dev/mail`);
  }
  say('\nCtrl-C stops it.');
}
