import type { dnsChecking } from '@portal/contract/reverse-dns/checks';
import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import type { reverseZoneFiles } from '@portal/contract/reverse-dns/zone-files';
import type { ModuleWords } from '../../platform/activity-words.ts';

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
    'reverseDns.zoneFiles': {
      category: 'whois',
      actions: { readZoneFile: 'Preview a zone file', uploadZoneFile: 'Upload a zone file' },
    },
  },
  unshown: {
    rdns_check: 'reports of checks, opened by their link',
    rdns_zone: 'what checks find of a zone, not what an account does',
    rdns_parent: 'zones of the registry, not of an account',
    rdns_published: 'what the publisher has written',
    rdns_fragment: 'delegations of another registry',
  },
} satisfies ModuleWords<{
  reverseDns: typeof reverseDns;
  'reverseDns.checks': typeof dnsChecking;
  'reverseDns.zoneFiles': typeof reverseZoneFiles;
}>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    reverseDns: typeof reverseDnsWords;
  }
}
