import { hashPassword, verifyPassword } from '../../apps/server/src/modules/identity/logins/password.ts';
import { browserAt } from '../../apps/server/test/sign-in-registry.ts';
import { type ThrowawayPostgres, throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { type Bench, milliseconds, percentile } from './figures/bench.ts';
import { startSignIn } from './programs/sign-in-program.ts';
import type { Turns } from './programs/turns.ts';

const aSecond = 50;
const seconds = 10;
const password = 'six wooden boats at noon';
const checks = 20;

/** Processor time of one password check, in ms: what an attacker pays for each guess, and we for each sign-in. */
async function costOfCheck(): Promise<number> {
  const hash = await hashPassword(password);
  await verifyPassword(hash, password);
  const before = process.cpuUsage();
  for (let i = 0; i < checks; i++) await verifyPassword(hash, password);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / checks;
}

type Run = { turns: Turns; signedIn: number; refused: number; took: number[]; seconds: number };

/** People who begin to sign in, so many a second, at a server of their own. */
async function run(server: ThrowawayPostgres, environment: Record<string, string>): Promise<Run> {
  const database = await server.createDatabase();
  try {
    await using program = await startSignIn({
      DATABASE_URL: database.url,
      PEOPLE: String(aSecond * seconds),
      PASSWORD: password,
      REQUIRE_MFA: 'off',
      SIGN_IN_STARTS: '0',
      ...environment,
    });
    const took: number[] = [];
    let refused = 0;
    const signIn = async (person: number): Promise<void> => {
      const from = performance.now();
      const browser = browserAt(program.origin);
      const page = await browser.send(await browser.authorize(), { username: `bench-${person}`, password });
      if (new URL(page.url).searchParams.has('code')) took.push(performance.now() - from);
      else refused++;
    };
    await program.ask('watch');
    const all: Promise<void>[] = [];
    const started = performance.now();
    for (let person = 0; person < aSecond * seconds; person++) {
      const due = started + (person * 1000) / aSecond;
      await new Promise(resolve => setTimeout(resolve, Math.max(0, due - performance.now())));
      all.push(signIn(person));
    }
    await Promise.all(all);
    const { turns } = await program.ask<{ turns: Turns }>('report');
    return { turns, signedIn: took.length, refused, took, seconds: (performance.now() - started) / 1000 };
  } finally {
    await database.drop();
  }
}

const outcome = ({ signedIn, refused, took, seconds: lasted }: Run): string =>
  `${signedIn} of ${aSecond * seconds} in ${lasted.toFixed(1)} s, p50 ${milliseconds(percentile(took, 0.5))}, p95 ${milliseconds(percentile(took, 0.95))}; ${refused} told to come again`;
const loop = ({ p99, longest, computed, waited, blocked }: Turns): string =>
  [
    `computed at most ${milliseconds(computed)} in a turn`,
    ...(waited === null ? [] : [`waited for a processor at most ${milliseconds(waited)}`]),
    `did neither for at most ${milliseconds(blocked)}`,
    `away p99 ${milliseconds(p99)}, longest ${milliseconds(longest)}`,
  ].join('; ');
/** In ms. Delays of the loop that the machine causes without any hashing don't count. */
const longestStall = 50;
const held = (hashing: Turns, control: Turns): boolean =>
  hashing.computed < longestStall && hashing.blocked < Math.max(longestStall, control.blocked);

export const bench: Bench = {
  about: `password checks, and ${aSecond} people who begin to sign in each second for ${seconds} s (page, password, code; PostgreSQL): how long the event loop is away meanwhile; the same once more with hashes that cost nothing`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const cost = await costOfCheck();
    const control = await run(server, { HASHES: 'off' });
    const hashing = await run(server, {});
    return [
      { what: 'processor time of a password check', value: milliseconds(cost) },
      { what: 'signed in', value: outcome(hashing) },
      { what: 'signed in, hashes for nothing', value: outcome(control) },
      { what: 'event loop', value: loop(hashing.turns), budget: `${longestStall} ms of its own`, held: held(hashing.turns, control.turns) },
      { what: 'event loop, hashes for nothing', value: loop(control.turns) },
    ];
  },
};
