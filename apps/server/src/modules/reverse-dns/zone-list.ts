import type { AnswerOf, Download } from '@portal/contract';
import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import type { Act } from '../../platform/http/endpoints.ts';
import { tableFile } from '../../platform/table-file.ts';
import { findZones } from './zones.ts';

/** The zones of an account that match, a page at a time. */
export async function listZones({
  read,
  account: { accountName },
  query: { offset, limit, ...filters },
}: Act<typeof reverseDns.listZones>): Promise<AnswerOf<typeof reverseDns.listZones>> {
  const rows = await findZones(read, accountName, filters);
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

/** Columns of the download, stable for scripts. Several servers or keys are separated by semicolons. */
const zoneColumns = [
  'zone',
  'prefix',
  'within',
  'state',
  'dnssec',
  'servers',
  'ds',
  'checkedAt',
  'problem',
  'signaturesEnd',
  'sinceSerial',
] as const;

/** The zones of an account that match, as a file. */
export async function exportZones({
  read,
  account: { accountName },
  query: { format, ...filters },
}: Act<typeof reverseDns.exportZones>): Promise<Download> {
  const rows = await findZones(read, accountName, filters);
  const flat = rows.map(row => ({ ...row, servers: row.servers.join('; '), ds: row.ds.join('; ') }));
  return tableFile(`${accountName}-reverse-zones`, format, zoneColumns, inBatches(flat));
}

async function* inBatches<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 1_000) yield await Promise.resolve(rows.slice(at, at + 1_000));
}
