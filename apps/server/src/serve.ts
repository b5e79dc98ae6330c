import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openApp } from './app.ts';
import { commandSocketOf, openCommandSocket } from './cli/command-socket.ts';
import type { Config } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { openContext } from './context.ts';
import { demoPeople, ensureDemo } from './demo/index.ts';
import { bucketOwnerOf, fileStorage, requireFileStorage } from './modules/documents/index.ts';
import { foreignSourcesOf } from './modules/foreign-sources/index.ts';
import { refuseDemoPeople } from './modules/identity/index.ts';
import { type Database, inTurn, migrate } from './platform/database/index.ts';
import { healthServer, metricLines } from './platform/health.ts';
import { createLog, type Log } from './platform/log.ts';
import { readingFrom, type RoleServer } from './platform/module.ts';
import { scheduleOf } from './platform/periodic-work.ts';
import { recordSpans } from './platform/telemetry/spans.ts';
import { failAtWork, takeMarksAway } from './platform/work-units.ts';
import { startWorker } from './platform/worker.ts';
import { type Profile, readProfile } from './profile.ts';
import { derivedKeys } from './platform/secret-box.ts';
import type { Telemetry, TelemetryOptions } from './platform/telemetry/open-telemetry.ts';
import { release } from './release.ts';

/** Output folder of `tools/web/build-web.ts`. */
const builtWeb = path.join(import.meta.dirname, '../../../dist/web');
/** How long, in ms, after cutting connections a stopping process ends. */
const CUT_OFF_MS = 2000;

type ServeOptions = { profile?: Profile; log?: Log; database?: Promise<Database>; clock?: () => Date; webFolder?: string };

/** Runs the roles of this process until a signal stops it; then finishes running work and closes. */
export async function serve(
  config: Config,
  {
    profile = readProfile(config.profile, { isDemo: config.demoMode, isProduction: config.production }),
    log = createLog(config.logLevel),
    database = openConfiguredDatabase(config, log),
    clock = () => new Date(),
    webFolder = builtWeb,
  }: ServeOptions = {},
): Promise<void> {
  foreignSourcesOf({ config, profile }); // A file that can't work stops the start of every role.
  const db = await database;
  await fs.mkdir(config.filesDir, { recursive: true });
  let readMetrics: () => Promise<readonly string[]> = async () => [];
  // Before systems outside are opened: their calls are spans.
  const telemetry = await openTelemetryOf(config, { log, clock, metricLines: () => readMetrics() });
  const context = openContext({ db, config, profile, release, log, clock });
  const { modules } = context;
  const serving: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    // All together: none of them begins anything new while another one finishes its work.
    await Promise.allSettled(serving.map(end => end()));
    await context.close();
    await telemetry?.close();
    await db.close();
  };

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // Whatever is stuck must not keep the process for ever; connections are cut a little earlier.
    const noticeMs = config.shutdownNoticeSeconds * 1000;
    const cutOff = wait(noticeMs + config.shutdownSeconds * 1000 + CUT_OFF_MS, undefined, { ref: false }).then(async () => {
      await Promise.race([takeMarksAway(db), wait(CUT_OFF_MS)]).catch(() => {});
      log.error('work was cut off: it did not end within SHUTDOWN_SECONDS; what it had not committed is rolled back');
      process.exit(1);
    });
    // Meanwhile load balancers read in /readyz that it stops, and send their requests elsewhere.
    void Promise.race([wait(noticeMs).then(close), cutOff]).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('closing failed', { error });
        process.exit(1);
      },
    );
  };
  const unawaited = watchUnawaited(log);
  // Before the announcement: a stop may follow it immediately.
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  try {
    await migrate(db);
    // The other roles read no file.
    if (config.roles.includes('web') || config.roles.includes('worker')) await requireFileStorage(config, log, bucketOwnerOf(db));
    // Of several that start together on an empty database one loads it, and the others wait.
    if (config.demoMode)
      await inTurn(db, 'demo', () => ensureDemo(db, { config, profile, today: clock(), store: context.outside(fileStorage) }));
    else await refuseDemoPeople(db);

    const does = new Set(config.roles);
    const workers: { metrics(): readonly string[] }[] = [];
    if (does.has('worker')) {
      for (const { listen } of modules) if (listen) serving.push(await listen(context));
      const tasks = modules.flatMap(module => module.tasks ?? []);
      const worker = await startWorker(context, { tasks, schedule: scheduleOf(modules) });
      workers.push(worker);
      serving.push(() => worker.stop());
    }
    const servers: Awaited<ReturnType<RoleServer['open']>>[] = [];
    for (const { role, readsFrom, open } of modules.flatMap(module => module.servers ?? [])) {
      if (!does.has(role)) continue;
      const server = await open(readingFrom(readsFrom, context));
      servers.push(server);
      serving.push(server.close);
    }
    const metrics = (): string[] => [...unawaited.metrics(), ...[...workers, ...servers].flatMap(server => server.metrics())];
    if (does.has('web')) {
      const app = await openApp(context, { webFolder, metrics, isStopping: () => stopping });
      serving.push(() => app.close());
      readMetrics = () => app.metricLines();
      await app.http.listen({ host: config.host, port: config.port });
    } else readMetrics = () => metricLines(context, async () => metrics());
    if (!does.has('web') && config.healthPort !== 0) {
      const health = healthServer(context, metrics, () => stopping);
      serving.push(() => health.close());
      await health.listen({ host: config.host, port: config.healthPort });
    }
    const socket = commandSocketOf(config);
    if (socket !== null) serving.push((await openCommandSocket(socket, { config, db, log })).close);
    unawaited.ready();
    const announcements = servers.map(({ announcement }) => announcement);
    await ready(config, profile.product, { db, announcements, milliseconds: performance.now() });
  } catch (error) {
    if (stopping) return;
    await close();
    throw error;
  }
}

