import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Database, migrate, openDatabase } from '../../src/platform/database/index.ts';
import { metricsOfReplicas, replicaInWords } from '../../src/platform/replica-states.ts';
import { canOwnPostgres } from './own-postgres.ts';
import { streamingPair } from './streaming-postgres.ts';

const login = { issuer: 'https://id.example', subject: 'ada' };
const ofLogin = (subject: string) => ({ action: 'test', summary: 'test', traceId: '0'.repeat(32), login: { ...login, subject } });
const countOf = async (read: Database['read'], subject = login.subject): Promise<number> =>
  (await read.rows<{ count: number }>(sql`select count(*)::int as count from activity where login_subject = ${subject}`))[0]!.count;

describe.skipIf(!canOwnPostgres())('a database with a replica', () => {
  let pair: Awaited<ReturnType<typeof streamingPair>>;
  let db: Database;
  const opened = (urls: readonly string[], lagSeconds = 1) =>
    openDatabase({ url: pair.primary.url, replicas: { urls, lagSeconds }, pools: { reader: 4, writer: 4 } });
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
    await expect(opened([pair.primary.url])).rejects.toThrow('which is the primary itself and no replica');
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

  test('one that does not answer is no reason not to start, and is left out', async () => {
    await using unreached = Object.assign(await opened(['postgres://portal@127.0.0.1:9/postgres']), {
      [Symbol.asyncDispose]: () => unreached.close(),
    });
    expect(await countOf(unreached.forQuestion().read)).toBe(0);
    expect(unreached.replicaStates()).toMatchObject({ replicas: [{ role: 'away', isUsed: false }], onReplicas: 0, onPrimary: 1 });
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
    expect(replicaInWords(stateOf())).toMatch(/^127\.0\.0\.1:\d+\/postgres is a replica, at most \d\.\d s behind$/);
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
    expect(replicaInWords(stateOf())).toMatch(/is a replica, at most [\d.]+ s behind, and is left out$/);
    await pair.replica.query('select pg_wal_replay_resume()');
    await caughtUp();
    expect(await countOf(db.forQuestion().read, 'dora')).toBe(1);
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
