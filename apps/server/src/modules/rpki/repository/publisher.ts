import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, inTurn, ownActivity, type Read } from '../../../platform/database/index.ts';
import type { ModuleContext, RoleServer } from '../../../platform/module.ts';
import { lastRound, noteRound } from '../../../platform/periodic-work.ts';
import { inTrace } from '../../../platform/telemetry/spans.ts';
import { doRound, doUnits } from '../../../platform/work-units.ts';
import { findDue, isDue, isOnlyMessages } from '../authorities/due-authorities.ts';
import { judgeChildren } from '../children/child-judgements.ts';
import { readMessages, type WaitingMessage } from '../children/child-messages.ts';
import { fillPool, type OneTimeKeys, OutOfKeys, openOneTimeKeys } from '../authorities/one-time-keys.ts';
import { caSigner } from '../authorities/signing-system.ts';
import { watchPublisherClock } from './publisher-clock.ts';
import { trustAnchorState } from './trust-anchor-exchange.ts';
import { placesOf } from '../places.ts';
import { poolSize } from '../authorities/pool-size.ts';
import { singleUpTo } from '../roa-groups.ts';
import { type Publication, publishIn } from './publication.ts';
import { type LeftOutFile, NOTED_FILES, type PublisherNotes, publisherRounds } from '../publisher-rounds.ts';
import { openRepositoryFiles } from './repository-files.ts';
import { beginSession, currentSession } from './rrdp-records.ts';
import { openRsyncServer } from './rsync-server.ts';
import { PublicationRefused, SetAsideMembers } from './set-aside-members.ts';
import { SnapshotPace } from './snapshot-room.ts';

type Publishing = Pick<ModuleContext, 'db' | 'config' | 'profile' | 'clock' | 'outside' | 'log'>;

/** One-time keys that every publication needs: for the manifests of the registry and the trust anchor. */
const AT_HAND = 2;

/**
 * Makes one publication of everything due; returns null if nothing is. Several processes take turns.
 * Members whose files can't be signed, or would be refused by validators, are left out. @throws PublicationRefused for the registry's own files: then
 * nothing is published @param mayWait whether messages of members' own authorities wait if nothing else is due
 */
async function publishOnce(
  { db, config, profile, clock, outside, log }: Publishing,
  oneTimeKeys: OneTimeKeys,
  setAside: SetAsideMembers,
  mayWait: () => boolean = () => false,
): Promise<Publication | null> {
  const due = await findDue(db.read, clock(), config.rpkiAs0, setAside.at(clock()));
  if (!isDue(due) || (isOnlyMessages(due) && mayWait())) return null;
  // Nothing can be published before the offline trust anchor has certified the registry.
  if (config.rpkiTrustAnchor === 'offline' && !(await trustAnchorState(db.read)).isCertified) return null;
  const suspension = { days: profile.rpkiSuspensionDays, timeZone: profile.timeZone };
  const tools = { signer: outside(caSigner), oneTimeKeys, places: placesOf(config), as0: config.rpkiAs0, suspension };
  // Messages of others are read in advance, in a thread, never while the transaction waits.
  const messages = due.messages > 0 ? await readMessages(db.read, tools.places) : [];
  let atHand = AT_HAND + due.messages + (await expectedObjects(db.read, due.accountNames));
  const publish = async (answered: readonly WaitingMessage[]): Promise<Publication | null> => {
    for (;;) {
      await oneTimeKeys.prepare(atHand);
      try {
        return await db.change(
          ownActivity('rpki.publish', 'Published the RPKI repository'),
          change => publishIn(change, tools, answered, setAside.at(clock())),
          {
            isolation: 'repeatable read',
            timeout: 0,
          },
        );
      } catch (error) {
        if (error instanceof OutOfKeys) atHand *= 2;
        else {
          const accounts = error instanceof PublicationRefused ? await setAside.add(db.read, error, tools.places, clock()) : [];
          if (accounts.length === 0) throw error;
          log.error('members are left out of RPKI publications', { accounts, error });
        }
      }
    }
  };
  return inTurn(db, 'rpki publication', () => doUnits({ db, log }, messages, publish));
}

/** Estimates how many objects these accounts will need: ROAs without one, shared ones counted once, and a manifest each. */
async function expectedObjects(read: Read, accountNames: readonly string[]): Promise<number> {
  const [row] = await read.rows<{
    objects: number;
  }>(sql`select coalesce(sum(case when roas > ${singleUpTo} then origins else missing end), 0)::int as objects
    from (select count(*) as roas, count(distinct asn) as origins,
        count(*) filter (where not exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id])) as missing
      from roa r where account_name = any(${accountNames}::text[]) group by account_name) counted`);
  const [aspas] = await read.rows<{ count: number }>(
    sql`select count(*)::int as count from aspa where account_name = any(${accountNames}::text[])`,
  );
  return row!.objects + aspas!.count + accountNames.length;
}

