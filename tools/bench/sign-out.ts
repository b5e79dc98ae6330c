import { browserAt, fetchCaller } from '../../apps/server/test/sign-in-registry.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { type Bench, milliseconds, percentile } from './figures/bench.ts';
import { startSignIn } from './programs/sign-in-program.ts';

const rounds = 20;
const password = 'six wooden boats at noon';

export const bench: Bench = {
  about: `from the click that signs out at one web process to the end of the session at another, both on one PostgreSQL, ${rounds} times: the API refuses its bearer, a listening tab gets the event`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) throw new Error(`this needs PostgreSQL: ${reason}`);
    const database = await server.createDatabase();
    try {
      const environment = {
        DATABASE_URL: database.url,
        PEOPLE: String(rounds),
        PASSWORD: password,
        REQUIRE_MFA: 'off',
        SIGN_IN_STARTS: '0',
      };
      await using one = await startSignIn(environment);
      await using two = await startSignIn(environment, { place: 1, beside: 0 });
      const refused: number[] = [];
      const notified: number[] = [];
      for (let person = 0; person < rounds; person++) {
        const browser = browserAt(one.origin);
        const begun = await browser.authorize();
        const page = await browser.send(begun, { username: `bench-${person}`, password });
        const { id_token: token } = (await (await browser.redeem(page.url, begun.verifier)).json()) as { id_token: string };
        if ((await fetchCaller(two.origin, token)).status !== 200) throw new Error('The other process does not know the session.');
        const stream = await fetch(`${two.origin}/api/session-events`, { headers: { authorization: `Bearer ${token}` } });
        const query = new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: `${one.origin}/` });
        const confirmation = await browser.open(`/oidc/session/end?${query.toString()}`);
        const from = performance.now();
        const heard = stream.text().then(text => {
          if (!text.includes('event: signed-out')) throw new Error(`The stream ended with "${text}".`);
          notified.push(performance.now() - from);
        });
        const asked = (async () => {
          while ((await fetchCaller(two.origin, token)).status === 200);
          refused.push(performance.now() - from);
        })();
        await browser.send(confirmation, { logout: 'yes' });
        await Promise.all([heard, asked]);
      }
      return [['refused by the API', refused] as const, ['told to the tab', notified] as const].map(([what, took]) => ({
        what,
        value: `p50 ${milliseconds(percentile(took, 0.5))}, slowest ${milliseconds(Math.max(...took))}`,
        budget: '1 s',
        held: Math.max(...took) < 1000,
      }));
    } finally {
      await database.drop();
    }
  },
};
