import type { FeedName } from '@portal/contract/publication/feeds';
import { type ServiceName, serviceTitles } from '@portal/contract/service-names';

/** A service that members, or readers of what the registry publishes, depend on. */
export type Service = {
  key: ServiceName;
  title: string;
  /** Its parts, in small print. */
  detail?: string;
  /** Feeds that it publishes or sends: it is late when one of them is. */
  feeds: readonly FeedName[];
  /** The module whose problems, as /readyz names them, make it late. */
  module?: string;
  /** It answers from the database, and not from what was published before. */
  live: boolean;
};

/** All services of the status page, by the people who depend on them. */
const groups: readonly { title: string; services: readonly Omit<Service, 'title'>[] }[] = [
  {
    title: 'Public services',
    services: [
      { key: 'whois', detail: 'port 43 and IRR', feeds: ['whois'], module: 'whois', live: true },
      { key: 'rdap', feeds: ['whois'], live: true },
      { key: 'reverse-dns', detail: 'zones for the name servers', feeds: ['reverse-zones'], live: false },
      {
        key: 'rpki',
        detail: 'rsync and RRDP',
        feeds: ['rpki-rrdp', 'rpki-rsync'],
        module: 'rpki',
        live: false,
      },
      { key: 'mirrors', detail: 'NRTM and files', feeds: ['nrtm4', 'whois-files'], live: false },
      { key: 'statistics', detail: 'delegated files and transfer log', feeds: ['statistics'], live: false },
    ],
  },
  {
    title: 'Member services',
    services: [
      { key: 'portal', detail: 'with sign-in', feeds: [], live: true },
      { key: 'api', feeds: [], live: true },
      { key: 'mail', detail: 'sent to you', feeds: ['mail'], live: true },
      { key: 'webhooks', feeds: ['webhooks'], live: true },
    ],
  },
];

export const serviceGroups: readonly { title: string; services: readonly Service[] }[] = groups.map(group => ({
  ...group,
  services: group.services.map(each => ({ ...each, title: serviceTitles[each.key] })),
}));

export const services: readonly Service[] = serviceGroups.flatMap(group => group.services);

/** Services of members through which they change something: they stop changing while the database can only be read. */
export const changing: ReadonlySet<ServiceName> = new Set(['portal', 'api']);

/** Feeds that are the operators’ own: the status page doesn’t show them. */
export const ownFeeds: ReadonlySet<FeedName> = new Set(['backups', 'log-roots']);