/**
 * Publishes everything due, writes the files, and judges self-hosted authorities, as the publisher does. For tests and commands, where no publisher
 * may be running.
 */
export async function publishAll(context: Publishing): Promise<Publication[]> {
  const oneTimeKeys = openOneTimeKeys(context.db, context.outside(caSigner));
  const made: Publication[] = [];
  const setAside = new SetAsideMembers();
  const next = (): Promise<Publication | null> => publishOnce(context, oneTimeKeys, setAside);
  for (let one = await next(); one !== null; one = await next()) made.push(one);
  await judgeChildren(context);
  return made;
}

/** Publishes everything due and updates RRDP and the rsync tree. Returns the number of publications. */
export async function publishRepository(context: Publishing): Promise<number> {
  const files = repositoryFilesOf(context);
  await noticeRestoredDatabase(context.db, await files.published(), { now: context.clock(), begun: null });
  // Recorded even if this publication fails, so that the next one finds it.
  await files.writeRrdp(null);
  const made = await publishAll(context);
  await files.writeRrdp(null);
  await files.writeTree();
  return made.length;
}

const repositoryFilesOf = ({ db, config, clock }: Pick<ModuleContext, 'db' | 'config' | 'clock'>) =>
  openRepositoryFiles({ db, folder: config.rpkiDir, rrdpBase: config.rpkiRrdpBase, rsyncBase: config.rpkiRsyncBase, now: clock });

/**
 * Starts another session if the files are newer than the database: it was restored from a backup, and its next serials would repeat what relying
 * parties have seen. Without files it may be a restored one on a new machine, so that starts a session too: each relying party loads the snapshot
 * once more. Manifest numbers jump past everything that may have been published since (RFC 9981), at most one a second. @param begun a session
 * started by this process, which has no files only because they couldn't be written. Returns the new session, or null
 */
async function noticeRestoredDatabase(
  db: Database,
  published: { sessionId: string; serial: number } | null,
  { now, begun }: { now: Date; begun: string | null },
): Promise<string | null> {
  const session = await currentSession(db.read);
  if (!session) return null;
  if (published === null) return session.sessionId === begun ? null : beginAnew(db, now);
  if (session.sessionId === published.sessionId && session.serial >= published.serial) return null;
  const [known] = await db.read.rows<{ endedAt: string | null; serial: number }>(
    sql`select ended_at, serial from rrdp_session where session_id = ${published.sessionId}`,
  );
  // The files of a session that has ended are simply old.
  if (known && known.serial >= published.serial) return null;
  return beginAnew(db, now);
}

/** Starts another session if the database was restored. Returns its name, or null. */
export async function beginAnew(db: Database, now: Date): Promise<string | null> {
  if (!(await currentSession(db.read))) return null;
  const summary = 'Began a session of the RPKI repository: the database was put back from a backup';
  return db.change(ownActivity('rpki.beginSession', summary), async change => {
    const { sessionId } = await beginSession(change, 'The database was put back from a backup');
    await change.rows(sql`update rpki_manifest set next_update = ${now.toISOString()}::timestamptz,
      number = number + greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - this_update)::bigint) + 1`);
    await change.rows(sql`delete from rpki_one_time_key`);
    // A thread that knows what authorities published after the backup takes none of it for what is here now: all of it is read again.
    await change.rows(sql`update rpki_child_judgement set changes = changes + 1000001, judged_changes = judged_changes + 1000000`);
    return sessionId;
  });
}

/** Returns the files missing in the tree, as recorded by the process that made it. */
async function notedBefore(read: Pick<Read, 'rows'>, serial: number): Promise<LeftOutFile[]> {
  const tree = ((await lastRound(read, publisherRounds))?.noted as PublisherNotes | null | undefined)?.tree;
  return tree?.serial === serial ? (tree.leftOut ?? []) : [];
}

/** Interval, in ms, at which the publisher looks for work in addition to notifications. */
const LOOK_EVERY_MS = MINUTE_MS / 2;
/** Interval, in ms, for recording success while nothing changes. */
const NOTE_EVERY_MS = MINUTE_MS;
/** Minimum time, in ms, between publications, so that changes made together share one. */
const GATHER_MS = 200;

/** Runs a round as a trace of its own. */
const traced = (work: () => Promise<void>): Promise<void> =>
  inTrace(
    () => ({ name: 'publication of the RPKI repository', kind: 'internal' }),
    () => ({}),
    work,
  );

