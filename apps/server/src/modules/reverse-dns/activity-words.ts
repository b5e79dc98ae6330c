import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const reverseDnsWords = {
  activities: {
    reverseDns: {
      category: 'whois',
      actions: { previewZones: 'Preview reverse delegations', submitZones: 'Change reverse delegations' },
    },
  },
} satisfies ModuleWords<{ reverseDns: typeof reverseDns }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    reverseDns: typeof reverseDnsWords;
  }
}
