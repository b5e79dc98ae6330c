import { DAY_MS, HOUR_MS, instantAfter, utcDay } from '@portal/contract/days';
import { type ExpressionBuilder, sql } from 'kysely';
import * as z from 'zod';
import type { Config } from '../../../config.ts';
import { type Change, type Database, ownActivity, type Read, type Tables } from '../../../platform/database/index.ts';
import type { Module, ModuleContext } from '../../../platform/module.ts';
import { taskType } from '../../../platform/tasks.ts';
import { type ZippedFile, zipOf } from '../../../platform/zip.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { notifyPerson } from '../logins/notices.ts';
import { notifyPeople } from '../logins/notify-people.ts';
import { identityTexts } from '../mail-texts.ts';
import { type CopiedPerson, copyKinds } from './copy-files.ts';
import { type CopyStorage, copyStorageOf } from './copy-storage.ts';

/** How long a copy can be downloaded. */
export const DATA_COPY_DAYS = 7;
/** A person may ask for one copy in so many hours; one that isn't made by then failed. */
const HOURS_BETWEEN = 24;
/** A copy that would be larger is not made: what it takes of the disk is bounded. */
const LARGEST = 50_000_000;

/** Copies among the kept files. */
export const copiesAsFiles: NonNullable<Module['keptFiles']>[number] = {
  table: 'data_copy',
  rows: sql`select sha256, 'copy of data ' || data_copy_id as whose, true as needed from data_copy where sha256 is not null`,
};

/** A copy of a person's data as its page shows it. */
export type DataCopy = {
  dataCopyId: number;
  requestedAt: string;
  madeAt: string | null;
  expiresAt: string;
  size: number | null;
  itemsDone: number;
  itemsTotal: number | null;
  state: 'preparing' | 'ready' | 'failed' | 'too-large';
};

/** Returns the person's copies that can be downloaded or are being made, newest first. */
export async function listDataCopies(read: Read, loginId: string, now: Date): Promise<DataCopy[]> {
  const rows = await read
    .selectFrom('dataCopy')
    .leftJoin('task', 'task.taskId', 'dataCopy.taskId')
    .select([
      'dataCopyId',
      'requestedAt',
      'madeAt',
      'expiresAt',
      'size',
      'failure',
      'task.itemsDone',
      'task.itemsTotal',
      'task.state as taskState',
    ])
    .where('loginId', '=', loginId)
    .where('expiresAt', '>', now.toISOString())
    .orderBy('dataCopyId', 'desc')
    .execute();
  return rows.map(({ taskState, failure, itemsDone, ...row }) => ({
    ...row,
    itemsDone: itemsDone ?? 0,
    state:
      row.madeAt !== null
        ? 'ready'
        : failure === 'too-large'
          ? 'too-large'
          : isAtWork(taskState, row.requestedAt, now)
            ? 'preparing'
            : 'failed',
  }));
}

/** Whether a copy can still be made: its task waits or runs, and is not of yesterday, such as one whose worker was lost. */
const isAtWork = (taskState: string | null, requestedAt: string, now: Date): boolean =>
  (taskState === 'queued' || taskState === 'running') && instantAfter(requestedAt, HOURS_BETWEEN * HOUR_MS) > now.toISOString();

/** Why no copy can be asked for now: until when the login waits, and for what. */
export type CopyRefusal = { why: 'cool-down' | 'lately'; until: string };

/** Returns why the person can't ask for a copy now; null if they can. */
export async function refusalOfCopy(read: Read, loginId: string, now: Date): Promise<CopyRefusal | null> {
  const coolDown = await coolDownOf(read, loginId, now);
  if (coolDown) return { why: 'cool-down', until: coolDown.until };
  // A failed one counts: making one is what costs.
  const [newest] = await listDataCopies(read, loginId, now);
  const until = newest && instantAfter(newest.requestedAt, HOURS_BETWEEN * HOUR_MS);
  return until && until > now.toISOString() ? { why: 'lately', until } : null;
}

class Refused extends Error {
  refusal: CopyRefusal;
  constructor(refusal: CopyRefusal) {
    super(refusal.why);
    this.refusal = refusal;
  }
}

