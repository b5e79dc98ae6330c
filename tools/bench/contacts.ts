import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { openApp } from '../../apps/server/src/app.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { type Config, readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { busyAccount, fillBusyAccount } from '../../apps/server/test/busy-account.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { type Bench, type Figure, load, megabytes, milliseconds, percentile } from './figures/bench.ts';
import { statementsOfCall } from './programs/in-process.ts';
import { address, port, runCommand, temporaryFolder } from './programs/program.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The embedded database answers one after the other: more would only wait. */
const connections = { postgres: 8, embedded: 2 };
/** Rounds of the portal and of its bare statements alternate, so that other load affects both. */
const turns = { times: 6, seconds: 0.25 };
const { accountName: account, contacts, lines } = busyAccount;

const dayBefore = (days: number): string => utcDay(Date.now() - days * DAY_MS);
/** Longer than the lines go back, in any time zone. */
const year = `from=${dayBefore(362)}&to=${dayBefore(-1)}`;

export const bench: Bench = {
  about: `an account with ${contacts} contacts and ${lines.toLocaleString('en')} lines of activity, on both databases: p95 of its lists over HTTP, ${connections.postgres} connections (embedded ${connections.embedded}), against their statements alone, medians of ${turns.times} turns of ${turns.seconds} s each, and files of all of it, in one process`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    const database = server ? await server.createDatabase() : null;
    const figures: Figure[] = [];
    try {
      if (database) figures.push(...(await measure('PostgreSQL', { DATABASE_URL: database.url })));
      else figures.push({ what: 'PostgreSQL', value: `not measured: ${reason}` });
    } finally {
      await database?.drop();
    }
    return [...figures, ...(await measure('embedded', {}))];
  },
};

async function measure(kind: string, given: Record<string, string>): Promise<Figure[]> {
  await using temporary = temporaryFolder();
  const environment = { DATA_DIR: temporary.folder, ...given };
  await runCommand(['migrate'], environment);
  await runCommand(['demo', 'load'], environment);
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const db = await openDatabase({ url: config.database });
  const figures: Figure[] = [];
  try {
    await fillBusyAccount(db);
    const token = await mintToken(db, config, 'corin', { mfa: true });
    for (const figure of await lists(db, config, token)) figures.push({ ...figure, what: `${kind} ${figure.what}` });
  } finally {
    await db.close();
  }
  return figures;
}

async function lists(db: Database, config: Config, token: string): Promise<Figure[]> {
  const { rows: halfway } = await db.pool.query<{ activity_id: string }>(
    `select activity_id from activity where account_name = '${account}' order by happened_at desc offset ${lines / 2} limit 1`,
  );
  const { rows: somebody } = await db.pool.query<{ contact_id: string }>(
    `select contact_id from contact where email = 'person77@busy.example'`,
  );
  const { contact_id: contactId } = somebody[0]!;
  const urls = [
    'contacts',
    'contacts?limit=500',
    'contacts?offset=400&sort=lastSignInAt&direction=desc',
    'contacts?q=engineer+7',
    'contacts?q=nowhere',
    'contacts?type=billing&status=active',
    'contacts?mark=dormant',
    'contacts?mark=no-second-factor',
    'activity-log',
    `activity-log?${year}&before=${halfway[0]!.activity_id}`,
    `activity-log?${year}&category=resources&result=refused`,
    `activity-log?${year}&actor=${contactId}`,
    `activity-log?${year}&actor=staff`,
    `activity-log?${year}&q=Person+77`,
    `activity-log?${year}&q=nowhere`,
    'activity-log/days',
    `activity-log/days?${year}`,
    'activity-log/about',
  ].map(path => `/api/${account}/${path}`);
  const calls = [];
  for (const url of urls) calls.push({ url, statements: await statementsOfCall({ db, config }, url, token) });

  const app = await openApp(openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' }), {
    webFolder: null,
  });
  try {
    await app.http.listen({ port, host: 'localhost' });
    const figures: Figure[] = [];
    for (const { url, statements } of calls) {
      const portal = async (): Promise<void> => {
        const answer = await fetch(address + url, { headers: { authorization: `Bearer ${token}` } });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
      };
      const alone = async (): Promise<void> => {
        for (const { text, values } of statements) await db.pool.query(text, values);
      };
      const turn = async (work: () => Promise<void>): Promise<number> =>
        percentile((await load(work, { workers: connections[db.kind], seconds: turns.seconds })).took, 0.95);
      // A warm-up before it counts.
      await turn(portal);
      await turn(alone);
      const p95s: { ours: number; bare: number }[] = [];
      for (let time = 0; time < turns.times; time++) p95s.push({ ours: await turn(portal), bare: await turn(alone) });
      const middle = (values: readonly number[]): number => percentile(values, 0.5);
      const ratio = middle(p95s.map(({ ours, bare }) => ours / bare));
      figures.push({
        what: url.replace(`/api/${account}`, '…').replace(year, 'a year').replace(contactId, 'ID'),
        value: `p95 ${milliseconds(middle(p95s.map(({ ours }) => ours)))}; its ${statements.length} statements alone ${milliseconds(middle(p95s.map(({ bare }) => bare)))}; ratio ${ratio.toFixed(2)}`,
        budget: 'ratio 5',
        held: ratio <= 5,
      });
    }
    return [...figures, ...(await files(token))];
  } finally {
    await app.close();
  }
}

/** Returns the memory, in bytes, that the process can't free. */
function held(): number {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** A streamed file: how much additional memory is held meanwhile, checked every two megabytes. */
async function save(path: string, token: string) {
  const before = held();
  const started = performance.now();
  let [bytes, rows, most, looked] = [0, -1, 0, 0];
  const answer = await fetch(`${address}/api/${account}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows++;
    if (bytes - looked < 2e6) continue;
    looked = bytes;
    most = Math.max(most, held() - before);
  }
  const took = ((performance.now() - started) / 1000).toFixed(1);
  return {
    rows,
    most,
    words: `${rows.toLocaleString('en')} lines, ${megabytes(bytes)} in ${took} s, ${megabytes(most)} more held than before`,
  };
}

async function files(token: string): Promise<Figure[]> {
  const tenth = await save(`activity-log/export?from=${dayBefore(36)}&to=${dayBefore(-1)}&format=csv`, token);
  const whole = await save(`activity-log/export?${year}&format=csv`, token);
  const people = await save('contacts-export', token);
  return [
    { what: 'CSV of a tenth of the lines', value: tenth.words },
    {
      what: 'CSV of all lines',
      value: whole.words,
      budget: 'all lines, 10 MB more than a tenth',
      held: whole.rows >= lines && whole.most - tenth.most <= 10e6,
    },
    { what: 'CSV of the contacts', value: people.words, budget: 'all contacts', held: people.rows >= contacts },
  ];
}
