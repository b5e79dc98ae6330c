import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type AsNeighbour, AsNeighbours, formatCount, readDumpLine, readMrtTable, type TableEntry } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';

const unzip = promisify(gunzip);
const maxBytes = 4_000_000_000;

/** Result of the import of a BGP table. */
type BgpReport = {
  format: 'RIS whois dump' | 'MRT';
  collectedAt: string;
  /** By family; null if the file has none. */
  tables: { family: 4 | 6; announcements: number; peers: number }[];
  /** Pairs of adjacent AS numbers in paths; null if the format has no paths. */
  neighbours: number | null;
  /** Skipped: AS sets, and announcements seen by fewer peers than required. */
  sets: number;
  rare: number;
  refused: { line: number; problem: string }[];
  refusedTotal: number;
  seconds: number;
};

/** A file that is not imported, in one sentence. */
export class BgpTableRefused extends Error {}

type Found = {
  entries: TableEntry[];
  /** By family; null if the format has no paths. */
  neighbours: Record<4 | 6, AsNeighbours> | null;
  collectedAt: number | null;
  format: BgpReport['format'];
  refused: BgpReport['refused'];
  refusedTotal: number;
};

const maxRefusedShown = 20;

function readDump(text: string): Found {
  const found: Found = { entries: [], neighbours: null, collectedAt: null, format: 'RIS whois dump', refused: [], refusedTotal: 0 };
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const read = readDumpLine(text.slice(at, end).replace(/\r$/, ''), ++line);
    at = end + 1;
    if (read === null) continue;
    if ('problem' in read) {
      if (found.refusedTotal++ < maxRefusedShown) found.refused.push(read);
    } else found.entries.push(read);
  }
  return found;
}

function readMrt(bytes: Uint8Array): Found {
  const neighbours = { 4: new AsNeighbours(), 6: new AsNeighbours() };
  const found: Found = { entries: [], neighbours, collectedAt: null, format: 'MRT', refused: [], refusedTotal: 0 };
  for (const { collectedAt, ...entry } of readMrtTable(bytes, neighbours)) {
    found.collectedAt ??= collectedAt * 1_000;
    found.entries.push(entry);
  }
  return found;
}

/**
 * Imports a table of announcements: a RIS whois dump, or an MRT file of TABLE_DUMP_V2 records, compressed with gzip or not. The whole file is one
 * change and replaces the table of its family. A file with less than half of the previous announcements is refused unless `shrinks`.
 * @throws BgpTableRefused
 */
export async function importBgpTable(
  db: Database,
  {
    from,
    leastPeers,
    shrinks,
    onProgress,
  }: { from: string; leastPeers: number; shrinks: boolean; onProgress: (done: number, total: number) => void },
): Promise<BgpReport> {
  const began = performance.now();
  const { size, mtime } = await stat(from);
  if (size > maxBytes) throw new BgpTableRefused(`${path.basename(from)} is larger than 4 GB.`);
  const raw = await readFile(from);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? await unzip(raw, { maxOutputLength: maxBytes }) : raw;
  // The type of an MRT record is in its fifth and sixth byte; a dump is text.
  const isText = /^[\t\r\n\x20-\x7e]*$/.test(bytes.subarray(0, 200).toString('latin1'));
  const found = isText ? readDump(bytes.toString('utf8')) : readMrt(bytes);
  if (found.entries.length === 0)
    throw new BgpTableRefused(
      `${path.basename(from)} has no announcement: it is neither a RIS whois dump nor an MRT table (TABLE_DUMP_V2)${found.refused[0] ? `. Line ${found.refused[0].line}: ${found.refused[0].problem}` : ''}.`,
    );
  const collectedAt = new Date(found.collectedAt ?? mtime).toISOString();
  const report: BgpReport = {
    format: found.format,
    collectedAt,
    tables: [],
    neighbours: found.neighbours && 0,
    sets: found.entries.filter(({ asn }) => asn === null).length,
    rare: found.entries.filter(({ asn, peers }) => asn !== null && peers < leastPeers).length,
    refused: found.refused,
    refusedTotal: found.refusedTotal,
    seconds: 0,
  };
  const kept = found.entries.filter(({ asn, peers }) => asn !== null && peers >= leastPeers) as Announced[];
  await db.change(ownActivity('routes.importTable', 'Imported a BGP table'), async change => {
    for (const family of [4, 6] as const) {
      const announced = kept.filter(({ prefix }) => prefix.includes(':') === (family === 6));
      if (announced.length === 0) continue;
      const neighbours = found.neighbours?.[family].list(MAX_NEIGHBOURS) ?? null;
      if (neighbours) report.neighbours! += neighbours.length;
      await storeBgpTable(change, { family, fileName: path.basename(from), collectedAt, announced, neighbours, shrinks }, onProgress);
      report.tables.push({ family, announcements: announced.length, peers: maxPeers(announced) });
    }
    await change.note({ file: path.basename(from), collectedAt, announcements: kept.length });
  });
  report.seconds = (performance.now() - began) / 1_000;
  return report;
}

