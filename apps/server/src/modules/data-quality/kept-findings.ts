import { DAY_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import { findingKeys } from '@portal/contract/data-quality/findings';
import { formatCount } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { stepsAlone } from '../../platform/each-alone.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { holderOfZone } from '../reverse-dns/index.ts';
import { ledgerDifferences } from '../whois/index.ts';
import { findingRows } from './finding-rows.ts';

/** The periodic work that keeps findings: its last success is their time. */
export const KEPT_BY = 'dataQuality.keepFindings';
/** Days over which a card compares. */
export const TREND_DAYS = 7;
/** Rows of a kept finding; more would be another kind of trouble. */
const MAX_KEPT = 50_000;
/** Days for which the number of each day stays. */
const HISTORY_DAYS = 400;

type KeptFinding = 'whois-ledger' | 'stale-records' | 'lame-servers';
type KeptRow = { accountName: string | null; subject: string; detail: string; since: string | null };
type Keeping = Pick<ModuleContext, 'db' | 'clock' | 'config'>;

/** Looks for the findings that take long, keeps them, and counts those of the day. A finding that fails doesn't stop the others. */
export async function keepFindings({ db, clock, config }: Keeping): Promise<void> {
  const now = clock();
  await stepsAlone({
    'whois and ledger': async () => keep(db, 'whois-ledger', await againstLedger(db, now)),
    'stale records': async () => keep(db, 'stale-records', await staleRecords(db, now, config)),
    'holders of lame zones': async () => keep(db, 'lame-servers', await lameHolders(db)),
    'numbers of the day': () => countDay(db, now, config),
  });
}

/** Looked for as `registry verify` does: it reads all objects and delegations, which takes minutes at the size of a region. */
async function againstLedger(db: Database, now: Date): Promise<KeptRow[]> {
  const found = await db.rehearse(
    ownActivity(KEPT_BY, 'Looked for findings of data quality'),
    change => ledgerDifferences(change, { most: MAX_KEPT }),
    {
      isolation: 'repeatable read',
      timeout: 0,
    },
  );
  return found.map(({ object, accountName, problem }) => ({ accountName, subject: object, detail: problem, since: now.toISOString() }));
}

/** Records of customers and of entities of national registries that hold numbers, by account: without their names, which are private. */
async function staleRecords(db: Database, now: Date, { staleRecordDays }: Keeping['config']): Promise<KeptRow[]> {
  const before = instantBefore(now, staleRecordDays * DAY_MS);
  const rows = await db.read.rows<{ accountName: string; customers: number; entities: number; oldest: string }>(sql`
    select account_name, count(*) filter (where of_customer)::int as customers, count(*) filter (where not of_customer)::int as entities, min(updated_at)::text as oldest
    from (select k.account_name, true as of_customer, k.updated_at from customer k where k.updated_at < ${before}::timestamptz
        and exists (select from assignment s where s.account_name = k.account_name and s.customer = k.customer)
      union all select e.account_name, false, e.updated_at from nir_entity e where e.updated_at < ${before}::timestamptz and e.merged_into is null
        and exists (select from subaccount s join nir_delegation d using (subaccount_id) where s.entity_id = e.entity_id)) stale
    group by account_name order by account_name limit ${MAX_KEPT}`);
  return rows.map(({ accountName, customers, entities, oldest }) => {
    const parts = [counted(customers, 'customer', 'customers'), counted(entities, 'entity', 'entities')].filter(part => part !== '');
    return {
      accountName,
      subject: parts.join(' and '),
      detail: `The oldest record was last changed on ${utcDay(oldest)}`,
      since: new Date(oldest).toISOString(),
    };
  });
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${formatCount(count)} ${count === 1 ? one : many}`;

/** The account of each server in the list of lame ones, as that list names it. */
async function lameHolders(db: Database): Promise<KeptRow[]> {
  const servers = await db.read
    .selectFrom('rdnsLameServer')
    .select(['zone', 'server'])
    .orderBy('zone')
    .orderBy('server')
    .limit(MAX_KEPT)
    .execute();
  const holders = new Map<string, string | null>();
  for (const { zone } of servers) if (!holders.has(zone)) holders.set(zone, await holderOfZone(db.read, zone));
  return servers.flatMap(({ zone, server }) => {
    const accountName = holders.get(zone) ?? null;
    return accountName === null ? [] : [{ accountName, subject: `${zone} ${server}`, detail: '', since: null }];
  });
}

const keyOf = ({ accountName, subject, detail }: Omit<KeptRow, 'since'>): string => JSON.stringify([accountName, subject, detail]);

/** Writes what came and what went; rows that stay keep their first time. */
async function keep(db: Database, finding: KeptFinding, found: readonly KeptRow[]): Promise<void> {
  const known = await db.read
    .selectFrom('qualityRow')
    .select(['accountName', 'subject', 'detail'])
    .where('finding', '=', finding)
    .execute();
  const before = new Set(known.map(keyOf));
  const after = new Set(found.map(keyOf));
  const come = found.filter(row => !before.has(keyOf(row)));
  const gone = known.filter(row => !after.has(keyOf(row)));
  if (come.length === 0 && gone.length === 0) return;
  await db.change(ownActivity(KEPT_BY, 'Kept findings of data quality'), async change => {
    await change.rows(sql`delete from quality_row q
      using unnest(${gone.map(({ accountName }) => accountName)}::text[], ${gone.map(({ subject }) => subject)}::text[], ${gone.map(({ detail }) => detail)}::text[]) as g (account_name, subject, detail)
      where q.finding = ${finding} and q.account_name is not distinct from g.account_name and q.subject = g.subject and q.detail = g.detail`);
    await change.rows(sql`insert into quality_row (finding, account_name, subject, detail, since)
      select ${finding}, c.account_name, c.subject, c.detail, c.since
      from unnest(${come.map(({ accountName }) => accountName)}::text[], ${come.map(({ subject }) => subject)}::text[], ${come.map(({ detail }) => detail)}::text[],
        ${come.map(({ since }) => since)}::timestamptz[]) as c (account_name, subject, detail, since) on conflict do nothing`);
    await change.note({ finding, come: come.length, gone: gone.length });
  });
}

/** Keeps how many there are today, and forgets old days. */
async function countDay(db: Database, now: Date, config: Keeping['config']): Promise<void> {
  const today = utcDay(now);
  const counts = await db.read.rows<{ finding: string; rows: number; accounts: number }>(sql`
    select k.finding, count(f.finding)::int as rows, count(distinct f.account_name)::int as accounts
    from unnest(${[...findingKeys]}::text[]) as k (finding) left join ${findingRows(null, config)} f using (finding) group by 1 order by 1`);
  const known = await db.read.rows<{ finding: string; rows: number; accounts: number }>(
    sql`select finding, rows, accounts from quality_day where day = ${today}::date order by 1`,
  );
  if (JSON.stringify(known) === JSON.stringify(counts)) return;
  await db.change(ownActivity('dataQuality.countDay', 'Counted findings of data quality'), async change => {
    await change.rows(sql`insert into quality_day (finding, day, rows, accounts) select c.finding, ${today}::date, c.rows, c.accounts
      from unnest(${counts.map(({ finding }) => finding)}::text[], ${counts.map(({ rows }) => rows)}::int[], ${counts.map(({ accounts }) => accounts)}::int[]) as c (finding, rows, accounts)
      on conflict (finding, day) do update set rows = excluded.rows, accounts = excluded.accounts`);
    await change.rows(sql`delete from quality_day where day < ${daysAfter(today, -HISTORY_DAYS)}::date`);
  });
}