/** Signs and publishes, in processes with the role `publisher`: members' changes within moments, and everything that would expire soon. */
export const publisherServer: RoleServer = {
  role: 'publisher',
  readsFrom: 'primary',
  open: async context => {
    const { db, config, clock, log } = context;
    const signer = context.outside(caSigner);
    const oneTimeKeys = openOneTimeKeys(db, signer);
    const files = repositoryFilesOf(context);
    const setAside = new SetAsideMembers();
    const counts: Counts = { publications: 0, failures: 0, failing: 0, noted: 0 };
    const refuseWrongClock = await watchPublisherClock(context);
    const stopping = new AbortController();
    let stopped = false;
    let begun: string | null = null;
    let again = false;
    const pace = snapshotPace();
    let running: Promise<void> | null = null;
    let filling: Promise<unknown> | null = null;
    const rsyncTree = treeWriter(context, files, counts, () => stopped);
    const note = roundNotes(context, counts, () => rsyncTree.noted());
    // Reading a member's own authority may take long, and no publication waits for it.
    const judging = alongside(() => judgeChildren({ db, clock, signal: stopping.signal }), {
      isStopped: () => stopped,
      failed: error => log.error('judging what self-hosted authorities publish failed', { error }),
    });

    const work = async (): Promise<void> => {
      await refuseWrongClock();
      const anew = await noticeRestoredDatabase(db, await files.published(), { now: clock(), begun });
      if (anew !== null) log.warn('a new session of the RPKI repository: the database is older than its files, or its files are gone');
      begun = anew ?? begun;
      await files.writeRrdp(null);
      const next = (): Promise<Publication | null> => publishOnce(context, oneTimeKeys, setAside, () => pace.waits(start));
      for (let one = await next(); one !== null && !stopped; one = await next()) {
        counts.publications++;
        // The first publication of a registry starts its session.
        if (one.serial === 1) begun = one.sessionId;
        judging.start();
        await files.writeRrdp(one.files);
        pace.wrote(files.snapshotSize());
      }
      rsyncTree.bring();
      counts.failing = 0;
      judging.start();
      filling ??= doRound(async () =>
        fillPool(db, signer, { upTo: await poolSize(db.read, config.rpkiKeyPool), now: clock, stopped: () => stopped || again }),
      )
        .catch((error: unknown) => log.error('filling the pool of one-time keys failed', { error }))
        .finally(() => (filling = null));
    };
    let ranAt = Number.NEGATIVE_INFINITY;
    const run = async (): Promise<void> => {
      do {
        again = false;
        // The first change after a while need not wait for others.
        const wait = GATHER_MS - (performance.now() - ranAt);
        if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
        if (stopped) break;
        const failure = await doRound(() => traced(work)).then(
          () => null,
          (error: unknown) => {
            counts.failures++;
            counts.failing++;
            log.error('publishing the RPKI repository failed', { error });
            return error instanceof Error ? error.message : String(error);
          },
        );
        await note(failure).catch((error: unknown) => log.error('noting how publishing went failed', { error }));
        ranAt = performance.now();
      } while (again && !stopped);
      running = null;
    };
    const start = (): void => {
      if (running) again = true;
      else running = run();
    };
    const stopListening = await db.listen('rpki', start);
    const timer = setInterval(start, LOOK_EVERY_MS).unref();
    const rsync = await openRsyncServer(config, log);
    start();
    return {
      announcement: [`The RPKI repository is published in ${config.rpkiDir}`, ...(rsync.announcement ? [rsync.announcement] : [])].join(
        '. ',
      ),
      metrics: () => metricsOf(counts, rsyncTree.isFailing()),
      close: async () => {
        stopped = true;
        clearInterval(timer);
        pace.end();
        await rsync.close();
        await stopListening();
        await running;
        await rsyncTree.ended();
        stopping.abort();
        await judging.ended();
        await filling;
      },
    };
  },
};

/** Returns how to record the rounds for other processes: every failure, and a success on changes and now and then. */
function roundNotes(
  { db, clock }: Pick<ModuleContext, 'db' | 'clock'>,
  counts: Counts,
  treeNow: () => PublisherNotes['tree'],
): (failure: string | null) => Promise<void> {
  let notedAt = Number.NEGATIVE_INFINITY;
  let notedTree: PublisherNotes['tree'] = null;
  return async failure => {
    const tree = treeNow();
    const changed = failure !== null || counts.noted !== counts.publications || notedTree !== tree;
    if (!changed && performance.now() - notedAt < NOTE_EVERY_MS) return;
    await noteRound(db, publisherRounds, { now: clock(), failure, ...(tree && { noted: { tree } satisfies PublisherNotes }) });
    notedAt = failure === null ? performance.now() : Number.NEGATIVE_INFINITY;
    counts.noted = counts.publications;
    notedTree = tree;
  };
}

