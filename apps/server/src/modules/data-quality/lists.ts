import type { AnswerOf, Download } from '@portal/contract';
import { daysAfter, utcDay } from '@portal/contract/days';
import { type dataQuality, type FindingRow, isPlainFinding } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findingKeys, findings, type FindingSort } from '@portal/contract/data-quality/findings';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { type FindingConfig, findingRows, isLiving } from './finding-rows.ts';
import { KEPT_BY, TREND_DAYS } from './kept-findings.ts';

/** Rows of an export that is one answer: more people than a region has. */
const MAX_EXPORTED = 100_000;
const columns = ['account', 'organisation', 'economy', 'state', 'subject', 'detail', 'since'] as const;
type CsvRow = Record<(typeof columns)[number], string>;

type FindingFilters = { q: string; economy?: string | undefined; state?: string | undefined };

/** SQL: row `f`, of account `a`, is one that the filters leave. */
const isLeft = ({ q, economy, state }: FindingFilters): RawBuilder<boolean> => {
  const part = containsPattern(q.toLowerCase());
  return sql<boolean>`((${q}::text = '' or lower(f.account_name) like ${part} or lower(a.org_name) like ${part} or lower(f.subject) like ${part} or lower(f.detail) like ${part})
    and (${economy ?? null}::text is null or a.economy = ${economy ?? null}) and (${state ?? null}::text is null or a.account_status = ${state ?? null}))`;
};

const inOrder = (
  sort: FindingSort,
): RawBuilder<unknown> => sql`case ${sort}::text when 'account' then f.account_name when 'subject' then f.subject end,
  case ${sort}::text when '-account' then f.account_name when '-subject' then f.subject end desc nulls last,
  case when ${sort}::text = 'since' then f.since end, case when ${sort}::text = '-since' then f.since end desc nulls last,
  f.account_name, f.subject, f.detail, f.contact_id`;

/** Returns when kept findings were last looked for; null before the first time. */
export async function keptAt(read: Read): Promise<string | null> {
  const row = await read.selectFrom('periodicWork').select('succeededAt').where('name', '=', KEPT_BY).executeTakeFirst();
  return row?.succeededAt ?? null;
}

/** Each finding with its numbers now and a week ago, and its latest campaign. */
export async function getDataQuality({
  read,
  registry: { config, now },
}: Act<typeof dataQuality.getDataQuality>): Promise<AnswerOf<typeof dataQuality.getDataQuality>> {
  const today = utcDay(now);
  const [counted, days, latest, [all], kept] = await Promise.all([
    read.rows<{ finding: FindingKey; rows: number; accounts: number }>(
      sql`select f.finding, count(*)::int as rows, count(distinct f.account_name)::int as accounts from ${findingRows(null, config)} f group by 1`,
    ),
    read.rows<{
      finding: string;
      rows: number;
      on: string;
    }>(sql`select distinct on (finding) finding, rows, day::text as on from quality_day
      where day between ${daysAfter(today, -TREND_DAYS)}::date and ${daysAfter(today, -1)}::date order by finding, day`),
    read.rows<{
      finding: string;
      startedAt: string;
      people: number;
      cured: number | null;
    }>(sql`select distinct on (finding) finding, started_at, people, cured
      from quality_campaign order by finding, campaign_id desc`),
    read.rows<{ accounts: number }>(sql`select count(*)::int as accounts from account a where ${isLiving}`),
    keptAt(read),
  ]);
  return {
    findings: findingKeys.map(finding => {
      // Of people of an identity provider it isn’t known here how they sign in.
      const unknown = (findings[finding].kept && kept === null) || (finding === 'password-alone' && !config.embeddedProvider);
      const { rows, accounts } = counted.find(each => each.finding === finding) ?? { rows: 0, accounts: 0 };
      const day = days.find(each => each.finding === finding);
      const campaign = latest.find(each => each.finding === finding);
      return {
        finding,
        rows: unknown ? null : rows,
        accounts: unknown ? null : accounts,
        before: day && !unknown ? { rows: day.rows, on: day.on } : null,
        campaign: campaign ? { startedAt: campaign.startedAt, people: campaign.people, cured: campaign.cured } : null,
      };
    }),
    accounts: all!.accounts,
    keptAt: kept,
  };
}