type Announced = { prefix: string; asn: number; peers: number };
const maxPeers = (announced: readonly Announced[]): number => announced.reduce((most, { peers }) => Math.max(most, peers), 0);
const batch = 20_000;
/** The same where the event loop serves others meanwhile. */
const SMALL_BATCH = 1_000;
/** Maximum number of stored neighbours of one AS: those seen by most peers. */
const MAX_NEIGHBOURS = 1_000;

/** Replaces a table. @throws BgpTableRefused if the new one has less than half of it */
export async function storeBgpTable(
  change: Change,
  {
    family,
    fileName,
    collectedAt,
    announced,
    neighbours = null,
    shrinks,
  }: {
    family: 4 | 6;
    fileName: string;
    collectedAt: string;
    announced: readonly Announced[];
    neighbours?: readonly AsNeighbour[] | null;
    shrinks: boolean;
  },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  const [before] = await change.rows<{ id: string; announcements: number }>(
    sql`select bgp_table_id::text as id, announcements from bgp_table where state = 'current' and account_name is null and family = ${family} for update`,
  );
  if (before && !shrinks && announced.length * 2 < before.announcements)
    throw new BgpTableRefused(
      `The file has ${formatCount(announced.length)} IPv${family} announcements, and the table before has ${formatCount(before.announcements)}. Add --shrinks to confirm.`,
    );
  if (before) await change.rows(sql`delete from bgp_table where bgp_table_id = ${before.id}::bigint`);
  await addBgpTable(change, { family, fileName, collectedAt, announced, neighbours, owner: null }, onProgress);
}

/** Writes a table, unless it is empty. `owner`: the only account that sees it; null for everyone. */
export async function addBgpTable(
  change: Change,
  {
    family,
    fileName,
    collectedAt,
    announced,
    neighbours = null,
    owner,
  }: {
    family: 4 | 6;
    fileName: string;
    collectedAt: string;
    announced: readonly Announced[];
    /** Null if the format has no paths. */
    neighbours?: readonly AsNeighbour[] | null;
    owner: { accountName: string; uploadedBy: string } | null;
  },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  if (announced.length === 0) return;
  const [table] = await change.rows<{
    id: string;
  }>(sql`insert into bgp_table (account_name, uploaded_by, family, file_name, collected_at, imported_at, peers, announcements, has_paths, state)
    values (${owner?.accountName ?? null}, ${owner?.uploadedBy ?? null}, ${family}, ${fileName}, ${collectedAt}::timestamptz, ${change.now}::timestamptz, ${maxPeers(announced)}, ${announced.length}, ${neighbours !== null}, 'current') returning bgp_table_id::text as id`);
  const step = owner ? SMALL_BATCH : batch;
  for (let at = 0; at < announced.length; at += step) {
    const some = announced.slice(at, at + step);
    await change.rows(sql`insert into bgp_announcement (bgp_table_id, prefix, asn, peers)
      select ${table!.id}::bigint, prefix, asn, max(peers) from unnest(${some.map(({ prefix }) => prefix)}::cidr[], ${some.map(({ asn }) => asn)}::bigint[], ${some.map(({ peers }) => peers)}::int[]) as g (prefix, asn, peers)
      group by prefix, asn on conflict (bgp_table_id, prefix, asn) do update set peers = greatest(bgp_announcement.peers, excluded.peers)`);
    onProgress(at + some.length, announced.length);
  }
  for (let at = 0; at < (neighbours?.length ?? 0); at += batch) {
    const some = neighbours!.slice(at, at + batch);
    await change.rows(sql`insert into bgp_neighbour (bgp_table_id, asn, neighbour, announcements, peers)
      select ${table!.id}::bigint, asn, neighbour, announcements, peers from unnest(${some.map(({ asn }) => asn)}::bigint[],
        ${some.map(({ neighbour }) => neighbour)}::bigint[], ${some.map(({ announcements }) => announcements)}::int[], ${some.map(({ peers }) => peers)}::int[])
        as g (asn, neighbour, announcements, peers)`);
  }
}
