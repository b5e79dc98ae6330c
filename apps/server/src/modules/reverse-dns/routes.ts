import { dnsChecking } from '@portal/contract/reverse-dns/checks';
import { lameServers } from '@portal/contract/reverse-dns/lame-servers';
import { reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { waitingDelegations } from '@portal/contract/reverse-dns/waiting';
import { zoneChecks } from '@portal/contract/reverse-dns/zone-checks';
import { zoneReports } from '@portal/contract/reverse-dns/zone-reports';
import { reverseZoneFiles } from '@portal/contract/reverse-dns/zone-files';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listLameServers } from './checks/lame-list.ts';
import { getCheck, listChecks, startCheck } from './checks/runs.ts';
import { listLeftOut } from './publication/left-out.ts';
import { previewZones, submitZones } from './submission.ts';
import { cancelWaiting, listWaiting, waitForServers } from './waiting.ts';
import { exportZones, listZones } from './zone-list.ts';
import { getZone } from './zone-reports.ts';
import { readZoneFile, uploadZoneFile, zoneFileOf } from './zone-upload.ts';
import { getSummary, planZones } from './zones.ts';

export const reverseDnsRoutes: readonly Implementation[] = [
  implement(reverseDns, { getSummary, listZones, exportZones, planZones, previewZones, submitZones }),
  implement(dnsChecking, { startCheck, getCheck, listChecks }),
  implement(reverseDnsLeftOut, { listLeftOut }),
  implement(lameServers, { listLameServers }),
  implement(waitingDelegations, { listWaiting, waitForServers, cancelWaiting }),
  implement(zoneReports, { getZone }),
  implement(zoneChecks, { startZoneCheck: startCheck, getZoneCheck: getCheck }),
  implement(reverseZoneFiles, {
    readZoneFile: afterReading(zoneFileOf, readZoneFile),
    uploadZoneFile: afterReading(zoneFileOf, uploadZoneFile),
  }),
];
