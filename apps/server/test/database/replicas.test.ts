import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Database, migrate, openDatabase, outageOf } from '../../src/platform/database/index.ts';
import { positionOf } from '../../src/platform/database/primary-marks.ts';
import { metricsOfReplicas, replicaInWords } from '../../src/platform/replica-states.ts';
import { canOwnPostgres } from './own-postgres.ts';
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { streamingPair } from './streaming-postgres.ts';
import { switchedDoor } from './switched-door.ts';

const login = { issuer: 'https://id.example', subject: 'ada' };
const ofLogin = (subject: string) => ({ action: 'test', summary: 'test', traceId: '0'.repeat(32), login: { ...login, subject } });
const disposable = (database: Database) => Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
/** Bytes of a message in the write-ahead log beside its text. */
const MESSAGE_BYTES = 56;
const countOf = async (read: Database['read'], subject = login.subject): Promise<number> =>
  (await read.rows<{ count: number }>(sql`select count(*)::int as count from activity where login_subject = ${subject}`))[0]!.count;

describe.skipIf(!canOwnPostgres())('a database with a replica', () => {
  let pair: Awaited<ReturnType<typeof streamingPair>>;
  let db: Database;
  const opened = (urls: readonly string[], { lagSeconds = 1, said = [] as string[] } = {}) =>
    openDatabase({
      url: pair.primary.url,
      replicas: { urls, lagSeconds },
      pools: { reader: 4, writer: 4 },
      onError: ({ message }) => said.push(message),
    });
  const stateOf = () => db.replicaStates().replicas[0]!;
  beforeAll(async () => {
    pair = await streamingPair();
    const alone = await openDatabase({ url: pair.primary.url });
    await migrate(alone);
    await alone.close();
    db = await opened([pair.replica.url]);
  });
  afterAll(async () => {
    await db?.close();
    await pair?.[Symbol.asyncDispose]();
  });
  const caughtUp = () => expect.poll(() => stateOf().isUsed, { timeout: 20_000 }).toBe(true);

  test('an address that is no replica of the server is refused with a sentence', async () => {
    await expect(opened([pair.primary.url])).rejects.toThrow('which is the address of the primary: leave it out');
    await using other = await streamingPair();
    await expect(opened([other.primary.url])).rejects.toThrow('is a server of its own and follows none');
    await expect(opened([other.replica.url])).rejects.toThrow('which follows another server than that of DATABASE_URL');
    await expect(opened([pair.replica.url.replace(/postgres$/, 'template1')])).rejects.toThrow('names the database template1');
    for (const [more, words] of [
      [{ DATABASE_URL: 'memory://' }, 'DATABASE_READ_URL names replicas of the server of DATABASE_URL'],
      [{ DATABASE_READ_URL: 'http://a' }, 'DATABASE_READ_URL must be addresses'],
    ] as const)
      expect(() => readConfig({ DATABASE_READ_URL: 'postgres://replica/portal', ...more })).toThrow(words);
  });

  test.runIf(hasPgBouncer)('beside a pooler replicas are read directly, and a pooler before a replica is refused', async () => {
    const bouncer = await startPgBouncer(pair.primary.url);
    try {
      await using pooled = disposable(
        await openDatabase({
          url: bouncer.urlOf(pair.primary.url),
          directUrl: pair.primary.url,
          replicas: { urls: [pair.replica.url], lagSeconds: 1 },
        }),
      );
      await expect.poll(() => pooled.replicaStates().replicas[0]!.isUsed, { timeout: 20_000 }).toBe(true);
      const question = pooled.forQuestion();
      const inRecovery = sql<{ is: boolean }>`select pg_is_in_recovery() as is`;
      expect(await question.read.rows(inRecovery)).toEqual([{ is: true }]);
      expect(await question.read.rows(sql`select 1 / (case when pg_is_in_recovery() then 0 else 1 end) as n`)).toEqual([{ n: 1 }]);
      expect(await question.read.rows(inRecovery)).toEqual([{ is: false }]);
      await expect(opened([bouncer.urlOf(pair.primary.url)])).rejects.toThrow('it has to name the replica itself');
    } finally {
      bouncer.stop();
    }
  });

  test('one that does not answer is no reason not to start, and is left out', async () => {
    await using unreached = Object.assign(await opened(['postgres://portal@127.0.0.1:9/postgres']), {
      [Symbol.asyncDispose]: () => unreached.close(),
    });
    expect(await countOf(unreached.forQuestion().read)).toBe(0);
    expect(unreached.replicaStates()).toMatchObject({ replicas: [{ role: 'away', isUsed: false }], onReplicas: 0, onPrimary: 1 });
  });

  test('a primary under another name is left out with a line in the log: after a failover it is among the addresses of before', async () => {
    const said: string[] = [];
    const promoted = pair.primary.url.replace('127.0.0.1', 'localhost');
    await using both = disposable(await opened([promoted, pair.replica.url], { said }));
    expect(both.replicaStates().replicas).toMatchObject([
      { number: 1, role: 'primary', isUsed: false },
      { number: 2, role: 'replica', isUsed: true },
    ]);
    expect(said).toEqual([expect.stringMatching(/localhost.* is a primary now: it is left out until it is a replica again/)]);
    expect(await countOf(both.forQuestion().read)).toBe(0);
  });

  test('a question is read on one server, and goes on at the primary after a statement that failed, never back', async () => {
    await caughtUp();
    const failing = sql<{ n: number }>`select 1 / (case when pg_is_in_recovery() then 0 else 1 end) as n`;
    const isReplica = async ({ read }: Database): Promise<boolean> =>
      (await read.rows<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is;
    const before = db.replicaStates();
    const question = db.forQuestion();
    expect(await isReplica(question)).toBe(true);
    expect(await question.read.rows(failing)).toEqual([{ n: 1 }]);
    expect(await isReplica(question)).toBe(false);
    expect(await isReplica(question)).toBe(false);
    const { onReplicas, onPrimary, repeated } = db.replicaStates();
    expect({
      onReplicas: onReplicas - before.onReplicas,
      onPrimary: onPrimary - before.onPrimary,
      repeated: repeated - before.repeated,
    }).toEqual({
      onReplicas: 1,
      onPrimary: 0,
      repeated: 1,
    });
    const next = db.forQuestion();
    expect(await isReplica(next)).toBe(true);
    await expect(next.read.rows(sql`select 1 / 0`)).rejects.toThrow('division by zero');
    expect(await isReplica(next)).toBe(true);
  });

  test('questions on one replica share a database, so that their statements are sent together', async () => {
    await caughtUp();
    expect(db.forQuestion()).toBe(db.forQuestion());
    expect(db.forQuestion().primary).toBe(db);
  });

  test('a stream holds no transaction open there, and its statements have limits', async () => {
    await caughtUp();
    const { read } = db.forQuestion();
    expect(
      await read.rows(
        sql`select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`,
      ),
    ).toEqual([{ statement: '10s', idle: '1min' }]);
    const stream = read.stream<{ pid: number }>(
      sql`select pg_backend_pid() as pid, pg_is_in_recovery() as is from generate_series(1, 2500)`,
    );
    const { value } = await stream.next();
    const [{ pid }] = value as { pid: number }[] as [{ pid: number }];
    expect((await pair.replica.query(`select state, backend_xmin from pg_stat_activity where pid = ${pid}`)).rows).toEqual([
      { state: 'idle', backend_xmin: null },
    ]);
    await stream.return();
  });

  test('a stream that fails before its first rows is read at the primary, and one that ends among them fails without any twice', async () => {
    await caughtUp();
    const numbers = (read: Database['read']) =>
      read.stream<{ n: number }>(sql`select n / (case when pg_is_in_recovery() then 0 else 1 end) as n from generate_series(1, 3) n`);
    const seen: number[] = [];
    for await (const rows of numbers(db.forQuestion().read)) seen.push(...rows.map(({ n }) => n));
    expect(seen).toEqual([1, 2, 3]);

    const streamed: number[] = [];
    const broken = async (): Promise<void> => {
      for await (const rows of db
        .forQuestion()
        .read.stream<{ n: number; pid: number }>(sql`select n, pg_backend_pid() as pid from generate_series(1, 2500) n`)) {
        streamed.push(...rows.map(({ n }) => n));
        await pair.replica.query(`select pg_terminate_backend(${rows[0]!.pid})`);
      }
    };
    const error: unknown = await broken().catch((reason: unknown) => reason);
    expect(outageOf(error)).toBe('lost');
    expect(streamed).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  });

  test('a primary at rest whose log ends with a page is no lag', async () => {
    await caughtUp();
    const inPage = async (): Promise<number> =>
      (await pair.primary.query(`select ((pg_current_wal_insert_lsn() - '0/0'::pg_lsn) % 8192)::int as at`)).rows[0].at as number;
    // Records of 24 bytes and more, to fill a page to its end: then the next one has its header already.
    for (let tries = 0, at = await inPage(); at !== 24 && at !== 40; at = await inPage()) {
      if (tries++ > 200) throw new Error(`No record ended with a page; the last one at ${at}.`);
      const left = 8192 - at;
      const length = left > 2000 ? left - 1500 : left - MESSAGE_BYTES;
      await pair.primary.query(`select pg_logical_emit_message(false, '', repeat('x', ${Math.max(1, length)}))`);
    }
    const inserted = positionOf(
      (await pair.primary.query('select pg_current_wal_insert_lsn()::text as position')).rows[0].position as string,
    );
    await expect
      .poll(async () =>
        positionOf((await pair.replica.query('select pg_last_wal_replay_lsn()::text as position')).rows[0].position as string),
      )
      .toBe(inserted);
  });

  test('what strangers ask is read there, rows and streams; changes are made at the primary', async () => {
    await caughtUp();
    const inRecovery = async (read: Database['read']) => (await read.rows<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is;
    expect(await inRecovery(db.forQuestion().read)).toBe(true);
    expect(await inRecovery(db.read)).toBe(false);
    expect(await inRecovery(db.forQuestion().primary.read)).toBe(false);
    let streamed = 0;
    for await (const rows of db.forQuestion().read.stream(sql`select generate_series(1, 2500)`)) streamed += rows.length;
    expect(streamed).toBe(2500);
    await db.forQuestion().change(ofLogin('bill'), async () => {});
    expect(await countOf(db.read, 'bill')).toBe(1);
    expect(replicaInWords(stateOf(), stateOf().address)).toMatch(/^127\.0\.0\.1:\d+\/postgres is a replica, at most \d\.\d s behind$/);
    expect(metricsOfReplicas(db).join('\n')).toMatch(/database_replica_lag_seconds\{replica="127.*"\} 0\.[\s\S]*from="replica"\} [1-9]/);
  });

  test('a person always reads their own writes, however far behind the replica is, and whichever process wrote', async () => {
    const other = await opened([]);
    let written = await countOf(db.read);
    const step = fc.constantFrom('write', 'write elsewhere', 'read', 'read', 'others', 'pause', 'resume');
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async steps => {
          for (const each of steps) {
            if (each === 'write' || each === 'write elsewhere') {
              await (each === 'write' ? db : other).change(ofLogin(login.subject), async () => {});
              written++;
            } else if (each === 'others') await other.change(ofLogin('corin'), async () => {});
            else if (each === 'pause' || each === 'resume') await pair.replica.query(`select pg_wal_replay_${each}()`);
            else expect(await countOf(await db.readSeeing(login))).toBe(written);
          }
        }),
        { numRuns: 25 },
      );
    } finally {
      await pair.replica.query('select pg_wal_replay_resume()');
      await other.close();
    }
    await caughtUp();
    const before = db.replicaStates().onReplicas;
    await expect
      .poll(async () => {
        expect(await countOf(await db.readSeeing(login))).toBe(written);
        return db.replicaStates().onReplicas;
      })
      .toBeGreaterThan(before);
  });

  test('one that is further behind than allowed is left out until it has caught up', async () => {
    await caughtUp();
    await pair.replica.query('select pg_wal_replay_pause()');
    await db.change(ofLogin('dora'), async () => {});
    await expect.poll(() => stateOf().isUsed, { timeout: 20_000 }).toBe(false);
    expect(await countOf(db.forQuestion().read, 'dora')).toBe(1);
    expect(replicaInWords(stateOf(), stateOf().address)).toMatch(/is a replica, at most [\d.]+ s behind, and is left out$/);
    await pair.replica.query('select pg_wal_replay_resume()');
    await caughtUp();
    expect(await countOf(db.forQuestion().read, 'dora')).toBe(1);
  });

  test('an address that leads elsewhere later is left out, and so is one whose connections lead to several servers', async () => {
    await using other = await streamingPair();
    await using door = await switchedDoor(pair.replica.url);
    const said: string[] = [];
    await using db = disposable(await opened([door.url], { said }));
    const state = () => db.replicaStates().replicas[0]!;
    const isReplica = async (): Promise<boolean> =>
      (await db.forQuestion().read.rows<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is;
    await expect.poll(isReplica, { timeout: 20_000 }).toBe(true);

    // Connections that are open stay, as those of a proxy do; new ones lead to the primary.
    door.leadsTo(pair.primary.url);
    expect((await Promise.all(Array.from({ length: 8 }, isReplica))).filter(is => !is)).not.toEqual([]);
    expect(said).toContainEqual(expect.stringContaining('led to another server than a moment ago'));

    for (const [url, role, words] of [
      [other.replica.url, 'other', 'which follows another server than that of DATABASE_URL'],
      [other.primary.url, 'other', 'is a server of its own and follows none'],
      [pair.primary.url, 'primary', 'which is a primary now: it is left out until it is a replica again'],
    ] as const) {
      door.leadsTo(url);
      door.cut();
      await expect.poll(() => state().role, { timeout: 20_000 }).toBe(role);
      await expect.poll(() => said.at(-1), { timeout: 20_000 }).toContain(words);
      expect(await isReplica()).toBe(false);
    }
    door.leadsTo(pair.replica.url);
    door.cut();
    await expect.poll(isReplica, { timeout: 20_000 }).toBe(true);
  });

  test('one that hangs keeps no process from starting, and no question waiting once it is left out', async () => {
    await caughtUp();
    pair.replica.hang(true);
    try {
      await expect.poll(() => stateOf().isUsed, { timeout: 20_000 }).toBe(false);
      expect(await countOf(db.forQuestion().read, 'no one')).toBe(0);
      await using late = disposable(await opened([pair.replica.url]));
      expect(late.replicaStates().replicas).toMatchObject([{ role: 'away', isUsed: false }]);
    } finally {
      pair.replica.hang(false);
    }
    await caughtUp();
  });

  test('one whose connections are all busy is asked where it is all the same, and others are answered by the primary', async () => {
    await caughtUp();
    const { read } = db.forQuestion();
    const busy = Array.from({ length: 4 }, () => read.rows(sql`select pg_sleep(60) as busy`).catch((error: unknown) => outageOf(error)));
    const pids = async (): Promise<number[]> =>
      (await pair.replica.query(`select pid from pg_stat_activity where query like '%as busy' and pid <> pg_backend_pid()`)).rows.map(
        ({ pid }) => pid as number,
      );
    await expect.poll(async () => (await pids()).length, { timeout: 20_000 }).toBe(4);
    const fifth = await db.forQuestion().read.rows<{ is: boolean }>(sql`select pg_is_in_recovery() as is`);
    expect(fifth).toEqual([{ is: false }]);
    expect(stateOf()).toMatchObject({ role: 'replica', isUsed: true });
    for (const pid of await pids()) await pair.replica.query(`select pg_cancel_backend(${pid})`);
    expect(await Promise.all(busy)).toEqual(['busy', 'busy', 'busy', 'busy']);
  });

  test('a server that went on following the old primary after a failover is left out', async () => {
    await using three = await streamingPair();
    const stray = await three.follow('stray');
    await using before = disposable(await openDatabase({ url: three.primary.url }));
    await migrate(before, { through: '0001_platform.sql' });
    await before.change(ofLogin('ada'), async () => {});
    await three.replica.caughtUpWith(three.primary);
    await three.replica.query('select pg_promote()');
    // Both go on: the old primary was not ended.
    await using now = disposable(await openDatabase({ url: three.replica.url }));
    await now.change(ofLogin('bill'), async () => {});
    for (const subject of ['corin', 'dora', 'eve']) await before.change(ofLogin(subject), async () => {});
    // Its position is ahead of the new primary’s then.
    await three.primary.query('select pg_switch_wal()');
    await before.change(ofLogin('eve'), async () => {});
    await stray.caughtUpWith(three.primary);
    const said: string[] = [];
    await using db = disposable(
      await openDatabase({
        url: three.replica.url,
        replicas: { urls: [stray.url], lagSeconds: 3600 },
        onError: ({ message }) => said.push(message),
      }),
    );
    await expect.poll(() => db.replicaStates().replicas[0]!.role, { timeout: 20_000 }).toBe('other');
    expect(said).toEqual([expect.stringContaining('which followed another primary than the one of DATABASE_URL')]);
    expect(await countOf(db.forQuestion().read, 'bill')).toBe(1);
  });

  test('one that is killed costs no answer, and is used again when it is back', async () => {
    await caughtUp();
    let isOver = false;
    let answers = 0;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (; !isOver; answers++) await countOf(db.forQuestion().read);
      }),
    );
    await pair.replica.stop('SIGKILL');
    const without = answers;
    await expect.poll(() => answers).toBeGreaterThan(without + 20);
    expect(stateOf().isUsed).toBe(false);
    await pair.replica.start();
    await caughtUp();
    isOver = true;
    await asking;
  });
});
