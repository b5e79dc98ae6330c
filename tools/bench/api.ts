import { setTimeout as wait } from 'node:timers/promises';
import { api as contract } from '@portal/contract/api';
import { apiScopeKeys } from '@portal/contract/api-scopes';
import { SECOND_MS } from '@portal/contract/days';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { type Bench, type Figure, megabytes, milliseconds, percentile } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { address, memoryOf, port, runCommand, startProgram, temporaryFolder } from './programs/program.ts';

const account = 'EXAMPLE-AU';
const path = '/resources/summary';
const connections = 16;
const seconds = 8;
/** Calls per second of one key in the third part: the default of the setting. */
const LIMIT = 10;
/** Turns of that part, and how long each is. */
const ROUNDS = 7;
const TURN_SECONDS = 3;
const ITEMS = 10_000;

export const bench: Bench = {
  about: `the registry API beside the portal's own (GET ${path}, demo registry on PostgreSQL, ${connections} connections, ${seconds} s), a bulk write of ${ITEMS.toLocaleString('en')} objects, and one key beside another that is at its limit`,
  run: async () => {
    await using temporary = temporaryFolder();
    const { server, reason } = await throwawayPostgres({ inMemory: true });
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const database = await server.createDatabase();
    const environment = { DATA_DIR: temporary.folder, DATABASE_URL: database.url };
    await runCommand(['migrate'], environment);
    await runCommand(['demo', 'load'], environment);
    const db = await openDatabase({ url: database.url });
    try {
      const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
      const token = (): Promise<string> => mintToken(db, config, 'corin', { mfa: true });
      const newKey = async (label: string): Promise<string> => {
        const made = await fetch(`${address}${contract.apiKeys.createApiKey.path.replace(':account', account)}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
          body: JSON.stringify({ label, scopes: apiScopeKeys, days: 30 }),
        });
        if (!made.ok) throw new Error(`The key: ${await made.text()}`);
        return ((await made.json()) as { secret: string }).secret;
      };
      return [
        ...(await readsAndWrites({ ...environment, API_CALLS_PER_SECOND: '100000' }, { token, newKey })),
        ...(await besideOneAtItsLimit({ ...environment, API_CALLS_PER_SECOND: String(LIMIT) }, newKey)),
      ];
    } finally {
      await db.close();
      await database.drop();
    }
  },
};

/** Starts the program. On a busy machine its first connection to the database can time out, so it is retried. */
async function startedProgram(environment: Record<string, string>, left = 5): ReturnType<typeof startProgram> {
  try {
    return await startProgram(environment);
  } catch (error) {
    if (left === 0 || !String(error).includes('connection timeout')) throw error;
    return startedProgram(environment, left - 1);
  }
}

type Tools = { token: () => Promise<string>; newKey: (label: string) => Promise<string> };
const publicUrl = (of: string): string => `${address}/registry-api/v1/${account}${of}`;

async function readsAndWrites(environment: Record<string, string>, { token, newKey }: Tools): Promise<Figure[]> {
  await using program = await startedProgram(environment);
  const key = await newKey('bench');
  const own = { url: `${address}/api/${account}${path}`, token: await token() };
  const open = { url: publicUrl(path), token: key };
  const measure = ({ url, token: bearer }: typeof own, during = seconds) => httpLoad(url, { connections, seconds: during, token: bearer });
  for (const each of [own, open]) await measure(each, 2);
  // One after the other, twice, because the machine's speed varies during the measurement.
  const rounds: { portal: Awaited<ReturnType<typeof measure>>; api: Awaited<ReturnType<typeof measure>> }[] = [];
  for (let round = 0; round < 2; round++) rounds.push({ portal: await measure(own), api: await measure(open) });
  const [portal, api] = (['portal', 'api'] as const).map(
    which => rounds.reduce((sum, round) => sum + round[which].perSecond, 0) / rounds.length,
  );
  const wrong = rounds.reduce((sum, round) => sum + round.portal.wrong + round.api.wrong, 0);

  const before = memoryOf(program.pid, 'VmRSS') ?? 0;
  const text = Array.from(
    { length: ITEMS },
    (_, i) =>
      `route6:         2001:db8:${i.toString(16)}::/48\ndescr:          bulk ${i}\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`,
  ).join('\n');
  const started = performance.now();
  const sent = await fetch(publicUrl('/whois/uploads'), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (sent.status !== 202) throw new Error(`The upload answered ${sent.status}: ${(await sent.text()).slice(0, 300)}`);
  const task = `${address}${sent.headers.get('location')!}`;
  let peak = before;
  let end = { state: '', outcome: '' };
  while (end.state !== 'completed') {
    await wait(200);
    peak = Math.max(peak, memoryOf(program.pid, 'VmRSS') ?? 0);
    const answer = (await (await fetch(task, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      task?: typeof end;
    } & typeof end;
    end = answer.task ?? answer;
    if (performance.now() - started > 600 * SECOND_MS) throw new Error('The task takes more than ten minutes.');
  }
  const took = performance.now() - started;
  return [
    { what: 'portal', value: `${Math.round(portal!)} a second` },
    { what: 'registry API', value: `${Math.round(api!)} a second, ${wrong} wrong in both` },
    { what: 'ratio', value: (api! / portal!).toFixed(2), budget: '0.80, no wrong answer', held: api! / portal! >= 0.8 && wrong === 0 },
    {
      what: `${ITEMS.toLocaleString('en')} objects in one call`,
      value: `${(took / 1000).toFixed(1)} s, ${end.outcome}`,
      budget: 'all written',
      held: end.outcome === 'success',
    },
    {
      what: 'memory that it took',
      value: `${megabytes(peak - before)} over ${megabytes(before)}`,
      budget: '150 MB',
      held: peak - before < 150e6,
    },
  ];
}

/** How long the calls of one key take, alone and while another key makes as many as it may; alternating, because the machine's speed varies. */
async function besideOneAtItsLimit(environment: Record<string, string>, newKey: Tools['newKey']): Promise<Figure[]> {
  await using _program = await startedProgram(environment);
  const [calm, busy] = [await newKey('calm'), await newKey('busy')];
  const calmly = async (during: number): Promise<number> => {
    const took: number[] = [];
    const until = performance.now() + during * SECOND_MS;
    while (performance.now() < until) {
      const from = performance.now();
      const { status } = await fetch(publicUrl(path), { headers: { authorization: `Bearer ${calm}` } });
      if (status !== 200) throw new Error('The calm key was refused.');
      took.push(performance.now() - from);
      // Below its own limit, so that none of its calls is refused.
      await wait((1.3 * SECOND_MS) / LIMIT);
    }
    return percentile(took, 0.5);
  };
  await calmly(2);
  await httpLoad(publicUrl(path), { connections: 8, seconds: 8, token: busy });
  const rounds: { alone: number; beside: number }[] = [];
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await calmly(TURN_SECONDS);
    // Twice its limit, from a separate process. It has used up its initial burst when the other is measured.
    const hammer = httpLoad(publicUrl(path), { connections: 8, seconds: 2 * TURN_SECONDS + 2, token: busy, perSecond: LIMIT * 2 });
    await wait((TURN_SECONDS + 1) * SECOND_MS);
    rounds.push({ alone, beside: await calmly(TURN_SECONDS) });
    refused += (await hammer).wrong;
  }
  const middle = (values: number[]): number => percentile(values, 0.5);
  const ratio = middle(rounds.map(({ alone, beside }) => beside / alone));
  return [
    { what: 'a key alone', value: `p50 ${milliseconds(middle(rounds.map(({ alone }) => alone)))}` },
    {
      what: `beside one at its limit of ${LIMIT} a second, ${ROUNDS} times in turn`,
      value: `p50 ${milliseconds(middle(rounds.map(({ beside }) => beside)))}, ratio ${ratio.toFixed(2)}; ${refused} calls of the other refused`,
      budget: 'ratio 1.10',
      held: ratio <= 1.1,
    },
  ];
}
