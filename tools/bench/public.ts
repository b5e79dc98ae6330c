import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { root } from '../root.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import type { PublicLoad, PublicQuestion } from './programs/public-load.ts';
import { address, port, runCommand, settled, startProgram, temporaryFolder } from './programs/program.ts';

const PER_SECOND = Number(process.env.BENCH_PER_SECOND ?? 200);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** Budgets of 95 of 100 questions of strangers and reads of members, in ms. */
const STRANGERS_P95_MS = 150;
const MEMBERS_P95_MS = 100;
/** Objects of each class that are asked for. */
const OBJECTS = 400;
const whoisPort = port + 1;

/** Reads of members while strangers ask: what a few dozen people need who work at the same time. */
const reads = ['/home', '/contacts', '/routes?limit=50', '/tickets?limit=20', '/movable-resources', '/billing'];
const MEMBERS_PER_SECOND = 20;

export const bench: Bench = {
  about: `${PER_SECOND} questions of strangers a second for ${SECONDS} s, by page, text, JSON, RDAP, search and port 43, while members read ${MEMBERS_PER_SECOND} times a second; one process, PostgreSQL and the strangers on the same processors. On the region that REGION_URL names (registry demo region), else on one of 100 accounts`,
  run: async () => {
    const given = process.env.REGION_URL;
    if (given) return await measured(given);
    const { server, reason } = await throwawayPostgres();
    if (!server) return [{ what: 'questions', value: `not measured: ${reason}` }];
    await using temporary = temporaryFolder();
    const database = await server.createDatabase();
    try {
      await runCommand(['demo', 'region'], { DATA_DIR: temporary.folder, DATABASE_URL: database.url });
      return await measured(database.url);
    } finally {
      await database.drop();
    }
  },
};

async function measured(url: string): Promise<Figure[]> {
  await using temporary = temporaryFolder();
  const environment = {
    DATA_DIR: temporary.folder,
    DATABASE_URL: url,
    DEMO: 'on',
    ROLES: 'web,whois',
    WHOIS_PORT: String(whoisPort),
    WHOIS_TRUSTED_PROXIES: '127.0.0.1',
    BEHIND_PROXY: 'yes',
  };
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, ...environment });
  const db = await openDatabase({ url });
  const questions = path.join(temporary.folder, 'questions.json');
  const tokens: string[] = [];
  try {
    await writeFile(questions, JSON.stringify(await questionsOf(db)));
    for (const person of ['corin', 'nils', 'hana', 'larissa']) tokens.push(await mintToken(db, config, person, { mfa: true }));
  } finally {
    await db.close();
  }
  await using program = await startProgram(environment);
  await settled(program.pid);
  const accounts = await Promise.all(tokens.map(firstAccount));
  const members = (until: AbortSignal): Promise<number[]> => readAsMembers(tokens, accounts, until);
  // Statements are planned and pages compiled, as on any other day.
  await loadOf(questions, 3);
  await during(loadOf(questions, 3), members);
  const alone = await during(pause(SECONDS * SECOND_MS), members);
  const beside = await during(loadOf(questions, SECONDS), members);
  const [all, ...kinds] = beside.answer!;
  return [
    {
      what: 'all questions',
      value: `${milliseconds(all!.p50)} at the median, ${milliseconds(all!.p95)} for 95 of 100, of ${all!.asked}; ${all!.failures} not answered`,
      budget: `${STRANGERS_P95_MS} ms for 95 of 100, all answered`,
      held: all!.p95 <= STRANGERS_P95_MS && all!.failures === 0,
    },
    ...kinds.map(({ kind, p50, p95, asked, failures }) => ({
      what: kind,
      value: `${milliseconds(p50)}, ${milliseconds(p95)} of ${asked}${failures > 0 ? `; ${failures} not answered` : ''}`,
    })),
    {
      what: 'reads of members, alone',
      value: `${milliseconds(percentile(alone.took, 0.5))}, ${milliseconds(percentile(alone.took, 0.95))}`,
    },
    {
      what: 'reads of members, beside the questions',
      value: `${milliseconds(percentile(beside.took, 0.5))}, ${milliseconds(percentile(beside.took, 0.95))} of ${beside.took.length}`,
      budget: `${MEMBERS_P95_MS} ms for 95 of 100`,
      held: percentile(beside.took, 0.95) <= MEMBERS_P95_MS,
    },
  ];
}

