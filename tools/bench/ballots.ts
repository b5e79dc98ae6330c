import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { openApp } from '../../apps/server/src/app.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { handOverAddress, ownBallots } from '../../apps/server/src/modules/elections/hand-over.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { throwawayPostgres } from '../../apps/server/test/database/throwaway-postgres.ts';
import { castForm, ownSlip } from '../../apps/server/test/plain-ballot.ts';
import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { address, port, runCommand, temporaryFolder } from './programs/program.ts';

const voters = 8000;
const connections = 12;
const budget = 200;

export const bench: Bench = {
  about: `${voters.toLocaleString('en')} ballots of as many accounts, cast over ${connections} connections by the form of the registry’s own ballots: signature, transaction, activity line and page included; portal, PostgreSQL and voters share this machine; the server writes without fsync`,
  run: async () => {
    const { server, reason } = await throwawayPostgres();
    if (!server) return [{ what: 'PostgreSQL', value: `not measured: ${reason}` }];
    const database = await server.createDatabase();
    try {
      return await measure(database.url);
    } finally {
      await database.drop();
    }
  },
};

async function measure(url: string): Promise<Figure[]> {
  await using temporary = temporaryFolder();
  const environment = { DATA_DIR: temporary.folder, DATABASE_URL: url };
  await runCommand(['migrate'], environment);
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment });
  const db = await openDatabase({ url: config.database });
  // An election and its voters as they are once voting is open.
  const election = await db.change({ action: 'bench', summary: 'Bench', traceId: '0'.repeat(32) }, async change => {
    const run = async <Row>(text: string): Promise<Row[]> => (await change.executeQuery<Row>({ sql: text, parameters: [] } as never)).rows;
    await run(`insert into account (account_name, org_name, economy, account_type, account_status, nir, member_since)
      select 'MEMBER-' || n, 'Member ' || n, 'AU', 'regular', 'open', false, '2020-01-01' from generate_series(1, ${voters}) n`);
    const [made] = await run<{
      electionId: string;
    }>(`insert into election (kind, title, seats, max_selections, time_zone, state, created_at, published_at)
      values ('ec', 'Council', 3, 3, 'UTC', 'published', now(), now()) returning election_id::text`);
    const id = Number(made!.electionId);
    await run(
      `insert into election_window (election_id, kind, opens_at, closes_at) values (${id}, 'member-vote', now() - interval '1 hour', now() + interval '1 day')`,
    );
    await run(`insert into election_option (election_id, place, name) select ${id}, n, 'Candidate ' || n from generate_series(1, 7) n`);
    await run(`insert into ballot_session (election_id, generation, account_name, cast_as, voter_name, votes, opened_at, expires_at)
      select ${id}, 1, account_name, 'member', 'Voter', 4, now(), now() + interval '30 minutes' from account where account_name like 'MEMBER-%'`);
    return id;
  });
  const own = ownBallots(config);
  const { rows: handed } = await db.pool.query<{ voter: string }>('select voter_id as voter from ballot_session order by voter_id');
  const expiresAt = instantAfter(Date.now(), HOUR_MS / 2);
  const ballots = handed.map(({ voter }) => {
    const { pathname, search } = new URL(
      handOverAddress(own.url, own.secret, { voter, votes: 4, electionId: String(election), generation: 1, expiresAt }),
    );
    return pathname + search;
  });
  await db.pool.query('analyze');
  const app = await openApp(openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench' }), {
    webFolder: null,
  });
  const took: number[] = [];
  const { host } = new URL(address);
  try {
    const started = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let path = ballots.pop(); path !== undefined; path = ballots.pop()) {
          const from = performance.now();
          const answer = await app.http.inject({
            method: 'POST',
            url: path,
            headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
            payload: castForm(ownSlip(config, path), [1, 5]),
          });
          if (answer.statusCode !== 200) throw new Error(`A ballot was answered ${answer.statusCode}: ${answer.body}`);
          took.push(performance.now() - from);
        }
      }),
    );
    const perSecond = took.length / ((performance.now() - started) / 1000);
    const { rows: kept } = await db.pool.query<{ count: number }>('select count(*)::int as count from ballots.ballot');
    return [
      { what: 'ballots cast a second', value: perSecond.toFixed(0), budget: `${budget}`, held: perSecond >= budget },
      { what: 'one ballot', value: `p50 ${milliseconds(percentile(took, 0.5))}, p99 ${milliseconds(percentile(took, 0.99))}` },
      { what: 'ballots stored', value: String(kept[0]!.count), budget: String(voters), held: kept[0]!.count === voters },
    ];
  } finally {
    await app.close();
    await db.close();
  }
}
