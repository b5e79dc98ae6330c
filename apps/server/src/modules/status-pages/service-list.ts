import type { FeedName } from '@portal/contract/publication/feeds';

/** A service that members, or readers of what the registry publishes, depend on. */
export type Service = {
  key: string;
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
export const serviceGroups: readonly { title: string; services: readonly Service[] }[] = [
  {
    title: 'Public services',
    services: [
      { key: 'whois', title: 'Whois', detail: 'port 43 and IRR', feeds: ['whois'], module: 'whois', live: true },
      { key: 'rdap', title: 'RDAP', feeds: ['whois'], live: true },
      { key: 'reverse-dns', title: 'Reverse DNS', detail: 'zones for the name servers', feeds: ['reverse-zones'], live: false },
      {
        key: 'rpki',
        title: 'RPKI repository',
        detail: 'rsync and RRDP',
        feeds: ['rpki-rrdp', 'rpki-rsync'],
        module: 'rpki',
        live: false,
      },
      { key: 'mirrors', title: 'Registry mirror', detail: 'NRTM and files', feeds: ['nrtm4', 'whois-files'], live: false },
      { key: 'statistics', title: 'Statistics', detail: 'delegated files and transfer log', feeds: ['statistics'], live: false },
    ],
  },
  {
    title: 'Member services',
    services: [
      { key: 'portal', title: 'Member portal', detail: 'with sign-in', feeds: [], live: true },
      { key: 'api', title: 'Registry API', feeds: [], live: true },
      { key: 'mail', title: 'E-mail', detail: 'sent to you', feeds: ['mail'], live: true },
      { key: 'webhooks', title: 'Webhooks', feeds: ['webhooks'], live: true },
    ],
  },
];

export const services: readonly Service[] = serviceGroups.flatMap(group => group.services);

/** Services of members through which they change something: they stop changing while the database can only be read. */
export const changing: ReadonlySet<string> = new Set(['portal', 'api']);

/** Feeds that are the operators’ own: the status page doesn’t show them. */
export const ownFeeds: ReadonlySet<FeedName> = new Set(['backups', 'log-roots']);
