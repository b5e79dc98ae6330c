import { createRequire } from 'node:module';
import path from 'node:path';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { root } from '../root.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import type { Load } from './programs/http-load.ts';
import { type SignInProgram, startSignIn } from './programs/sign-in-program.ts';

type Autocannon = (options: {
  url: string;
  connections: number;
  amount?: number;
  duration?: number;
  /** Interval, in ms, at which it checks whether it is done. */
  sampleInt?: number;
  requests?: { method: 'POST'; headers: Record<string, string>; setupRequest: (request: object) => object }[];
}) => PromiseLike<{ requests: { average: number }; latency: { p50: number; p99: number }; '2xx': number; non2xx: number; errors: number }>;
const autocannon = createRequire(path.join(root, 'package.json'))('autocannon') as Autocannon;

/** Rounds in turn, each server a second or less: other load on the machine then affects all of them equally. */
const ROUNDS = 7;
const CODES = 480;
const WARM = 960;
/** Codes the load program takes and does not send: one or two for each connection. */
const SPARE = 64;
const connections = 16;
const goal = 0.6;
const verifier = 'v'.repeat(43);

/** Redeems each code once. */
async function buy(origin: string, codes: readonly string[]): Promise<Load> {
  const amount = codes.length - SPARE;
  let next = 0;
  const setupRequest = (request: object): object => ({
    ...request,
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'portal',
      code: codes[next++] ?? 'no more',
      code_verifier: verifier,
      redirect_uri: `${origin}/auth-callback`,
    }).toString(),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const started = performance.now();
  const report = await autocannon({
    url: `${origin}/oidc/token`,
    connections,
    amount,
    sampleInt: 10,
    requests: [{ method: 'POST', headers, setupRequest }],
  });
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: amount / seconds, p50: report.latency.p50, p99: report.latency.p99, wrong: amount - report['2xx'] };
}

async function describe(origin: string): Promise<Load> {
  const report = await autocannon({ url: `${origin}/oidc/.well-known/openid-configuration`, connections, duration: 1 });
  return { perSecond: report.requests.average, p50: report.latency.p50, p99: report.latency.p99, wrong: report.non2xx + report.errors };
}

/** A server under measurement; `cost` is its processor time a token, in ms. */
class Measured {
  readonly #server: SignInProgram;
  readonly #codes: string[];
  readonly token: Load[] = [];
  readonly discovery: Load[] = [];
  readonly cost: number[] = [];

  constructor(server: SignInProgram, codes: string[]) {
    this.#server = server;
    this.#codes = codes;
  }

  async warmUp(): Promise<void> {
    await buy(this.#server.origin, this.#codes.splice(0, WARM + SPARE));
    await describe(this.#server.origin);
  }

  async round(): Promise<void> {
    const before = await this.#server.ask<NodeJS.CpuUsage>('watch');
    this.token.push(await buy(this.#server.origin, this.#codes.splice(0, CODES + SPARE)));
    const { cpu } = await this.#server.ask<{ cpu: NodeJS.CpuUsage }>('report');
    this.cost.push((cpu.user + cpu.system - before.user - before.system) / 1000 / CODES);
    this.discovery.push(await describe(this.#server.origin));
  }
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

function inWords(loads: readonly Load[]): string {
  const middle = (of: (load: Load) => number): number => median(loads.map(of));
  const wrong = loads.reduce((sum, load) => sum + load.wrong, 0);
  return `${Math.round(middle(load => load.perSecond))} a second, p50 ${milliseconds(middle(load => load.p50))}, p99 ${milliseconds(middle(load => load.p99))}, ${wrong} wrong`;
}

export const bench: Bench = {
  about: `the provider’s token endpoint (${ROUNDS} rounds of ${CODES} codes, PKCE, an identity token with the same claims each) and its description, ${connections} connections, in a process of its own; against nothing but oidc-provider with a Map for an adapter and its usual RS256, in turn with it; medians of the rounds`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const database = await server.createDatabase();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => database.drop());
    let place = 0;
    const start = async (environment: Record<string, string>): Promise<Measured> => {
      const codes = WARM + SPARE + ROUNDS * (CODES + SPARE);
      const program = stack.use(await startSignIn({ CODES: String(codes), VERIFIER: verifier, ...environment }, { place: place++ }));
      return new Measured(program, await program.ask<string[]>('codes'));
    };
    const onPostgres = { DATABASE_URL: database.url };
    const onEmbedded = { DATABASE_URL: 'memory://' };
    const bare = await start({ BARE: 'yes' });
    const [postgres, embedded] = [await start(onPostgres), await start(onEmbedded)];
    // The difference when both use the same signature algorithm.
    const rs256 = { ID_TOKEN_ALGS: 'RS256' };
    const [postgresRs256, embeddedRs256] = [await start({ ...onPostgres, ...rs256 }), await start({ ...onEmbedded, ...rs256 })];
    const all = [bare, postgres, embedded, postgresRs256, embeddedRs256];
    for (const measured of all) await measured.warmUp();
    for (let round = 0; round < ROUNDS; round++) for (const measured of all) await measured.round();

    const ratioTo = (measured: Measured, what: 'token' | 'discovery'): number =>
      median(measured[what].map(({ perSecond }, round) => perSecond / bare[what][round]!.perSecond));
    const figures: Figure[] = [];
    for (const what of ['token', 'discovery'] as const) {
      figures.push({ what: `${what}, bare`, value: inWords(bare[what]) });
      for (const [name, measured] of [
        ['PostgreSQL', postgres],
        ['embedded', embedded],
      ] as const) {
        const ratio = ratioTo(measured, what);
        figures.push({
          what: `${what}, ${name}`,
          value: `${inWords(measured[what])}; ${ratio.toFixed(2)} of bare`,
          budget: `${goal.toFixed(2)}, no wrong answer`,
          held: ratio >= goal && measured[what].every(({ wrong }) => wrong === 0),
        });
      }
    }
    for (const [name, measured] of [
      ['PostgreSQL', postgresRs256],
      ['embedded', embeddedRs256],
    ] as const) {
      const ratio = ratioTo(measured, 'token');
      figures.push({
        what: `token, ${name}, signed with RS256 too`,
        value: `${inWords(measured.token)}; ${ratio.toFixed(2)} of bare`,
        budget: `${goal.toFixed(2)}, no wrong answer`,
        held: ratio >= goal && measured.token.every(({ wrong }) => wrong === 0),
      });
    }
    // Compared to the rate, this is less affected by other programs.
    figures.push({
      what: 'processor time a token',
      value: `bare ${milliseconds(median(bare.cost))}, PostgreSQL ${milliseconds(median(postgres.cost))} (without its server), embedded ${milliseconds(median(embedded.cost))}; with RS256 ${milliseconds(median(postgresRs256.cost))} and ${milliseconds(median(embeddedRs256.cost))}`,
    });
    return figures;
  },
};