/** The pace of publications that only members' own authorities cause, with the timer that goes on with them. */
function snapshotPace() {
  const pace = new SnapshotPace();
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Notes a publication, by the bytes of its snapshot. */
    wrote: (bytes: number): void => pace.wrote(bytes, performance.now()),
    /** Returns whether they still wait; then `start` is called when they needn't any more. */
    waits: (start: () => void): boolean => {
      const wait = pace.wait(performance.now());
      clearTimeout(timer);
      if (wait > 0) timer = setTimeout(start, wait).unref();
      return wait > 0;
    },
    end: (): void => clearTimeout(timer),
  };
}

/** Counts since the start; `noted` publications have been recorded for other processes. */
type Counts = { publications: number; failures: number; failing: number; noted: number };

const metricsOf = (counts: Counts, isTreeFailing: boolean): string[] => [
  '# TYPE rpki_publications_total counter',
  `rpki_publications_total ${counts.publications}`,
  '# TYPE rpki_publication_failures_total counter',
  `rpki_publication_failures_total ${counts.failures}`,
  '# TYPE rpki_publication_failing gauge',
  `rpki_publication_failing ${counts.failing > 0 || isTreeFailing ? 1 : 0}`,
];

/**
 * Work in parallel with publications, once at a time: asked for while it runs, it runs once more.
 * @param done called when all that was asked for is done
 */
function alongside(
  work: () => Promise<void>,
  { isStopped, done = () => {}, failed }: { isStopped: () => boolean; done?: () => void; failed: (error: unknown) => void },
) {
  let isBehind = false;
  let running: Promise<unknown> | null = null;
  return {
    start(): void {
      isBehind = true;
      running ??= (async () => {
        while (isBehind && !isStopped()) {
          isBehind = false;
          await doRound(work);
        }
        done();
      })()
        .catch(failed)
        .finally(() => (running = null));
    },
    ended: async (): Promise<void> => {
      await running;
    },
  };
}

/** Makes the rsync tree in parallel with publications, because it takes as long as several of them. */
function treeWriter(
  { db, config, log }: ModuleContext,
  files: ReturnType<typeof repositoryFilesOf>,
  counts: Counts,
  isStopped: () => boolean,
) {
  let begunAt = 0;
  let isFailing = false;
  let tree: PublisherNotes['tree'] = null;
  const write = async (): Promise<void> => {
    begunAt = performance.now();
    const made = await files.writeTree();
    if (made === null || made.serial === tree?.serial) return;
    const { serial, leftOut } = made;
    if (leftOut && leftOut.length > 0)
      log.error('files of members are left out of the tree for rsync', { files: leftOut.slice(0, NOTED_FILES) });
    tree = { serial, leftOut: (leftOut ?? (await notedBefore(db.read, serial))).slice(0, NOTED_FILES) };
  };
  const writing = alongside(write, {
    isStopped,
    done: () => {
      isFailing = false;
    },
    failed: error => {
      counts.failures++;
      isFailing = true;
      begunAt = 0;
      log.error('making the tree for rsync failed', { error });
    },
  });
  return {
    /** Makes the tree anew when the last one is older than RPKI_RSYNC_SECONDS, or failed. */
    bring(): void {
      if (performance.now() - begunAt >= config.rpkiRsyncSeconds * 1000 || begunAt === 0) writing.start();
    },
    noted: () => tree,
    isFailing: () => isFailing,
    ended: () => writing.ended(),
  };
}

/** Lines for /metrics about what is published. */
export async function repositoryMetrics(read: Read, now: Date): Promise<string[]> {
  const [row] = await read.rows<{ serial: number | null; soonest: string | null; files: number; keys: number; due: number }>(sql`
    select (select serial from rrdp_session where ended_at is null) as serial,
      (select min(m.next_update) from rpki_manifest m join rpki_key k using (key_id) where k.state <> 'destroyed' and k.certificate is not null) as soonest,
      (select count(*)::int from rpki_object) as files, (select count(*)::int from rpki_one_time_key) as keys, (select count(*)::int from rpki_due) as due`);
  const { serial, soonest, files, keys, due } = row!;
  return [
    '# TYPE rpki_repository_serial gauge',
    `rpki_repository_serial ${serial ?? 0}`,
    '# TYPE rpki_repository_files gauge',
    `rpki_repository_files ${files}`,
    '# TYPE rpki_manifest_seconds_left gauge',
    ...(soonest === null ? [] : [`rpki_manifest_seconds_left ${Math.round((Date.parse(soonest) - now.getTime()) / 1000)}`]),
    '# TYPE rpki_one_time_keys gauge',
    `rpki_one_time_keys ${keys}`,
    '# TYPE rpki_due_accounts gauge',
    `rpki_due_accounts ${due}`,
  ];
}
