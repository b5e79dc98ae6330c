import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';

/** Software and hosters with instructions. */
export const serverKinds = [
  { value: 'bind', label: 'BIND' },
  { value: 'nsd', label: 'NSD' },
  { value: 'knot', label: 'Knot' },
  { value: 'powerdns', label: 'PowerDNS' },
  { value: 'hoster', label: 'A DNS hoster' },
] as const;
export type ServerKind = (typeof serverKinds)[number]['value'];

export type RecipeStep = { text: string; code?: { title: string; text: string } };
type About = {
  zone: string;
  /** The server that fails, with its address. */
  server: string;
  address: string;
  /** Address of a server that answers, from which the zone can be transferred; null without one. */
  primary: { server: string; address: string } | null;
};

const load: Record<Exclude<ServerKind, 'hoster'>, (about: About) => RecipeStep[]> = {
  bind: ({ zone, server, address, primary }) =>
    primary
      ? [
          {
            text: `On ${server}, load the zone as a secondary of ${primary.server}, then run rndc reconfig:`,
            code: {
              title: `named.conf on ${server}`,
              text: `zone "${zone}" {\n    type secondary;\n    file "${zone}.db";\n    primaries { ${primary.address}; };\n};`,
            },
          },
          {
            text: `On ${primary.server}, allow the transfer and send notifications:`,
            code: {
              title: `named.conf on ${primary.server}`,
              text: `zone "${zone}" {\n    …\n    allow-transfer { ${address}; };\n    also-notify { ${address}; };\n};`,
            },
          },
        ]
      : [
          {
            text: `On ${server}, load the zone, then run rndc reconfig:`,
            code: { title: `named.conf on ${server}`, text: `zone "${zone}" {\n    type primary;\n    file "${zone}.db";\n};` },
          },
        ],
  nsd: ({ zone, server, address, primary }) =>
    primary
      ? [
          {
            text: `On ${server}, load the zone from ${primary.server}, then run nsd-control reconfig:`,
            code: {
              title: `nsd.conf on ${server}`,
              text: `zone:\n    name: "${zone}"\n    zonefile: "${zone}.zone"\n    allow-notify: ${primary.address} NOKEY\n    request-xfr: ${primary.address} NOKEY`,
            },
          },
          {
            text: `If ${primary.server} runs NSD too, allow the transfer:`,
            code: { title: `nsd.conf on ${primary.server}`, text: `    notify: ${address} NOKEY\n    provide-xfr: ${address} NOKEY` },
          },
        ]
      : [
          {
            text: `On ${server}, load the zone, then run nsd-control reconfig:`,
            code: { title: `nsd.conf on ${server}`, text: `zone:\n    name: "${zone}"\n    zonefile: "${zone}.zone"` },
          },
        ],
  knot: ({ zone, server, address, primary }) =>
    primary
      ? [
          {
            text: `On ${server}, load the zone from ${primary.server}, then run knotc reload:`,
            code: {
              title: `knot.conf on ${server}`,
              text: `remote:\n  - id: primary\n    address: ${primary.address}\n\nacl:\n  - id: notify-from-primary\n    address: ${primary.address}\n    action: notify\n\nzone:\n  - domain: ${zone}\n    master: primary\n    acl: notify-from-primary`,
            },
          },
          {
            text: `If ${primary.server} runs Knot too, allow the transfer:`,
            code: {
              title: `knot.conf on ${primary.server}`,
              text: `acl:\n  - id: transfer-to-secondary\n    address: ${address}\n    action: transfer`,
            },
          },
        ]
      : [
          {
            text: `On ${server}, load the zone, then run knotc reload:`,
            code: { title: `knot.conf on ${server}`, text: `zone:\n  - domain: ${zone}\n    file: "${zone}.zone"` },
          },
        ],
  powerdns: ({ zone, server, address, primary }) =>
    primary
      ? [
          {
            text: `On ${server}, with secondary=yes in pdns.conf, add the zone as a secondary of ${primary.server}:`,
            code: {
              title: `Shell on ${server}`,
              text: `pdnsutil create-secondary-zone ${zone} ${primary.address}\npdns_control retrieve ${zone}`,
            },
          },
          {
            text: `If ${primary.server} runs PowerDNS too, allow the transfer:`,
            code: { title: `pdns.conf on ${primary.server}`, text: `primary=yes\nallow-axfr-ips=${address}\nalso-notify=${address}` },
          },
        ]
      : [
          {
            text: `On ${server}, add the zone and its records:`,
            code: { title: `Shell on ${server}`, text: `pdnsutil create-zone ${zone} ${server}\npdnsutil edit-zone ${zone}` },
          },
        ],
};

const hoster = ({ zone, server }: About): RecipeStep[] => [
  {
    text: `At the hoster of ${server}, add a public zone named exactly ${zone}. Amazon Route 53: Hosted zones, Create hosted zone. Azure: DNS zones, Create. Cloudflare: Add a domain, with that name.`,
  },
  { text: 'Add the PTR records: the last part of the address as the name, such as 10, and the host name as the value.' },
  {
    text: 'Hosters give each zone its own set of name servers. If they aren’t the ones delegated here, change the delegation to those: Edit zone.',
  },
];

const resign: Record<ServerKind, (about: Pick<About, 'zone' | 'server'>) => RecipeStep[]> = {
  bind: ({ zone }) => [
    {
      text: 'Look why the signer stopped, then sign again:',
      code: { title: 'Shell on the primary', text: `rndc dnssec -status ${zone}\nrndc sign ${zone}` },
    },
  ],
  nsd: ({ zone }) => [
    {
      text: 'NSD doesn’t sign. Sign the file again and load it; run this from a timer, well before the signatures end:',
      code: { title: 'Shell on the primary', text: `ldns-signzone -n ${zone}.zone KSK ZSK\nnsd-control reload ${zone}` },
    },
  ],
  knot: ({ zone }) => [
    {
      text: 'Sign again, and look when the next signing is planned:',
      code: { title: 'Shell on the primary', text: `knotc zone-sign ${zone}\nknotc zone-status ${zone} +events` },
    },
  ],
  powerdns: ({ zone }) => [
    {
      text: 'PowerDNS signs as it answers. A signed copy on a secondary is renewed by a transfer:',
      code: { title: 'Shell', text: `pdnsutil check-zone ${zone}\npdnsutil increase-serial ${zone}\npdns_control notify ${zone}` },
    },
  ],
  hoster: () => [
    {
      text: 'Hosters sign automatically. Compare the DS record that the hoster shows with the one here, and ask the hoster why the signatures aren’t renewed.',
    },
  ],
};

const loading = new Set<DnsCheck>(['answers', 'authoritative', 'soaExists', 'noUpwardReferral', 'apexExists']);
const signing = new Set<DnsCheck>([
  'signatureTime',
  'signatureLife',
  'keySignature',
  'soaSignature',
  'dataSignature',
  'denial',
  'dsSigned',
]);

/** Returns the steps that repair what a check found, for a kind of server; null where the sentence of the catalogue is enough. */
export function recipeFor(check: DnsCheck, kind: ServerKind, about: About): RecipeStep[] | null {
  if (loading.has(check)) return kind === 'hoster' ? hoster(about) : load[kind](about);
  return signing.has(check) ? resign[kind](about) : null;
}
