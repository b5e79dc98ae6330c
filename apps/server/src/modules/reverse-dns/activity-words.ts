import type { dnsChecking } from '@portal/contract/reverse-dns/checks';
import type { lameServers } from '@portal/contract/reverse-dns/lame-servers';
import type { reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import type { waitingDelegations } from '@portal/contract/reverse-dns/waiting';
import type { zoneChecks } from '@portal/contract/reverse-dns/zone-checks';
import type { reverseZoneFiles } from '@portal/contract/reverse-dns/zone-files';
import { list, type ModuleWords, text, time, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const reverseDnsWords = {
  activities: {
    reverseDns: {
      category: 'whois',
      actions: {
        previewZones: 'Preview reverse delegations',
        submitZones: 'Change reverse delegations',
        publish: 'Publish a reverse zone',
        importFragment: 'Import delegations of another registry',
        watchZones: 'Check delegated zones',
        notifyOfLame: 'Notify contacts of a lame name server',
        disableServer: 'Leave a name server out of a reverse zone',
        remindOfLame: 'Remind of a disabled name server',
        followCds: 'Change DS records as the zone asks',
        refuseCds: 'Refuse DS records that a zone asks for',
        notifyOfLeftOut: 'Notify contacts of what a reverse zone leaves out',
        enableServer: 'Put a name server back into a reverse zone',
      },
    },
    'reverseDns.checks': {
      category: 'whois',
      actions: {
        startCheck: 'Check a reverse zone',
        runCheck: 'Ask the name servers of a reverse zone',
        forgetChecks: 'Delete old checks',
      },
    },
    'reverseDns.lameServers': { category: 'whois', actions: {} },
    'reverseDns.leftOut': { category: 'whois', actions: {} },
    'reverseDns.waiting': {
      category: 'whois',
      actions: {
        waitForServers: 'Delegate reverse zones when their servers are ready',
        cancelWaiting: 'Cancel a delegation that is waiting',
        check: 'Check name servers that a delegation waits for',
        notReady: 'Wait for name servers that aren’t ready',
        delegate: 'Delegate reverse zones whose servers are ready',
        end: 'End a delegation that was waiting',
      },
    },
    'reverseDns.zoneChecks': { category: 'whois', actions: { startZoneCheck: 'Check a reverse zone' } },
    'reverseDns.zoneFiles': {
      category: 'whois',
      actions: { readZoneFile: 'Preview a zone file', uploadZoneFile: 'Upload a zone file' },
    },
  },
  rows: {
    rdns_waiting: {
      what: 'Waiting delegation',
      key: ['waiting_id'],
      owner: 'account_name',
      name: ['zones'],
      columns: {
        zones: list('Zones'),
        servers: list('Name servers'),
        state: stateWord('State'),
        until: time('Until'),
        checked_at: time('Last check'),
        problem: text('Problem'),
        decided_at: time('Decided'),
      },
      unsaid: ['waiting_id', 'account_name', 'contact_id', 'request', 'wanted', 'asked_at', 'tried_at', 'check_id'],
    },
  },
  unshown: {
    rdns_check: 'reports of checks, opened by their link',
    rdns_zone: 'what checks find of a zone, not what an account does',
    rdns_lame_server: 'what checks find of a server; the lines of the policy name it',
    rdns_left_out: 'what the publisher leaves out; the line of the notice says so',
    rdns_parent: 'zones of the registry, not of an account',
    rdns_published: 'what the publisher has written',
    rdns_fragment: 'delegations of another registry',
  },
} satisfies ModuleWords<{
  reverseDns: typeof reverseDns;
  'reverseDns.checks': typeof dnsChecking;
  'reverseDns.lameServers': typeof lameServers;
  'reverseDns.leftOut': typeof reverseDnsLeftOut;
  'reverseDns.waiting': typeof waitingDelegations;
  'reverseDns.zoneChecks': typeof zoneChecks;
  'reverseDns.zoneFiles': typeof reverseZoneFiles;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    reverseDns: typeof reverseDnsWords;
  }
}
