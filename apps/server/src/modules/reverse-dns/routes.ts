import { dnsChecking } from '@portal/contract/reverse-dns/checks';
import { lameServers } from '@portal/contract/reverse-dns/lame-servers';
import { reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { waitingDelegations } from '@portal/contract/reverse-dns/waiting';
import { zoneChecks } from '@portal/contract/reverse-dns/zone-checks';
import { reverseZoneFiles } from '@portal/contract/reverse-dns/zone-files';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import { tableFile } from '../../platform/table-file.ts';
import { listLameServers } from './checks/lame-list.ts';
import { getCheck, listChecks, startCheck } from './checks/runs.ts';
import { listLeftOut } from './publication/left-out.ts';
import { previewZones, submitZones } from './submission.ts';
import { cancelWaiting, listWaiting, waitForServers } from './waiting.ts';
import { readUploadedFile, uploadZoneFile, zoneFileApart } from './zone-upload.ts';
import { findZones, getSummary, planZones } from './zones.ts';

/** Columns of the download: a promise to scripts. Several servers or keys have semicolons between. */
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

export const reverseDnsRoutes = ({ profile, config, clock }: RouteContext): Implementation[] => {
  const tools = { profile, config };
  return [
    implement(reverseDns, {
      getSummary,
      listZones: async ({ read, account, query: { offset, limit, ...filters } }) => {
        const rows = await findZones(read, account.accountName, filters);
        return { total: rows.length, rows: rows.slice(offset, offset + limit) };
      },
      exportZones: async ({ read, account, query: { format, ...filters } }) => {
        const rows = await findZones(read, account.accountName, filters);
        const flat = rows.map(row => ({ ...row, servers: row.servers.join('; '), ds: row.ds.join('; ') }));
        return tableFile(`${account.accountName}-reverse-zones`, format, zoneColumns, inBatches(flat));
      },
      planZones,
      previewZones,
      submitZones,
    }),
    implement(dnsChecking, {
      startCheck,
      getCheck,
      listChecks,
    }),
    implement(reverseDnsLeftOut, { listLeftOut }),
    implement(lameServers, { listLameServers }),
    implement(waitingDelegations, {
      listWaiting,
      waitForServers,
      cancelWaiting,
    }),
    implement(zoneChecks, {
      startZoneCheck: ({ change, caller, body }) => startCheck({ change, caller, body }),
      getZoneCheck: ({ read, params }) => getCheck({ read, params, registry: { now: clock() } }),
    }),
    implement(reverseZoneFiles, {
      readZoneFile: afterReading(
        call => zoneFileApart(senderOf(call), call.body),
        ({ change, account, body }, file) => readUploadedFile(change, account, file, body, tools),
      ),
      uploadZoneFile: afterReading(
        call => zoneFileApart(senderOf(call), call.body),
        ({ change, account, body }, file) => uploadZoneFile(change, account, file, body, tools),
      ),
    }),
  ];
};

async function* inBatches<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 1_000) yield await Promise.resolve(rows.slice(at, at + 1_000));
}
