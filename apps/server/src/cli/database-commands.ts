import { sql } from 'kysely';
import { keptFiles } from '../kept-files.ts';
import { beginAnew } from '../modules/rpki/index.ts';
import {
  backUpFiles,
  bucketOwnerOf,
  fileStoresOf,
  moveFiles,
  openFiles,
  requireFileStorage,
  restoreFiles,
  verifyFiles,
} from '../modules/documents/index.ts';
import { backup, copyDatabase, migrate, migrationStatus, ownActivity, restore, sealKeys, verify } from '../platform/database/index.ts';
import { verifyWhois } from '../modules/whois/index.ts';
import { modules } from '../modules.ts';
import { backupRounds } from '../platform/feeds.ts';
import { noteRound, scheduleOf, statesOfWork } from '../platform/periodic-work.ts';
import { checkInvariants, invariantsOf, violationInWords } from '../platform/invariants.ts';
import { openSecretBox } from '../platform/secret-box.ts';
import { replicaInWords } from '../platform/replica-states.ts';
import { type CommandRuns, CommandFailure } from './command.ts';
import { verifySecrets } from './resealed-secrets.ts';
import { formatCount } from '@portal/number-resources';

/** Says what became of the ballots of votes that run. */
const ballotsInWords = ({ count: ballots, kept }: { count: number; kept: boolean }, sealed: boolean): string | null =>
  ballots === 0
    ? null
    : kept
      ? `${sealed ? 'Sealed' : 'Copied'} ${count(ballots, 'ballot')} of running votes${sealed ? ' into it: only this SECRET_KEY opens them' : ''}.`
      : `${count(ballots, 'ballot')} of running votes ${ballots === 1 ? 'is' : 'are'} NOT in it: this database role can’t read the ballot box. Run it as an administrator of the database (DATABASE_URL), or the vote has to be repeated after a restore.`;

const count = (n: number, noun: string): string => `${formatCount(n)} ${noun}${n === 1 ? '' : 's'}`;

