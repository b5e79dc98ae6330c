import { createRequire } from 'node:module';
import path from 'node:path';
import { throwawayPostgres } from '../../apps/server/test/throwaway-postgres.ts';
import { root } from '../root.ts';
import { type Bench, type Figure, milliseconds } from './bench.ts';
import { httpLoad, type Load } from './http-load.ts';
import { startSignIn } from './sign-in-program.ts';

type Autocannon = (options: {
  url: string;
  connections: number;
  amount: number;
  requests: { method: 'POST'; headers: Record<string, string>; setupRequest: (request: object) => object }[];
}) => PromiseLike<{ latency: { p50: number; p99: number }; '2xx': number }>;
const autocannon = createRequire(path.join(root, 'package.json'))('autocannon') as Autocannon;

const CODES = 2500;
const WARM = 500;
/** Codes the load program takes and does not send: one or two for each connection. */
const SPARE = 64;
const connections = 16;
const goal = 0.6;
const verifier = 'v'.repeat(43);

/** Buys a token for each code, once. */
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
    requests: [{ method: 'POST', headers, setupRequest }],
  });
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: amount / seconds, p50: report.latency.p50, p99: report.latency.p99, wrong: amount - report['2xx'] };
}

type Measured = { token: Load; discovery: Load; cost: number };

async function measure(environment: Record<string, string>): Promise<Measured> {
  await using server = await startSignIn({ CODES: String(CODES + WARM + 2 * SPARE), VERIFIER: verifier, ...environment });
  const codes = await server.ask<string[]>('codes');
  await buy(server.origin, codes.slice(0, WARM + SPARE));
  const before = await server.ask<NodeJS.CpuUsage>('watch');
  const token = await buy(server.origin, codes.slice(WARM + SPARE));
  const { cpu } = await server.ask<{ cpu: NodeJS.CpuUsage }>('report');
  const cost = (cpu.user + cpu.system - before.user - before.system) / 1000 / CODES;
  const url = `${server.origin}/oidc/.well-known/openid-configuration`;
  await httpLoad(url, { connections, seconds: 1 });
  return { token, cost, discovery: await httpLoad(url, { connections, seconds: 5 }) };
}

const inWords = ({ perSecond, p50, p99, wrong }: Load): string =>
  `${Math.round(perSecond)} a second, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, ${wrong} wrong`;

export const bench: Bench = {
  about: `the provider’s token endpoint (${CODES} codes, PKCE, an RS256 identity token each) and its description, ${connections} connections, in a process of its own; against nothing but oidc-provider with a Map for an adapter`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const bare = await measure({ BARE: 'yes' });
    const database = await server.createDatabase();
    const postgres = await (async () => {
      try {
        return await measure({ DATABASE_URL: database.url });
      } finally {
        await database.drop();
      }
    })();
    const embedded = await measure({ DATABASE_URL: 'memory://' });
    const figures: Figure[] = [];
    for (const what of ['token', 'discovery'] as const) {
      figures.push({ what: `${what}, bare`, value: inWords(bare[what]) });
      for (const [name, measured] of [
        ['PostgreSQL', postgres],
        ['embedded', embedded],
      ] as const) {
        const ratio = measured[what].perSecond / bare[what].perSecond;
        figures.push({
          what: `${what}, ${name}`,
          value: `${inWords(measured[what])}; ${ratio.toFixed(2)} of bare`,
          budget: `${goal.toFixed(2)}, no wrong answer`,
          held: ratio >= goal && measured[what].wrong === 0,
        });
      }
    }
    // Says more than the rate where other programs run beside.
    figures.push({
      what: 'processor time a token',
      value: `bare ${milliseconds(bare.cost)}, PostgreSQL ${milliseconds(postgres.cost)} (without its server), embedded ${milliseconds(embedded.cost)}`,
    });
    return figures;
  },
};
