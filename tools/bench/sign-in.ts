import { hashPassword, verifyPassword } from '../../apps/server/src/modules/identity/password.ts';
import { browserAt } from '../../apps/server/test/sign-in-registry.ts';
import { throwawayPostgres } from '../../apps/server/test/throwaway-postgres.ts';
import { type Bench, milliseconds, percentile } from './bench.ts';
import { startSignIn } from './sign-in-program.ts';

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

export const bench: Bench = {
  about: `password checks, and ${aSecond} people who begin to sign in each second for ${seconds} s (page, password, code; PostgreSQL): how long the event loop is held up meanwhile`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const cost = await costOfCheck();
    const database = await server.createDatabase();
    try {
      await using program = await startSignIn({
        DATABASE_URL: database.url,
        PEOPLE: String(aSecond * seconds),
        PASSWORD: password,
        REQUIRE_MFA: 'off',
      });
      const took: number[] = [];
      const outcomes = { signedIn: 0, refused: 0 };
      const signIn = async (person: number): Promise<void> => {
        const from = performance.now();
        const browser = browserAt(program.origin);
        const page = await browser.send(await browser.authorize(), { username: `bench-${person}`, password });
        if (new URL(page.url).searchParams.has('code')) {
          outcomes.signedIn++;
          took.push(performance.now() - from);
        } else outcomes.refused++;
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
      const lasted = (performance.now() - started) / 1000;
      const { maxMs, p99Ms } = await program.ask<{ maxMs: number; p99Ms: number }>('report');
      return [
        { what: 'processor time of a password check', value: milliseconds(cost) },
        {
          what: 'signed in',
          value: `${outcomes.signedIn} of ${aSecond * seconds} in ${lasted.toFixed(1)} s, p50 ${milliseconds(percentile(took, 0.5))}, p95 ${milliseconds(percentile(took, 0.95))}; ${outcomes.refused} told to come again`,
        },
        {
          what: 'event loop held up',
          value: `p99 ${milliseconds(p99Ms)}, longest ${milliseconds(maxMs)}`,
          budget: '50 ms',
          held: maxMs < 50,
        },
      ];
    } finally {
      await database.drop();
    }
  },
};
