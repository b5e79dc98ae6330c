import type { Endpoint } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import { utcDay } from '@portal/contract/days';
import { openApp } from '../../apps/server/src/app.ts';
import { type Config, readConfig } from '../../apps/server/src/config.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { statementsOf } from './data/portal-data.ts';
import { type Bench, type Figure, kilobytes, milliseconds, percentile } from './figures/bench.ts';
import { KnownValues, queriesOf } from './programs/known-values.ts';
import { address, port, runCommand, temporaryFolder } from './programs/program.ts';

/** Who calls: the people of the size, contacts of the demo registry whose account has one of everything, staff, an auditor, and a stranger. */
const callers = ['larissa', 'norbert', 'twyla', 'bianca', 'corin', 'nils', 'hana', 'stella', 'ola', 'audra', null];
/** Budgets of the time on the server, quiet, in ms: 95 % of what members' pages read, each of it, and 95 % of the desk's. */
const MEMBERS_P95_MS = 100;
const MEMBERS_MOST_MS = 300;
const DESK_P95_MS = 200;
/** So many of the slowest are listed, one of each read. */
const MAX_LISTED = 40;

/** The account of a path, and not another parameter whose name begins with it. */
const OF_ACCOUNT = /:account\b/;

type Made = {
  endpoint: Endpoint;
  caller: string | null;
  query: string;
  status: number;
  ms: number;
  statements: number;
  bytes: number;
};

export const bench: Bench = {
  about:
    'each read of the portal as each kind of person, with each filter, column to sort by, last page and a word that finds nothing, one after the other, the second time it is asked: time on the server. On the region that REGION_URL names (registry demo region), else on one of 100 accounts',
  run: async () => {
    const given = process.env.REGION_URL;
    if (given) return await measured(given);
    const { server, reason } = await throwawayPostgres();
    if (!server) return [{ what: 'reads', value: `not measured: ${reason}` }];
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
  const config = readConfig({
    ...process.env,
    PORT: String(port),
    APP_URL: address,
    DEMO: 'on',
    DATABASE_URL: url,
    DATA_DIR: temporary.folder,
  });
  const db = await openDatabase({ url });
  try {
    return figuresOf(await callsOf(db, config));
  } finally {
    await db.close();
  }
}

/** Makes the calls: twice over all of them, because answers of the first time name what the second can ask for. */
async function callsOf(db: Database, config: Config): Promise<{ made: Made[]; never: string[] }> {
  const app = await openApp(openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' }), {
    webFolder: null,
  });
  const reads = allEndpoints.filter(({ method }) => method === 'GET');
  const made = new Map<string, Made>();
  try {
    for (const caller of callers) {
      const token = caller === null ? null : await mintToken(db, config, caller, { mfa: true });
      const headers = { host: new URL(address).host, ...(token !== null && { authorization: `Bearer ${token}` }) };
      const ask = async (path: string) => {
        const started = performance.now();
        const { statusCode, rawPayload, headers: sent } = await app.http.inject({ url: path, headers });
        return {
          status: statusCode,
          ms: performance.now() - started,
          bytes: rawPayload.length,
          body: rawPayload,
          type: String(sent['content-type']),
        };
      };
      const known = new KnownValues();
      const accounts = token === null ? [] : await accountsOf(ask);
      for (const account of accounts) known.add(null, 'accountName', account);
      for (const round of [1, 2])
        for (const endpoint of reads)
          for (const account of OF_ACCOUNT.test(endpoint.path) ? accounts.slice(0, 2) : [null])
            for (const path of addressesOf(endpoint, account, known)) {
              const key = `${caller} ${path}`;
              if (made.has(key)) continue;
              const first = await ask(path);
              if (first.type.startsWith('application/json')) known.note(account, JSON.parse(first.body.toString()));
              // What isn't for this person is measured where it is refused, once.
              if (first.status >= 400 && round === 1) continue;
              let again = first;
              const statements = await statementsOf(async () => void (again = await ask(path)));
              const query = path.split('?')[1] ?? '';
              made.set(key, {
                endpoint,
                caller,
                query,
                status: again.status,
                ms: again.ms,
                statements: statements.length,
                bytes: again.bytes,
              });
            }
    }
  } finally {
    await app.close();
  }
  const answered = new Set([...made.values()].filter(({ status }) => status < 300).map(({ endpoint }) => endpoint.id));
  return { made: [...made.values()], never: reads.map(({ id }) => id).filter(id => !answered.has(id)) };
}

async function accountsOf(ask: (path: string) => Promise<{ body: Buffer }>): Promise<string[]> {
  const { body } = await ask('/api/accounts');
  const answer = JSON.parse(body.toString()) as { accountName: string; accountStatus: string }[];
  return answer.filter(({ accountStatus }) => accountStatus !== 'closed').map(({ accountName }) => accountName);
}