/** Questions about what is there, of all kinds in turn. */
async function questionsOf(db: Database): Promise<PublicQuestion[]> {
  const keysOf = async (name: string): Promise<string[]> =>
    (
      await db.read.rows<{ shown: string }>(
        sql`select shown from whois_object where class = ${name} and object_id % greatest((select count(*) from whois_object where class = ${name}) / ${OBJECTS}, 1) = 0 limit ${OBJECTS}`,
      )
    ).map(({ shown }) => shown);
  const [blocks, longer, numbers, routes, organisations] = await Promise.all(
    ['inetnum', 'inet6num', 'aut-num', 'route', 'organisation'].map(keysOf),
  );
  const addressIn = (block: string): string => block.split(/[\s/-]/)[0]!;
  const page = (key: string): string => `/whois/${encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
  const kinds: readonly (readonly [kind: string, keys: readonly string[], of: (key: string) => { path: string } | { line: string }])[] = [
    ['page of an address', blocks!, key => ({ path: page(addressIn(key)) })],
    ['page of an IPv6 prefix', longer!, key => ({ path: page(key) })],
    ['page of an AS number', numbers!, key => ({ path: page(key) })],
    ['text', blocks!, key => ({ path: `/whois/query?q=${addressIn(key)}` })],
    ['RDAP of an address', blocks!, key => ({ path: `/rdap/ip/${addressIn(key)}` })],
    ['RDAP of an AS number', numbers!, key => ({ path: `/rdap/autnum/${key.slice(2)}` })],
    ['search by name', organisations!, key => ({ path: `/whois/search?q=${encodeURIComponent(key)}` })],
    ['port 43, address', blocks!, key => ({ line: addressIn(key) })],
    ['port 43, route', routes!, key => ({ line: `-T route ${addressIn(key)}` })],
    ['port 43, AS number', numbers!, key => ({ line: key })],
  ];
  const filled = kinds.filter(([, keys]) => keys.length > 0);
  return Array.from({ length: OBJECTS }, (_, turn) =>
    filled.map(([kind, keys, of]): PublicQuestion => ({ kind, ...of(keys[turn % keys.length]!) })),
  ).flat();
}

async function loadOf(questions: string, seconds: number): Promise<PublicLoad[]> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path.join(root, 'tools/bench/programs/public-load.ts')], {
    env: {
      ...process.env,
      QUESTIONS: questions,
      ADDRESS: address,
      WHOIS_PORT: String(whoisPort),
      PER_SECOND: String(PER_SECOND),
      SECONDS: String(seconds),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return JSON.parse(output) as PublicLoad[];
}

async function firstAccount(token: string): Promise<string> {
  const answer = await fetch(`${address}/api/accounts`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { accountName: string }[])[0]!.accountName;
}

/** Does something while members read, and returns how long their reads took, in ms. */
async function during<Answer>(
  work: Promise<Answer>,
  members: (until: AbortSignal) => Promise<number[]>,
): Promise<{ answer: Answer; took: number[] }> {
  const end = new AbortController();
  const reading = members(end.signal);
  const answer = await work;
  end.abort();
  return { answer, took: await reading };
}

async function readAsMembers(tokens: readonly string[], accounts: readonly string[], until: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  const waiting: Promise<void>[] = [];
  for (let number = 0; !until.aborted; number++) {
    const who = number % tokens.length;
    const url = `${address}/api/${accounts[who]}${reads[Math.floor(number / tokens.length) % reads.length]}`;
    const began = performance.now();
    waiting.push(
      fetch(url, { headers: { authorization: `Bearer ${tokens[who]}` } }).then(async answer => {
        await answer.arrayBuffer();
        if (answer.status >= 500) throw new Error(`${url} answered ${answer.status}`);
        took.push(performance.now() - began);
      }),
    );
    await pause(SECOND_MS / MEMBERS_PER_SECOND);
  }
  await Promise.all(waiting);
  return took;
}
