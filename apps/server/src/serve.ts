import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { keptPost, smtpPost } from './adapters/post.ts';
import { clamdScanner } from './adapters/virus-scanner.ts';
import { openApp } from './app.ts';
import type { Config } from './config.ts';
import { demoIsLoaded, demoPeople, loadDemo } from './demo/index.ts';
import { keptFiles } from './kept-files.ts';
import { otherSystems, securityEvents } from './modules/identity/index.ts';
import { type Database, migrate, openDatabase, sealActivities } from './platform/database/index.ts';
import { createLog, type Log } from './platform/log.ts';
import { attendToApplications } from './modules/applications/index.ts';
import { attendToBilling } from './modules/billing/index.ts';
import { attendToDeadlines } from './modules/contacts/index.ts';
import { attendToProposals } from './modules/proposals/index.ts';
import { openFileStore, sweepFiles } from './modules/documents/index.ts';
import { closeDueAccounts } from './modules/organisations/index.ts';
import { forgetLinks, letterheadOf } from './modules/mail/index.ts';
import { answerNrtm3, dumpDaily, publishNrtm } from './modules/mirrors/index.ts';
import { openPort43, type Port43 } from './modules/whois/index.ts';
import { sendDigests } from './modules/notifications/index.ts';
import {
  attendToConsents,
  endLastUsers,
  keepObjects,
  tellFollowers,
  validateIrtMailboxes,
  whenLedgerChanges,
} from './modules/whois/index.ts';
import { forgetAnswers } from './platform/idempotency.ts';
import { periodically } from './platform/periodically.ts';
import { openSecretBox } from './platform/secret-box.ts';
import { runTasks } from './platform/tasks.ts';
import { readProfile } from './profile.ts';
import { release } from './release.ts';
import { taskTypes } from './tasks.ts';

/** Where `tools/build-web.ts` puts the web apps. */
const webFolder = path.join(import.meta.dirname, '../../../dist/web');

/** Opens the database of the settings, with its own folder where it is embedded. */
export function openConfiguredDatabase(config: Config, log: Log): Promise<Database> {
  return openDatabase({
    url: config.database,
    pools: config.databaseUrl.startsWith('postgres')
      ? { reader: config.databaseConnections, writer: config.databaseConnections }
      : undefined,
    onError: error => log.warn('database connection', { error }),
  });
}