/** Sends traces and metrics where a collector is set; else nothing of it is loaded. */
async function openTelemetryOf(
  config: Config,
  { log, clock, metricLines }: Pick<TelemetryOptions, 'log' | 'clock' | 'metricLines'>,
): Promise<Telemetry | null> {
  if (config.telemetryUrl === '') return null;
  const { openTelemetry } = await import('./platform/telemetry/open-telemetry.ts');
  const telemetry = openTelemetry({
    url: config.telemetryUrl,
    headers: config.telemetryHeaders,
    share: config.telemetryShare,
    chooser: derivedKeys(config, 'choice of traces')[0],
    serviceName: config.telemetryName,
    release,
    roles: config.roles,
    metricLines,
    log,
    clock,
  });
  recordSpans(telemetry.spans);
  return telemetry;
}

/**
 * Logs and counts rejections and exceptions that nothing awaits, and keeps the process: a library that awaits nothing must not end what serves people.
 * All that is committed is committed, and the rest is rolled back. Until `ready` an exception ends the start.
 */
function watchUnawaited(log: Log) {
  const counts = { rejections: 0, exceptions: 0 };
  process.on('unhandledRejection', error => {
    counts.rejections++;
    log.error('a rejection that nobody awaits', { error });
  });
  // The task or request that it came from ends with it, and nothing else does. Before the start is complete it ends the start.
  let isReady = false;
  process.on('uncaughtException', error => {
    counts.exceptions++;
    const isOfWork = failAtWork(error);
    log.error('an exception that nothing awaits', { error, ended: isOfWork ? 'the work it came from' : 'nothing' });
    if (!isReady) process.exit(1);
  });
  return {
    ready(): void {
      isReady = true;
    },
    metrics: (): string[] => [
      '# TYPE unhandled_rejections_total counter',
      `unhandled_rejections_total ${counts.rejections}`,
      '# TYPE uncaught_exceptions_total counter',
      `uncaught_exceptions_total ${counts.exceptions}`,
    ],
  };
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