/** The functions of these commands; commands.ts declares their names, options and help. */
export const databaseCommands = {
  status: async ({ openDatabase, config, say }) => {
    const db = await openDatabase();
    const { applied, pending, changed, unknown } = await migrationStatus(db);
    say(`Database   ${db.kind === 'embedded' ? `embedded, ${config.database}` : 'PostgreSQL'}`);
    for (const replica of db.replicaStates().replicas) say(`Replica    ${replicaInWords(replica, replica.address)}`);
    say(
      `Schema     ${count(applied.length, 'migration')} applied${pending.length > 0 ? `; due: ${pending.join(', ')} (npm run registry -- migrate)` : ', up to date'}`,
    );
    for (const name of changed) say(`           ${name} is not what was applied`);
    for (const name of unknown) say(`           ${name} is applied but not part of this version: it is older than the database`);
    if (applied.length === 0) return;
    const [row] = await db.read.rows<{
      accounts: number;
      delegations: number;
      logins: number;
      activities: number;
      queued: number;
      failed: number;
    }>(sql`select
        (select count(*) from account) as accounts, (select count(*) from delegation where status <> 'closed') as delegations, (select count(*) from login) as logins,
        (select count(*) from activity) as activities, (select count(*) from task where state in ('queued', 'running')) as queued,
        (select count(*) from task where outcome = 'failed') as failed`);
    say(
      `Registry   ${count(row!.accounts, 'account')}, ${count(row!.delegations, 'delegation')}, ${count(row!.logins, 'login')}, ${count(row!.activities, 'ledger entry').replace('entrys', 'entries')}`,
    );
    say(`Tasks      ${row!.queued} waiting or running, ${row!.failed} failed`);
    if (pending.length > 0) return;
    const works = await statesOfWork(db.read, scheduleOf(modules), new Date());
    const late = works.filter(work => work.late);
    say(`Periodic   ${count(works.length, 'job')}, ${late.length === 0 ? 'none late' : `${late.length} late`}`);
    for (const { name, every, succeededAt, failure, late: isLate } of works)
      say(
        `           ${name.padEnd(38)} every ${String(every).padStart(2)} min  ${succeededAt === null ? 'not done yet' : `last done ${succeededAt}`}${
          isLate ? '  LATE' : ''
        }${failure === null ? '' : `  failed: ${failure}`}`,
      );
  },
  migrate: async ({ openDatabase, say }) => {
    const before = await migrationStatus(await openDatabase());
    await migrate(await openDatabase(), { onProgress: name => say(`applying ${name}`) });
    say(before.pending.length === 0 ? 'The schema is up to date.' : `Applied ${count(before.pending.length, 'migration')}.`);
  },
  backup: async ({ openDatabase, config, args, say, progress }) => {
    const begun = new Date();
    const done = await backup(await openDatabase(), args[0]!, {
      onProgress: (table, rows) => progress.show(`Backing up ${table}`, rows, 0),
      seal: openSecretBox(config),
    });
    progress.end();
    say(`Wrote ${count(done.rows, 'row')} of ${count(done.tables, 'table')} to ${done.file} (sha256 ${done.sha256}).`);
    const ballots = ballotsInWords(done.ballots, true);
    if (ballots) say(ballots);
    const { files, missing } = await backUpFiles((await openDatabase()).read, {
      store: openFiles(config),
      kinds: keptFiles,
      backup: done.file,
    });
    if (files > 0) say(`Copied ${count(files, 'file')} of documents to ${done.file}.files.`);
    if (missing.length > 0)
      throw new CommandFailure(`The content of ${count(missing.length, 'file')} is missing or damaged: ${missing.join(', ')}.`);
    await noteRound(await openDatabase(), backupRounds, { now: begun, failure: null });
  },
  restore: async ({ openDatabase, config, args, options, say, progress }) => {
    const done = await restore(await openDatabase(), args[0]!, {
      replace: options['replace'] === true,
      onProgress: (table, rows) => progress.show(`Restoring ${table}`, rows, 0),
      seal: openSecretBox(config),
    });
    progress.end();
    say(`Restored ${count(done.rows, 'row')} of ${count(done.tables, 'table')}, as of ${done.createdAt}.`);
    if (done.ballots > 0) say(`Put ${count(done.ballots, 'ballot')} of running votes back.`);
    const { files, problems } = await restoreFiles(openFiles(config), args[0]!);
    if (files > 0) say(`Put ${count(files, 'file')} of documents back.`);
    // Relying parties have seen what was published since: serials and manifest numbers must not come twice.
    const db = await openDatabase();
    await migrate(db);
    await beginAnew(db, new Date());
    if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  },
  verify: async ({ openDatabase, config, profile, say }) => {
    const db = await openDatabase();
    const report = await verify(db, { keys: sealKeys(config) });
    const { files, problems } = await verifyFiles(db.read, openFiles(config), keptFiles);
    for (const table of report.tables) say(`${table.name.padEnd(24)} ${String(table.rows).padStart(9)}  ${table.hash}`);
    say(
      `${count(report.references, 'reference')} and ${count(report.sequences, 'sequence')} looked through, ${count(report.rules, 'rule')} tried, ${count(files, 'file')} read.`,
    );
    const { sealed, unsealed, head } = report.chain;
    say(`Activity chain: ${count(sealed, 'seal')}, ${unsealed} not sealed yet; newest ${head ?? 'none'}`);
    if (report.forgotten.length > 0)
      say(`Forgotten in the history: ${report.forgotten.map(({ table, rows }) => `${table} ${rows}`).join(', ')}`);
    const line = ownActivity('operator.verify', 'Looked the registry through');
    // A snapshot of one instant, without the time limit of a read, and rolled back.
    const whois = await db.rehearse(line, change => verifyWhois(change), { isolation: 'repeatable read', timeout: 0 });
    const broken = await checkInvariants({ db, modules, profile, config, clock: () => new Date() }, null);
    say(`${count(invariantsOf(modules).length, 'invariant')} checked.`);
    const secrets = await verifySecrets(db, openSecretBox(config), line);
    const wrong = [
      ...report.problems,
      ...whois.problems,
      ...broken.flatMap(({ violations }) => violations.map(violationInWords)),
      ...secrets,
      ...problems,
    ];
    if (wrong.length > 0) throw new CommandFailure(wrong.join('\n'));
    say('Nothing is wrong.');
  },
  'files move': async ({ openDatabase, config, log, say, progress }) => {
    const { to, from, incoming } = fileStoresOf(config);
    if (from === null)
      throw new CommandFailure(
        'Files are on disk, and there is no other store: set FILES_S3_URL and what belongs to it (docs/operating/files.md).',
      );
    await requireFileStorage(config, log, bucketOwnerOf(await openDatabase()));
    const { files, problems } = await moveFiles({ from, to, incoming }, moved => progress.show('Moving files', moved, 0));
    progress.end();
    say(`Moved ${count(files, 'file')} to ${config.filesStore === 'disk' ? config.filesDir : `the bucket ${config.filesS3Bucket}`}.`);
    if (problems.length > 0) throw new CommandFailure(problems.join('\n'));
  },
  copy: async ({ openDatabase, args, say, progress }) => {
    const done = await copyDatabase(await openDatabase(), args[0]!, {
      onProgress: (table, rows) => progress.show(`Copying ${table}`, rows, 0),
    });
    progress.end();
    for (const table of done.tables) say(`${table.name.padEnd(24)} ${String(table.rows).padStart(9)}  ${table.hash}  equal`);
    const ballots = ballotsInWords(done.ballots, false);
    if (ballots) say(ballots);
    say(`Copied ${count(done.rows, 'row')}; every table has the same number of rows and the same hash on both sides.`);
  },
} satisfies CommandRuns;
