import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { coverRange, listResources, type NumberResource, type ResourceFamily, resourceSetOf, subtractSets } from '@portal/number-resources';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type LedgerColumns, ledgerRegistry, resourceOf } from '../ledger-columns.ts';
import { opaqueIdOf } from '../holders/opaque-id.ts';
import { printStatisticsHeader, printStatisticsRecord, type StatisticsFormat, type StatisticsStatus } from './statistics-file.ts';

export type ExportStatistics = {
  /** Name of this registry in its own statistics file (`statisticsRegistry` of the registry profile). */
  ownRegistry: string;
  /** Registry of the delegations; required only if the ledger has those of several registries. */
  registry?: string;
  /** By default the format of the registry's last imported file, else `delegated-extended`. */
  format?: StatisticsFormat;
  /** YYYY-MM-DD: serial and last day of the file; by default those of the last imported file. */
  date?: string;
  /** Offset of the registry's time zone, `+1000`, if no imported file has it. */
  utcOffset?: string;
  /**
   * Numbers that national registries delegated to their members, by the registry's account: each is its own line, and the rest of a delegation is the
   * registry's.
   */
  members?: ReadonlyMap<string, readonly MemberPart[]>;
  out: Writable;
};
/** Numbers that a national registry delegated to a member. `holder` is the organisation's id among all holders. */
export type MemberPart = {
  resource: NumberResource;
  holder: string;
  economy: string | null;
  /** YYYY-MM-DD. */
  delegatedOn: string;
  type: 'allocated' | 'assigned';
};
export type ExportReport = {
  registry: string;
  format: StatisticsFormat;
  records: number;
  summaries: { kind: ResourceFamily; count: number }[];
};

/** There is nothing to export, or a choice is required; `message` says which. */
class ExportRefused extends Error {
  override name = 'ExportRefused';
}

type FileRow = {
  format: StatisticsFormat;
  version: string;
  serial: string;
  startDate: string;
  endDate: string;
  utcOffset: string;
  summaryKinds: ResourceFamily[];
  recordKinds: ResourceFamily[];
};
type Row = Omit<LedgerColumns, 'size'> & {
  economy: string;
  date: string;
  status: StatisticsStatus;
  accountName: string | null;
  statisticsId: string | null;
  extensions: string | null;
};

/**
 * Writes the registry's statistics file: its delegations and, in the extended format, its pools. The same ledger gives the same bytes, and an
 * imported file comes back line by line: its records in its order, addresses in their canonical form, with summary lines that count them.
 * @throws {ExportRefused}
 */
export async function exportStatistics(db: Database, options: ExportStatistics): Promise<ExportReport> {
  const registry = options.registry ?? (await onlyRegistry(db, options.ownRegistry));
  const key = ledgerRegistry(registry, options.ownRegistry);
  const [file] = await db.read.rows<FileRow>(sql`
    select format, version, serial, start_date, end_date, utc_offset, summary_kinds, record_kinds from statistics_file where registry = ${key}`);
  const format = options.format ?? file?.format ?? 'delegated-extended';
  if (!file && options.date === undefined)
    throw new ExportRefused(`No statistics file of ${registry} was imported, so the export needs a date.`);
  if (options.date !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(options.date))
    throw new ExportRefused(`"${options.date}" is not a date; one is written like 2021-07-14.`);

  const recordKinds = everyKind(file?.recordKinds);
  const counts: Record<ResourceFamily, number> = { asn: 0, ipv4: 0, ipv6: 0 };
  // The counts precede the records, so the lines are collected in memory (60 bytes each), in one snapshot.
  const blocks: string[] = [];
  const members = membersByStart(options.members);
  const breathe = breathing();
  let earliest = '';
  for await (const rows of db.read.stream<Row>(recordsOf(key, format, recordKinds), 1_000)) {
    let block = '';
    for (const row of rows) {
      if (row.date !== '' && row.date !== '00000000' && (earliest === '' || row.date < earliest)) earliest = row.date;
      for (const line of linesOf(registry, format, row, members)) {
        block += `${line}\n`;
        counts[row.kind]++;
      }
      await breathe();
    }
    blocks.push(block);
  }
  const summaries = everyKind(file?.summaryKinds)
    .filter(kind => counts[kind] > 0 || file?.summaryKinds.includes(kind))
    .map(kind => ({ kind, count: counts[kind] }));
  const day = options.date?.replaceAll('-', '');
  const header = {
    version: file?.format === format ? file.version : format === 'delegated' ? '2' : '2.3',
    registry,
    serial: day ?? file?.serial ?? '',
    startDate: file?.startDate ?? earliest,
    endDate: day ?? file?.endDate ?? '',
    utcOffset: file?.utcOffset ?? options.utcOffset ?? '+0000',
  };
  for (const text of [printStatisticsHeader(header, summaries), ...blocks]) if (!options.out.write(text)) await once(options.out, 'drain');
  return { registry, format, records: counts.asn + counts.ipv4 + counts.ipv6, summaries };
}

