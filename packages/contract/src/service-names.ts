/** Services that members, or readers of what the registry publishes, depend on: the status page shows the state of each, and announcements name those they are about. */
export const serviceTitles = {
  whois: 'Whois',
  rdap: 'RDAP',
  'reverse-dns': 'Reverse DNS',
  rpki: 'RPKI repository',
  mirrors: 'Registry mirror',
  statistics: 'Statistics',
  portal: 'Member portal',
  api: 'Registry API',
  mail: 'E-mail',
  webhooks: 'Webhooks',
} as const;
export type ServiceName = keyof typeof serviceTitles;
export const serviceNames = Object.keys(serviceTitles) as [ServiceName, ...ServiceName[]];

/** Services in words, in the order of the status page: “Whois, RDAP”. */
export const servicesInWords = (names: readonly ServiceName[]): string =>
  serviceNames
    .filter(name => names.includes(name))
    .map(name => serviceTitles[name])
    .join(', ');