type ListQuery = FindingFilters & { sort: FindingSort; offset: number; limit: number };

async function listOf(
  read: Read,
  finding: FindingKey,
  { sort, offset, limit, ...filters }: ListQuery,
  config: FindingConfig,
): Promise<AnswerOf<typeof dataQuality.listFinding>> {
  const from = sql`from ${findingRows(finding, config)} f left join account a using (account_name)`;
  const [rows, [counted], economies, kept] = await Promise.all([
    read.rows<FindingRow>(sql`select f.account_name, a.org_name, a.economy, a.account_status, f.subject, f.detail, f.since ${from}
      where ${isLeft(filters)} order by ${inOrder(sort)} offset ${offset} limit ${limit}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total ${from} where ${isLeft(filters)}`),
    read.rows<{ economy: string }>(sql`select distinct a.economy ${from} where a.economy is not null order by 1`),
    findings[finding].kept ? keptAt(read) : null,
  ]);
  return { total: counted!.total, rows, economies: economies.map(({ economy }) => economy), asOf: kept };
}

/** A page of a finding that names no people. @throws Failure NOT_FOUND */
export const listFinding = async ({
  read,
  params: { finding },
  query,
  registry: { config },
}: Act<typeof dataQuality.listFinding>): Promise<AnswerOf<typeof dataQuality.listFinding>> => {
  if (!isPlainFinding(finding)) throw refuse('NOT_FOUND', { what: 'The finding' });
  return listOf(read, finding, query, config);
};

/** Returns what a look at people was narrowed to, for the log. */
const notedOf = ({ q, economy, state }: FindingFilters): Record<string, string> => ({
  ...(q !== '' && { sought: q }),
  ...(economy !== undefined && { economy }),
  ...(state !== undefined && { state }),
});

/** A page of the people of a finding; the activity says who looked, and at how many. */
export async function listPersonalFinding({
  change,
  body: { finding, ...query },
  registry: { config },
}: Act<typeof dataQuality.listPersonalFinding>): Promise<AnswerOf<typeof dataQuality.listPersonalFinding>> {
  const list = await listOf(change, finding, query, config);
  await change.note({
    finding: findings[finding].title,
    shown: list.rows.length,
    ...notedOf(query),
    ...(query.offset > 0 && { from: query.offset }),
  });
  return list;
}

const csvSelect = (
  finding: FindingKey,
  { sort, most, ...filters }: FindingFilters & { sort: FindingSort; most: number | null },
  config: FindingConfig,
) =>
  sql<CsvRow>`select coalesce(f.account_name, '') as account, coalesce(a.org_name, '') as organisation, coalesce(a.economy, '') as economy,
      coalesce(a.account_status, '') as state, f.subject, f.detail, coalesce(to_char(f.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') as since
    from ${findingRows(finding, config)} f left join account a using (account_name) where ${isLeft(filters)} order by ${inOrder(sort)} limit ${most}::bigint`;

/** All rows of a finding that names no people, as a file. @throws Failure NOT_FOUND */
export const exportFinding = async ({
  read,
  params: { finding },
  query,
  registry: { config },
}: Act<typeof dataQuality.exportFinding>): Promise<Download> => {
  if (!isPlainFinding(finding)) throw refuse('NOT_FOUND', { what: 'The finding' });
  return tableFile(finding, 'csv', columns, read.stream<CsvRow>(csvSelect(finding, { ...query, most: null }, config)));
};

/** The people of a finding as the text of a file; the activity says who took it, and with how many. */
export async function exportPersonalFinding({
  change,
  body: { finding, ...filters },
  registry: { config },
}: Act<typeof dataQuality.exportPersonalFinding>): Promise<AnswerOf<typeof dataQuality.exportPersonalFinding>> {
  const rows = await change.rows<CsvRow>(csvSelect(finding, { ...filters, most: MAX_EXPORTED }, config));
  const { fileName, chunks } = tableFile(
    finding,
    'csv',
    columns,
    (async function* () {
      yield rows;
    })(),
  );
  let csv = '';
  for await (const chunk of chunks as AsyncIterable<string>) csv += chunk;
  await change.note({ finding: findings[finding].title, exported: rows.length, ...notedOf(filters) });
  return { fileName, csv };
}