/** Runs the roles of this process until it is told to stop; then finishes what is under way and closes. */
export async function serve(config: Config, clock = () => new Date()): Promise<void> {
  if (!config.roles.some(role => role !== 'publisher'))
    throw new Error(`ROLES=${config.roles.join(',')} has nothing to do in this version: add web, worker or whois.`);
  const started = performance.now();
  const log = createLog(config.logLevel);
  const profile = readProfile(config.profile);
  await fs.mkdir(config.filesDir, { recursive: true });
  const db = await openConfiguredDatabase(config, log);
  const closing: (() => Promise<unknown>)[] = [() => db.close()];
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
    const firstStart = config.demoMode && !(await demoIsLoaded(db));
    if (firstStart) await loadDemo(db, config, profile, clock(), openFileStore(config.filesDir));

    const does = new Set(config.roles);
    if (does.has('worker')) {
      const from = config.mailFrom || `${profile.registryName} <no-reply@${new URL(config.appUrl).hostname}>`;
      const post = config.smtpUrl ? smtpPost(config.smtpUrl, { from, host: new URL(config.appUrl).hostname }) : keptPost(config);
      const store = openFileStore(config.filesDir);
      const deps = {
        post,
        box: openSecretBox(config),
        letterhead: letterheadOf(config, profile),
        otherSystems: otherSystems(config),
        profile,
        whoisMostObjects: config.whoisMostObjects,
        ...(config.virusScannerUrl !== '' && { fileScanning: { fileStore: store, virusScanner: clamdScanner(config.virusScannerUrl) } }),
      };
      const runner = await runTasks(db, taskTypes, deps, log);
      const reportSecurityEvents = await securityEvents(db, log);
      const sealing = periodically(60, 'sealing the activity log', () => sealActivities(db).then(reportSecurityEvents), log);
      const forgetting = periodically(600, 'forgetting mailed links', () => forgetLinks(db, clock()), log);
      const attending = periodically(600, 'attending to requests and invitations', () => attendToDeadlines(db, clock()), log);
      const applying = periodically(600, 'attending to applications and referrals', () => attendToApplications(db, clock()), log);
      const approving = periodically(600, 'attending to what waits for a second person', () => attendToProposals(db, clock()), log);
      const digesting = periodically(600, 'sending digests', () => sendDigests(db, clock()), log);
      const closingAccounts = periodically(
        3600,
        'closing accounts',
        () => closeDueAccounts(db, { now: clock(), timeZone: profile.timeZone }),
        log,
      );
      const billing = periodically(
        3600,
        'attending to memberships and invoices',
        () => attendToBilling(db, { now: clock(), profile, store, fonts: config.certificateFonts }),
        log,
      );
      const sweepingFiles = periodically(3600, 'sweeping files', () => sweepFiles(db, { store, kinds: keptFiles, now: clock(), log }), log);
      const publishing = periodically(
        60,
        'publishing for mirrors',
        () => publishNrtm(db, { folder: config.nrtmDir, profile, box: openSecretBox(config), now: clock() }),
        log,
      );
      const dumping = periodically(
        600,
        'dumping whois objects',
        () => dumpDaily(db.read, { folder: config.dumpDir, profile, now: clock() }),
        log,
      );
      const keeping = periodically(300, 'keeping whois objects', () => keepObjects(db, profile), log);
      const validating = periodically(
        120,
        'validating irt mailboxes',
        () => validateIrtMailboxes(db, { now: clock(), timers: config, appUrl: config.appUrl, box: openSecretBox(config), profile }),
        log,
      );
      const consenting = periodically(
        600,
        'attending to whois updates that wait for consent',
        () => attendToConsents(db, profile, clock()),
        log,
      );
      const takingOff = periodically(
        600,
        'taking last users off maintainers',
        () => endLastUsers(db, { now: clock(), box: openSecretBox(config) }),
        log,
      );
      const telling = periodically(60, 'telling followers of whois objects', () => tellFollowers(db), log);
      const stopListening = await whenLedgerChanges(db, () => keepObjects(db, profile), log);
      const sweeping = periodically(3600, 'forgetting answers', () => forgetAnswers(db, clock()), log);
      closing.push(async () => {
        await stopListening();
        await approving.stop();
        await sweepingFiles.stop();
        await publishing.stop();
        await dumping.stop();
        await consenting.stop();
        await takingOff.stop();
        await validating.stop();
        await keeping.stop();
        await telling.stop();
        await sweeping.stop();
        await closingAccounts.stop();
        await billing.stop();
        await digesting.stop();
        await applying.stop();
        await attending.stop();
        await forgetting.stop();
        await sealing.stop();
        await runner.stop();
        post.close();
      });
    }
    let port43: Port43 | null = null;
    if (does.has('whois')) {
      const { host, whoisPort: port, whoisTrustedProxies: trustedProxies, whoisMemoryMegabytes: memoryMegabytes } = config;
      const mirror = (asked: string) => answerNrtm3(db.read, asked, profile);
      port43 = await openPort43({ db, host, port, registry: profile, release, trustedProxies, memoryMegabytes, mirror, log, clock });
      const answering = port43;
      const counting = periodically(
        300,
        'counting whois queries',
        async () => log.info('whois queries since the start', answering.statistics()),
        log,
      );
      closing.push(async () => {
        await counting.stop();
        await answering.close();
      });
    }
    if (does.has('web')) {
      const app = await openApp({ db, config, profile, log, release, webFolder, metrics: () => port43?.metrics() ?? [] });
      closing.push(() => app.close());
      await app.http.listen({ host: config.host, port: config.port });
    }
    await ready(config, profile.product, { db, whoisPort: port43?.port ?? null, milliseconds: performance.now() - started });
  } catch (error) {
    if (stopping) return;
    await close();
    throw error;
  }
}

type Readiness = { db: Database; whoisPort: number | null; milliseconds: number };

async function ready(config: Config, product: string, { db, whoisPort, milliseconds }: Readiness): Promise<void> {
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const seconds = (milliseconds / 1000).toFixed(1);
  const database =
    db.kind === 'embedded'
      ? `embedded database${config.database === 'memory://' ? ' in memory' : ` in ${path.relative(process.cwd(), config.database) || '.'}`}`
      : 'PostgreSQL';
  if (config.roles.includes('web')) say(`\nMy${product} is ready at ${config.appUrl} (${database}, ${seconds} s)`);
  else say(`\nMy${product} runs ${config.roles.join(', ')} (${database}, ${seconds} s)`);
  if (whoisPort !== null) say(`Whois is answered on ${config.host}, port ${whoisPort}`);
  if (config.demoMode && config.roles.includes('web')) {
    say(
      '\nDemo people sign in with their name and the password demo-registry-<name>; codes of second factors are shown on the sign-in page:',
    );
    for (const person of demoPeople) say(`  ${person.username.padEnd(8)}${person.about}`);
    say(`\nMail is shown at ${config.appUrl}/dev/mail`);
  }
  say('\nCtrl-C stops it.');
}
