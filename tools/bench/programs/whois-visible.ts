import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../apps/server/src/config.ts';
import { mintToken } from '../../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../../apps/server/test/database/throwaway-postgres.ts';
import { type Figure, milliseconds, percentile } from '../figures/bench.ts';
import { address, memoryOf, port, runCommand, startProgram } from './program.ts';

const CHANGES = 120;
const UPLOADED = 10_000;
/** The first creates, the others change what it created. */
const UPLOADS = 6;
const account = 'EXAMPLE-AU';
const second = `http://localhost:${port + 3}`;
const whoisPort = port + 4;

/** Starts a demo registry on PostgreSQL with two web processes, one of whois and one of tasks, each separate. */
async function openRegistry(folder: string) {
  const { server, reason } = await throwawayPostgres();
  if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
  const database = await server.createDatabase();
  const environment = { DATA_DIR: folder, DATABASE_URL: database.url };
  await runCommand(['migrate'], environment);
  await runCommand(['demo', 'load'], environment);
  const db = await openDatabase({ url: database.url });
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const token = await mintToken(db, config, 'tess', { mfa: true });
  const programs = [
    await startProgram({ ...environment, ROLES: 'web' }),
    await startProgram({ ...environment, ROLES: 'web', PORT: String(port + 3), APP_URL: second }),
    await startProgram({ ...environment, ROLES: 'whois', WHOIS_PORT: String(whoisPort) }),
    await startProgram({ ...environment, ROLES: 'worker' }),
  ];
  const call = async <Answer>(way: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${address}/api/${account}/${way}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${way} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    return (await answer.json()) as Answer;
  };
  return {
    call,
    workerPid: programs[3]!.pid,
    [Symbol.asyncDispose]: async () => {
      await db.close();
      for (const program of programs) await program[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

type Outcomes = { outcomes: { state: string; problems: { message: string }[] }[] };
type Task = { state: string; outcome: string; startedAt: string; finishedAt: string; counts: Record<string, number> };

async function whois(query: string): Promise<string> {
  const socket = net.connect({ port: whoisPort, host: '127.0.0.1' });
  socket.write(`${query}\n`);
  return text(socket);
}
const rdap = async (query: string): Promise<string> => (await fetch(`${second}/rdap/${query}`)).text();

/** Polls until the answer contains the text; in ms since `began`. */
async function seen(ask: () => Promise<string>, words: string, began: number): Promise<number> {
  while (!(await ask()).includes(words)) if (performance.now() - began > 60_000) throw new Error(`“${words}” was not seen within a minute`);
  return performance.now() - began;
}

/** From the moment a change is sent to one process until port 43, and RDAP of another process, answer with it. */
async function visible({ call }: Awaited<ReturnType<typeof openRegistry>>): Promise<Figure[]> {
  const key = '198.18.12.0 - 198.18.13.255';
  const own = await call<{ text: string }>(`whois/object?class=inetnum&key=${encodeURIComponent(key)}`);
  const times = { sent: [] as number[], whois: [] as number[], rdap: [] as number[] };
  for (let change = 0; change < CHANGES; change++) {
    const words = `Change ${change} of ${CHANGES}`;
    const changed = own.text.replace(/^descr:.*$/m, `descr:          ${words}`);
    // Queried before, so that a cached answer has to be replaced.
    await Promise.all([whois('198.18.12.9'), rdap('ip/198.18.12.9')]);
    const began = performance.now();
    const sent = call<Outcomes>('whois/updates', { updates: [{ operation: 'modify', text: changed }] }).then(({ outcomes: [outcome] }) => {
      if (outcome?.state !== 'ok') throw new Error(`the change failed: ${JSON.stringify(outcome)}`);
      times.sent.push(performance.now() - began);
    });
    const [atWhois, atRdap] = await Promise.all([
      seen(() => whois('198.18.12.9'), words, began),
      seen(() => rdap('ip/198.18.12.9'), words, began),
      sent,
    ]);
    times.whois.push(atWhois);
    times.rdap.push(atRdap);
  }
  const say = (of: readonly number[]): string => `p50 ${milliseconds(percentile(of, 0.5))}, p99 ${milliseconds(percentile(of, 0.99))}`;
  const figure = (what: string, of: readonly number[]): Figure => ({
    what,
    value: say(of),
    budget: 'p99 1 s',
    held: percentile(of, 0.99) < 1000,
  });
  return [
    { what: `${CHANGES} changes in the portal, answered`, value: say(times.sent) },
    figure('… seen on port 43', times.whois),
    figure('… seen in RDAP of the other process', times.rdap),
  ];
}

/** A text of many objects, uploaded, made a task, worked on, finished; then changed by another one. */
async function uploaded({ call, workerPid }: Awaited<ReturnType<typeof openRegistry>>): Promise<Figure[]> {
  const figures: Figure[] = [];
  const memory = (): number => Math.round((memoryOf(workerPid, 'VmRSS') ?? 0) / 1e6);
  const levels = [memory()];
  const rates: number[] = [];
  for (let round = 0; round < UPLOADS; round++) {
    const body = Array.from(
      { length: UPLOADED },
      (_, n) =>
        `route6:         2001:db8:${(0x4000 + n).toString(16)}::/48\ndescr:          Upload ${round}\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n`,
    ).join('\n');
    const began = performance.now();
    const { taskId } = await call<{ taskId: number }>('whois/uploads', { text: body });
    const accepted = performance.now() - began;
    let task: Task;
    for (task = await call<Task>(`tasks/${taskId}`); task.state !== 'completed'; task = await call<Task>(`tasks/${taskId}`))
      await pause(50);
    const seconds = (performance.now() - began) / 1000;
    const ok = task.counts.ok ?? 0;
    levels.push(memory());
    rates.push(UPLOADED / seconds);
    if (ok !== UPLOADED) throw new Error(`of ${UPLOADED} objects ${ok} were stored: ${JSON.stringify(task)}`);
    if (round > 0) continue;
    figures.push({
      what: `upload of ${UPLOADED.toLocaleString('en')} objects`,
      value: `${milliseconds(accepted)} until it is a task, ${seconds.toFixed(1)} s until all are stored with versions, indexes and letters`,
    });
  }
  const slowest = Math.min(...rates);
  figures.push({
    what: '… once created, then changed again and again',
    value: `${rates.map(rate => Math.round(rate).toLocaleString('en')).join(', ')} objects a second from the call to the end of the task`,
    budget: '1,000',
    held: slowest > 1000,
  });
  const peak = Math.round((memoryOf(workerPid, 'VmHWM') ?? 0) / 1e6);
  figures.push({ what: 'memory of the worker', value: `${levels.join(', ')} MB before and after each, ${peak} MB at most` });
  return figures;
}

/** Measures how long a change takes to become visible, and an upload to finish, with processes as a registry runs them. */
export async function changeFigures(folder: string): Promise<Figure[]> {
  await using registry = await openRegistry(path.join(folder, 'registry'));
  return [...(await visible(registry)), ...(await uploaded(registry))];
}