/** Asks for a copy of the person's data. Returns why it was refused, or null. */
export async function requestDataCopy(
  db: Database,
  { userAgent, ...who }: ActivityOrigin,
  { loginId, config, now }: { loginId: string; config: Config; now: Date },
): Promise<CopyRefusal | null> {
  try {
    await db.change({ ...who, action: 'identity.requestDataCopy', summary: 'Requested a copy of personal data' }, async change => {
      // Of two requests at the same time, the second sees the first.
      await change.selectFrom('login').select('loginId').where('loginId', '=', loginId).forUpdate().executeTakeFirstOrThrow();
      const refusal = await refusalOfCopy(change, loginId, now);
      if (refusal) throw new Refused(refusal);
      await change.note({ userAgent });
      const { dataCopyId } = await change
        .insertInto('dataCopy')
        .values({ loginId, requestedAt: now.toISOString(), expiresAt: instantAfter(now, DATA_COPY_DAYS * DAY_MS) })
        .returning('dataCopyId')
        .executeTakeFirstOrThrow();
      const taskId = await change.enqueue(makeDataCopy, { dataCopyId, issuer: config.issuerUri }, { attempts: 5 });
      await change.updateTable('dataCopy').set({ taskId }).where('dataCopyId', '=', dataCopyId).execute();
      await notifyPerson(change, config, {
        loginId,
        text: identityTexts.written('dataCopyRequested', {}),
        userAgent,
      });
    });
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** Makes the archive of a copy that was asked for, and mails its person that it is ready. */
export const makeDataCopy = taskType({
  name: 'identity.makeDataCopy',
  summary: 'Made a copy of personal data',
  input: z.object({ dataCopyId: z.int(), issuer: z.string() }),
  run: async ({ db, activity, input: { dataCopyId, issuer }, context, progress }) => {
    const asked = await copyToMake(db.read, dataCopyId);
    // Deleted in the meantime, or made by a run whose process ended before it could say so.
    if (!asked || asked.madeAt !== null) return;
    const failed = async (failure: 'too-large' | 'not-allowed', error: string) => {
      await db.change(activity, async change => {
        await change.updateTable('dataCopy').set({ failure }).where('dataCopyId', '=', dataCopyId).where('madeAt', 'is', null).execute();
        await change.note({ failure });
      });
      return { outcome: 'failed', error } as const;
    };
    if (!isAllowed(asked, context.clock())) return failed('not-allowed', 'The login can’t get a copy of its data now.');
    const contacts = await db.read.selectFrom('contact').select('contactId').where('loginId', '=', asked.loginId).execute();
    const person = { loginId: asked.loginId, issuer, contactIds: contacts.map(({ contactId }) => contactId) };
    const storage = copyStorageOf(context);
    const kept = await storage.keep(archiveOf(context, person, progress), LARGEST);
    if (!kept) return failed('too-large', `The copy would be larger than ${LARGEST / 1_000_000} MB.`);
    await db.change(activity, async change => {
      const now = await copyToMake(change, dataCopyId);
      // What was read is left to the sweep of files.
      if (!now || now.madeAt !== null || !isAllowed(now, context.clock())) return;
      await storage.record(change, kept);
      const made = { sha256: kept.sha256, size: kept.bytes, madeAt: change.now };
      await change.updateTable('dataCopy').set(made).where('dataCopyId', '=', dataCopyId).execute();
      await mailReady(change, asked);
    });
    return undefined;
  },
});

const copyToMake = (read: Read, dataCopyId: number) =>
  read
    .selectFrom('dataCopy')
    .innerJoin('login', 'login.loginId', 'dataCopy.loginId')
    .select(['dataCopy.loginId', 'email', 'emailVerified', 'fullName', 'madeAt', 'requestedAt', 'expiresAt'])
    .select(['disabledAt', 'frozenAt', 'coolDownUntil'])
    .where('dataCopyId', '=', dataCopyId)
    .executeTakeFirst();

type CopyOfLogin = Pick<
  NonNullable<Awaited<ReturnType<typeof copyToMake>>>,
  'requestedAt' | 'expiresAt' | 'disabledAt' | 'frozenAt' | 'coolDownUntil'
>;

/**
 * Whether a copy may be made or handed out: it has not expired, the login can be used, and its sign-in was not changed since the request. Who gained a login by mail or a stolen code gets no copy that its person
 * requested, during the cool-down or after it.
 */
const isAllowed = ({ requestedAt, expiresAt, disabledAt, frozenAt, coolDownUntil }: CopyOfLogin, now: Date): boolean =>
  expiresAt > now.toISOString() && disabledAt === null && frozenAt === null && (coolDownUntil === null || coolDownUntil <= requestedAt);

async function mailReady(
  change: Change,
  {
    loginId,
    email,
    emailVerified,
    fullName,
    expiresAt,
  }: { loginId: string; email: string; emailVerified: boolean; fullName: string; expiresAt: string },
) {
  if (!emailVerified) return;
  const news = {
    topic: 'login.security' as const,
    accountName: null,
    text: identityTexts.written('dataCopyReady', { copyUntil: `${expiresAt.slice(0, 16).replace('T', ' ')} UTC` }),
    mailOnly: ['If you didn’t request it, someone else uses your login: end all other sessions and change your password immediately.'],
    path: '/account/data',
    act: 'Download the copy',
    freezes: loginId,
  };
  await notifyPeople(change, news, [{ fullName, email, loginId }]);
}

/** Yields the ZIP archive of a person's data: a file of JSON lines for each table that has rows, and `index.json`, which says what they are. */
async function* archiveOf(
  { db, modules, clock, profile }: ModuleContext,
  person: CopiedPerson,
  progress: (done: number, total: number) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  const kinds = copyKinds(db.read, modules, person, profile.retention);
  const madeAt = clock().toISOString();
  const day = utcDay(madeAt);
  const files = (async function* (): AsyncGenerator<ZippedFile, void, void> {
    const index: object[] = [];
    let done = 0;
    await progress(done, kinds.length);
    for (const { files: parts, notInCopy, ...about } of kinds) {
      const listed: { file: string; table: string; rows: number }[] = [];
      for (const { name, table, batches } of parts) {
        const first = await batches.next();
        // A file without a row would say nothing.
        if (first.done || first.value.length === 0) continue;
        const file = { file: name, table, rows: 0 };
        listed.push(file);
        yield { name, day, isText: true, open: () => Promise.resolve(linesOf(first.value, batches, count => (file.rows += count))) };
      }
      index.push({ ...about, files: listed, ...(notInCopy.length > 0 && { notInCopy }) });
      await progress(++done, kinds.length);
    }
    const text = `${JSON.stringify({ registry: profile.registryName, madeAt, about: aboutCopies, kinds: index }, null, 2)}\n`;
    yield { name: 'index.json', day, isText: true, open: () => Promise.resolve(piecesOf(text)) };
  })();
  yield* zipOf(files);
}

const aboutCopies =
  'What the registry keeps about the person who asked for this copy. Each file holds the rows of one table, a JSON object on each line; this one says what they are, what they are for, how long they are kept, and what is in no copy and why. Where a row names someone else, it says “another person”. Passwords, keys and codes are left out: they open or prove something.';

async function* piecesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield await Promise.resolve(Buffer.from(text));
}

/** Yields rows as JSON lines, and counts them. */
async function* linesOf(
  first: readonly object[],
  rest: AsyncGenerator<object[], void, void>,
  counted: (rows: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const text = (rows: readonly object[]): Buffer => {
    counted(rows.length);
    return Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  };
  yield text(first);
  for await (const batch of rest) if (batch.length > 0) yield text(batch);
}

/**
 * Returns a person's own copy; null if there is none of this number, it is someone else's, not ready, expired or void, or its content is lost. The download leaves its line in the log and is mailed to the person.
 */
export async function downloadDataCopy(
  db: Database,
  { userAgent, ...who }: ActivityOrigin,
  { loginId, dataCopyId, config, storage, now }: { loginId: string; dataCopyId: number; config: Config; storage: CopyStorage; now: Date },
): Promise<{ chunks: AsyncIterable<Uint8Array>; madeAt: string } | null> {
  const own = await db.read
    .selectFrom('dataCopy')
    .innerJoin('login', 'login.loginId', 'dataCopy.loginId')
    .select(['sha256', 'madeAt', 'requestedAt', 'expiresAt', 'disabledAt', 'frozenAt', 'coolDownUntil'])
    .where('dataCopyId', '=', dataCopyId)
    .where('dataCopy.loginId', '=', loginId)
    .executeTakeFirst();
  if (!own || own.sha256 === null || own.madeAt === null || !isAllowed(own, now)) return null;
  const chunks = await storage.read(own.sha256);
  if (!chunks) return null;
  await db.change({ ...who, action: 'identity.downloadDataCopy', summary: 'Downloaded a copy of personal data' }, async change => {
    await change.note({ userAgent });
    await notifyPerson(change, config, {
      loginId,
      text: identityTexts.written('dataCopyDownloaded', {}),
      userAgent,
    });
  });
  return { chunks, madeAt: own.madeAt };
}

/** Deletes expired copies, and those of logins that can't be used. Leaves a line in the log if it deleted any. */
export async function sweepDataCopies(db: Database, now: Date): Promise<void> {
  const unusable = (read: Read) =>
    read
      .selectFrom('login')
      .select('loginId')
      .where(eb => eb.or([eb('disabledAt', 'is not', null), eb('frozenAt', 'is not', null)]));
  const isVoid = (read: Read) => (eb: ExpressionBuilder<Tables, 'dataCopy'>) =>
    eb.or([eb('expiresAt', '<=', now.toISOString()), eb('loginId', 'in', unusable(read))]);
  const old = await db.read.selectFrom('dataCopy').select('dataCopyId').where(isVoid(db.read)).limit(1).executeTakeFirst();
  if (!old) return;
  await db.change(ownActivity('identity.deleteDataCopies', 'Deleted expired copies of personal data'), change =>
    change.deleteFrom('dataCopy').where(isVoid(change)).execute(),
  );
}
