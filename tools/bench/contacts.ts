import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/throwaway-postgres.ts';
import { type Bench, type Figure, load, megabytes, milliseconds, percentile } from './bench.ts';
import { busyAccount, fillBusyAccount } from './busy-account.ts';
import { statementsOfCall } from './in-process.ts';
import { address, memoryOf, port, runCommand, startProgram, temporaryFolder } from './program.ts';

const seconds = 3;
const connections = 8;
const { accountName: account, contacts, lines } = busyAccount;

const dayBefore = (days: number): string => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
const year = `from=${dayBefore(364)}&to=${dayBefore(0)}`;

export const bench: Bench = {
  about: `an account with ${contacts} contacts and ${lines.toLocaleString('en')} lines of activity, on both databases: its lists, ${connections} connections, ${seconds} s each, against their statements alone in the same database, and files of all of it`,
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
  const { calls, token } = await alone(environment);
  await using program = await startProgram(environment);
  const get = async (url: string): Promise<Response> => {
    const answer = await fetch(`${address}${url}`, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const figures: Figure[] = [];
  for (const { url, statements, p95: bare } of calls) {
    await (await get(url)).text();
    const { took } = await load(async () => (await get(url)).text(), { workers: connections, seconds });
    const ours = percentile(took, 0.95);
    figures.push({
      what: `${kind} ${url.replace(`/api/${account}`, '…').replace(year, 'a year')}`,
      value: `p95 ${milliseconds(ours)}; its ${statements} statements alone ${milliseconds(bare)}; ratio ${(ours / bare).toFixed(2)}`,
      budget: 'ratio 5',
      held: ours / bare <= 5,
    });
  }
  const save = async (url: string) => {
    const started = performance.now();
    let [bytes, rows, peak] = [0, -1, 0];
    const answer = await get(url);
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) rows++;
      peak = Math.max(peak, memoryOf(program.pid, 'VmRSS') ?? 0);
    }
    const took = ((performance.now() - started) / 1000).toFixed(1);
    return { rows, peak, words: `${rows.toLocaleString('en')} lines, ${megabytes(bytes)} in ${took} s, at most ${megabytes(peak)}` };
  };
  // What a tenth takes, all of them take: a file that was gathered first would take ten times that.
  const tenth = await save(`/api/${account}/activity-log/export?from=${dayBefore(36)}&to=${dayBefore(0)}&format=csv`);
  const whole = await save(`/api/${account}/activity-log/export?${year}&format=csv`);
  const people = await save(`/api/${account}/contacts-export`);
  return [
    ...figures,
    { what: `${kind} CSV of a tenth of the lines`, value: tenth.words },
    {
      what: `${kind} CSV of all lines`,
      value: `${whole.words}, ${megabytes(whole.peak - tenth.peak)} more than a tenth`,
      budget: 'all lines, 60 MB more than a tenth',
      held: whole.rows >= lines && whole.peak - tenth.peak <= 60e6,
    },
    { what: `${kind} CSV of the contacts`, value: people.words, budget: 'all contacts', held: people.rows >= contacts },
  ];
}

/** Fills the account, and measures the statements of each call by themselves, before the program holds the database. */
async function alone(environment: Record<string, string>) {
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const db = await openDatabase({ url: config.database });
  try {
    await fillBusyAccount(db);
    const token = await mintToken(db, config, 'corin', { mfa: true });
    const { rows: middle } = await db.pool.query<{ activity_id: string }>(
      `select activity_id from activity where account_name = '${account}' order by happened_at desc offset ${lines / 2} limit 1`,
    );
    const { rows: somebody } = await db.pool.query<{ contact_id: string }>(
      `select contact_id from contact where email = 'person77@busy.example'`,
    );
    const urls = [
      'contacts',
      'contacts?limit=500',
      'contacts?offset=400&sort=lastSignInAt&direction=desc',
      'contacts?q=engineer+7',
      'contacts?q=nowhere',
      'contacts?type=billing&status=ACTIVE',
      'contacts?mark=dormant',
      'contacts?mark=no-second-factor',
      `contacts/${somebody[0]!.contact_id}`,
      'access-review',
      'activity-log',
      `activity-log?${year}&before=${middle[0]!.activity_id}`,
      `activity-log?${year}&category=resources&result=refused`,
      `activity-log?${year}&actor=${somebody[0]!.contact_id}`,
      `activity-log?${year}&actor=staff`,
      `activity-log?${year}&q=Person+77`,
      `activity-log?${year}&q=nowhere`,
      'activity-log/days',
      `activity-log/days?${year}`,
      'activity-log/about',
    ].map(path => `/api/${account}/${path}`);
    const calls = [];
    for (const url of urls) {
      const statements = await statementsOfCall({ db, config }, url, token);
      const { took } = await load(
        async () => {
          for (const { text, values } of statements) await db.pool.query(text, values);
        },
        { workers: connections, seconds },
      );
      calls.push({ url, statements: statements.length, p95: percentile(took, 0.95) });
    }
    return { calls, token };
  } finally {
    await db.close();
  }
}