async function onlyRegistry(db: Database, ownRegistry: string): Promise<string> {
  const registries = (
    await db.read.rows<{ registry: string }>(sql`
      select registry from (select distinct registry from delegation where status <> 'closed' union select distinct registry from pool) r`)
  )
    .map(({ registry }) => registry || ownRegistry)
    .sort();
  const [only] = registries;
  if (only === undefined) throw new ExportRefused('The ledger is empty: there is nothing to export.');
  if (registries.length > 1)
    throw new ExportRefused(`The ledger has delegations of ${registries.join(', ')}: say which registry to export.`);
  return only;
}

const everyKind = (first: readonly ResourceFamily[] = []): ResourceFamily[] => [...new Set([...first, 'asn', 'ipv4', 'ipv6'] as const)];

const recordsOf = (registry: string, format: StatisticsFormat, kinds: readonly ResourceFamily[]) => sql<Row>`
  select r.* from (
    select kind, host(d.first) as first, host(d.last) as last, first_as, last_as, resource, coalesce(d.economy, '') as economy,
      coalesce(to_char(delegated_on, 'YYYYMMDD'), date_text, '') as date, type as status, d.account_name, a.statistics_id, extensions,
      d.first as by_first
    from delegation d join account a using (account_name) where registry = ${registry} and status <> 'closed'
    ${
      format === 'delegated'
        ? sql``
        : sql`union all select kind, host(first), host(last), first_as, last_as, resource, economy_text, coalesce(date_text, ''), state, null, null, extensions, first
            from pool where registry = ${registry}`
    }) r
  left join (select * from statistics_file, unnest(record_order) with ordinality as o (resource, place) where registry = ${registry}) o using (resource)
  order by o.place, array_position(${[...kinds]}::text[], kind), by_first, first_as`;

type Members = ReadonlyMap<string, readonly MemberPart[]>;

/** Members' parts in the order of their numbers, so that those in a delegation are found without a look at all. */
const membersByStart = (members: ExportStatistics['members']): Members =>
  new Map(
    [...(members ?? [])].map(([accountName, parts]) => [
      accountName,
      parts.toSorted(({ resource: a }, { resource: b }) =>
        a.family === b.family ? (a.first < b.first ? -1 : a.first > b.first ? 1 : 0) : a.family < b.family ? -1 : 1,
      ),
    ]),
  );

/** The parts that a delegation contains, of a list in the order of `membersByStart`. */
function partsWithin(parts: readonly MemberPart[], whole: NumberResource): MemberPart[] {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { family, first } = parts[middle]!.resource;
    if (family < whole.family || (family === whole.family && first < whole.first)) low = middle + 1;
    else high = middle;
  }
  const within: MemberPart[] = [];
  for (let part = parts[low]; part?.resource.family === whole.family && part.resource.first <= whole.last; part = parts[++low])
    if (part.resource.last <= whole.last) within.push(part);
  return within;
}

function* linesOf(registry: string, format: StatisticsFormat, row: Row, members: Members): Generator<string> {
  const { accountName, statisticsId } = row;
  const whole = resourceOf(row);
  const parts = partsWithin((accountName !== null && members.get(accountName)) || [], whole);
  const opaqueId = format === 'delegated' || accountName === null ? null : opaqueIdOf(registry, { accountName, statisticsId });
  const record = { economy: row.economy, date: row.date, status: row.status, opaqueId, extensions: row.extensions };
  if (parts.length === 0) {
    for (const resource of printable(whole)) yield printStatisticsRecord(registry, { ...record, resource });
    return;
  }
  const rest = listResources(subtractSets(resourceSetOf([whole]), resourceSetOf(parts.map(({ resource }) => resource))));
  const lines = [
    ...rest.map(resource => ({ ...record, resource })),
    ...parts.map(({ resource, holder, economy, delegatedOn, type }) => ({
      ...record,
      resource,
      economy: economy ?? row.economy,
      date: delegatedOn.replaceAll('-', ''),
      status: type,
      opaqueId: opaqueId === null ? null : opaqueIdOf(registry, { accountName: holder, statisticsId: null }),
    })),
  ];
  for (const line of lines.toSorted((a, b) => (a.resource.first < b.resource.first ? -1 : 1)))
    for (const resource of printable(line.resource)) yield printStatisticsRecord(registry, { ...line, resource });
}

/** The format writes IPv6 as prefixes. */
const printable = (resource: NumberResource): NumberResource[] => (resource.family === 'ipv6' ? coverRange(resource) : [resource]);
