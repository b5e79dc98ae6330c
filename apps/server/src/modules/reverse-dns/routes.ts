import { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { type Implementation, implement } from '../../platform/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { tableFile } from '../../platform/table-file.ts';
import { previewZones, submitZones } from './submission.ts';
import { findZones, getSummary, planZones } from './zones.ts';

/** Columns of the download: a promise to scripts. Several servers or keys have blanks or semicolons between. */
const zoneFile = [
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

export const reverseDnsRoutes = ({ profile, config }: RouteContext): Implementation[] => {
  const tools = (isFresh: boolean) => ({ profile, config, isFresh });
  return [
    implement(reverseDns, {
      getSummary: ({ read, account }) => getSummary(read, account.accountName),
      listZones: async ({ read, account, query: { offset, limit, ...filters } }) => {
        const rows = await findZones(read, account.accountName, filters);
        return { total: rows.length, rows: rows.slice(offset, offset + limit) };
      },
      exportZones: async ({ read, account, query: { format, ...filters } }) => {
        const rows = await findZones(read, account.accountName, filters);
        const flat = rows.map(row => ({ ...row, servers: row.servers.join('; '), ds: row.ds.join('; ') }));
        return tableFile(`${account.accountName}-reverse-zones`, format, zoneFile, inBatches(flat));
      },
      planZones: ({ read, account, query }) => planZones(read, account.accountName, query),
      previewZones: ({ change, account, body, isFresh }) => previewZones(change, account, body, tools(isFresh)),
      submitZones: ({ change, account, body, isFresh }) => submitZones(change, account, body, tools(isFresh)),
    }),
  ];
};

async function* inBatches<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 1_000) yield await Promise.resolve(rows.slice(at, at + 1_000));
}
