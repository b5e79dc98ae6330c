import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { readConfig } from '../../apps/server/src/config.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { type Bench, type Figure, megabytes, milliseconds, percentile } from './figures/bench.ts';
import { readHeavily, type Reader } from './programs/heavy-readers.ts';
import { probe } from './programs/probe.ts';
import { address, memoryOf, port, settled, startProgram, temporaryFolder } from './programs/program.ts';
import { onRegion } from './programs/region.ts';

const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 200);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30);
/** Budget of the pages of others and of `/healthz`, at the median, in ms. */
const MEDIAN_MS = 100;
/** Reads of each connection: pages of its account, and files and lists that cost most. */
const heavy = [
  '/home',
  '/routes?limit=50',
  '/whois/objects-export?format=csv',
  '/routes/suggestions',
  '/routes/export?format=csv',
  '/reverse-dns/zones?limit=50',
  '/whois/download?format=json',
  '/activities?limit=50',
];
/** Text of a submission of about 100 KB, as one member sends again and again. */
const objects = (round: number): string =>
  Array.from(
    { length: 400 },
    (_, number) =>
      `route6: 2001:db8:${((round * 400 + number) % 65_536).toString(16)}::/48\ndescr: a long description of a network that says what it is for, ${round} ${number}\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`,
  ).join('\n');

export const bench: Bench = {
  about: `${CONNECTIONS} connections that read all the time, as members with most resources, and a member who uploads whois texts one after the other: what /healthz and the pages of someone else take. One process, PostgreSQL and those who ask on the same processors. On a copy of the region that REGION_URL names, else on a region of 100 accounts`,
  run: () => onRegion(measured, 'fairness'),
};

async function measured(url: string): Promise<Figure[]> {
  await using temporary = temporaryFolder();
  const environment = { DATA_DIR: temporary.folder, DATABASE_URL: url, DEMO: 'on' };
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, ...environment });
  const db = await openDatabase({ url });
  const readers: Reader[] = [];
  const [tess, corin] = await Promise.all(['tess', 'corin'].map(person => mintToken(db, config, person, { mfa: true })));
  try {
    const people = await db.read.rows<{ username: string; accountName: string }>(sql`
      select distinct on (l.username) l.username, c.account_name from contact c join login l using (login_id)
        join (select account_name, count(*) as n from delegation where status <> 'closed' group by 1 order by 2 desc limit ${2 * CONNECTIONS}) d using (account_name)
      where c.status = 'active' and not l.staff order by l.username limit ${CONNECTIONS}`);
    // Tokens are made for demo people only; this is a copy.
    await db.change({ action: 'bench', summary: 'Made readers', traceId: '0'.repeat(32) }, change =>
      change.rows(
        sql`update login set demo_role = coalesce(demo_role, 'Reader') where username = any(${people.map(({ username }) => username)}::text[])`,
      ),
    );
    for (const { username, accountName } of people)
      readers.push({
        token: await mintToken(db, config, username, { mfa: true }),
        urls: heavy.map(path => `${address}/api/${accountName}${path}`),
      });
  } finally {
    await db.close();
  }
  await using program = await startProgram(environment);
  const pages = `${address}/api/EXAMPLE-AU/home`;
  const asCorin = { authorization: `Bearer ${corin}` };
  const others = async (seconds: number): Promise<{ health: number[]; page: number[] }> => {
    const [endHealth, endPage] = [probe(`${address}/healthz`, {}), probe(pages, asCorin)];
    await pause(seconds * SECOND_MS);
    const [health, page] = await Promise.all([endHealth(), endPage()]);
    return { health, page };
  };
  await settled(program.pid);
  await others(5);
  const alone = await others(10);
  const endReading = readHeavily(readers);
  const uploads = { isOver: false, done: 0, refused: 0 };
  const uploading = (async () => {
    for (let round = 0; !uploads.isOver; round++) {
      const answer = await fetch(`${address}/api/EXAMPLE-AU/whois/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tess}`,
          'content-type': 'application/json',
          'idempotency-key': `fairness-${process.pid}-${round}`,
        },
        body: JSON.stringify({ text: objects(round), dryRun: false }),
      });
      await answer.arrayBuffer();
      if (answer.ok) uploads.done++;
      else {
        uploads.refused++;
        await pause(Number(answer.headers.get('retry-after') ?? 1) * SECOND_MS);
      }
    }
  })();
  await pause(5 * SECOND_MS);
  const beside = await others(SECONDS);
  uploads.isOver = true;
  const read = await endReading();
  await uploading;
  const peak = memoryOf(program.pid, 'VmHWM') ?? Number.NaN;
  const failed = Object.entries(read.statuses).filter(([status]) => status.startsWith('5') && status !== '503');
  return [
    ...(['health', 'page'] as const).map(
      (what): Figure => ({
        what: what === 'health' ? '/healthz' : 'home of someone else',
        value: `${median(alone[what])} alone; ${median(beside[what])} beside, ${milliseconds(percentile(beside[what], 0.95))} for 95 of 100, of ${beside[what].length}`,
        budget: `${MEDIAN_MS} ms at the median`,
        held: percentile(beside[what], 0.5) <= MEDIAN_MS,
      }),
    ),
    {
      what: `heavy reads by ${readers.length} people`,
      value: `${Object.entries(read.statuses)
        .map(([status, count]) => `${count} with ${status}`)
        .join(
          ', ',
        )}; ${median(read.took)} at the median, ${milliseconds(percentile(read.took, 0.95))} for 95 of 100; ${megabytes(read.bytes)}`,
      budget: 'no failure',
      held: failed.length === 0,
    },
    { what: 'uploads of 400 objects', value: `${uploads.done} done, ${uploads.refused} refused` },
    { what: 'memory of the process', value: `${megabytes(peak)} at most` },
  ];
}

const median = (took: readonly number[]): string => milliseconds(percentile(took, 0.5));