/** Addresses of a call with what is known: the first value of each parameter in each of its queries, and the others in the plain one. */
function addressesOf(endpoint: Endpoint, account: string | null, known: KnownValues): string[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter(name => name !== 'account');
  const valuesOf = (name: string): string[] => [
    ...known.of(account, name),
    ...(account === null ? [] : known.of(null, name)),
    ...usual(name),
  ];
  const choices = names.map(valuesOf);
  if (choices.some(values => values.length === 0)) return [];
  const queries = queriesOf(endpoint, valuesOf);
  if (queries === null) return [];
  const withParams = (at: number): string =>
    names.reduce(
      (path, name, place) =>
        path.replace(new RegExp(`:${name}\\b`), encodeURIComponent(choices[place]![Math.min(at, choices[place]!.length - 1)]!)),
      endpoint.path.replace(OF_ACCOUNT, encodeURIComponent(account ?? '')),
    );
  const ask = (path: string, query: URLSearchParams): string => (query.size === 0 ? path : `${path}?${query.toString()}`);
  const most = Math.max(1, ...choices.map(({ length }) => length));
  return [
    ...queries.map(query => ask(withParams(0), query)),
    ...Array.from({ length: most - 1 }, (_, at) => ask(withParams(at + 1), queries[0]!)),
  ];
}

/** Values of names that no answer has. */
function usual(name: string): string[] {
  const values: Readonly<Record<string, string>> = {
    q: 'example',
    name: 'example',
    text: 'example',
    prefix: '198.18.0.0/24',
    within: '198.18.0.0/16',
    resource: '198.18.0.0/24',
    zone: '0.18.198.in-addr.arpa',
    class: 'inetnum',
    key: '198.18.0.0 - 198.18.255.255',
    asn: '64500',
    address: '198.18.0.1',
    day: utcDay(Date.now()),
    month: utcDay(Date.now()).slice(0, 7),
  };
  return values[name] === undefined ? [] : [values[name]];
}

/** The slowest call of each read, the slowest first. */
const slowestOfEach = (calls: readonly Made[]): Made[] =>
  [...Map.groupBy(calls, ({ endpoint }) => endpoint.id).values()]
    .map(same => same.reduce((slowest, each) => (each.ms > slowest.ms ? each : slowest)))
    .sort((a, b) => b.ms - a.ms);

function figuresOf({ made, never }: { made: readonly Made[]; never: readonly string[] }): Figure[] {
  const right = made.filter(({ status }) => status < 300);
  const broken = made.filter(({ status }) => status >= 500);
  const ofDesk = ({ endpoint }: Made): boolean => endpoint.access.who === 'staff';
  // A file is saved by a person, not shown by a page: all its rows are made, for members with the most some 27,000.
  const isFile = ({ endpoint }: Made): boolean => endpoint.answer === 'download';
  const summary = (what: string, calls: readonly Made[], p95?: number, most?: number): Figure => {
    const times = calls.map(({ ms }) => ms);
    const slowest = Math.max(...times);
    return {
      what,
      value: `${calls.length} calls, p50 ${milliseconds(percentile(times, 0.5))}, p95 ${milliseconds(percentile(times, 0.95))}, slowest ${milliseconds(slowest)}, ${Math.max(...calls.map(({ statements }) => statements))} statements at most`,
      ...(p95 !== undefined && {
        budget: `p95 ${p95} ms${most === undefined ? '' : `, none over ${most} ms`}`,
        held: percentile(times, 0.95) <= p95 && (most === undefined || slowest <= most),
      }),
    };
  };
  const one = ({ endpoint, caller, query, ms, statements, bytes, status }: Made): Figure => ({
    what: `${endpoint.id}${query === '' ? '' : `?${query}`}`,
    value: `${caller ?? 'anyone'}: ${status}, ${milliseconds(ms)}, ${statements} statements, ${kilobytes(bytes)}`,
  });
  return [
    summary(
      'reads of members',
      right.filter(call => !ofDesk(call) && !isFile(call)),
      MEMBERS_P95_MS,
      MEMBERS_MOST_MS,
    ),
    summary(
      'files of members, made whole',
      right.filter(call => !ofDesk(call) && isFile(call)),
    ),
    summary('reads and files of the desk', right.filter(ofDesk), DESK_P95_MS),
    { what: 'answers of 500 and more', value: String(broken.length), budget: '0', held: broken.length === 0 },
    ...broken.map(one),
    { what: 'reads to which no answer led', value: never.length === 0 ? 'none' : `${never.length}: ${never.join(', ')}` },
    ...slowestOfEach(right).slice(0, MAX_LISTED).map(one),
  ];
}
