/** Terms of the field that pages explain where they stand: what each is called there, and what it means in one or two sentences. */
export const terms = {
  delegation: {
    name: 'Delegation',
    words: 'Addresses or AS numbers that the registry gave to a holder, as an allocation or an assignment.',
  },
  allocation: { name: 'Allocation', words: 'Addresses that their holder may give on to customers.' },
  assignment: { name: 'Assignment', words: 'Addresses for use in the holder’s own network, or that a holder gave to a customer.' },
  holder: { name: 'Holder', words: 'The organisation that a delegation belongs to.' },
  economy: { name: 'Economy', words: 'The two-letter code of ISO 3166 that a delegation or account is registered under, such as AU.' },
  asNumber: {
    name: 'AS number',
    words: 'The number of an autonomous system: a network with a routing policy of its own, such as AS64500.',
  },
  prefix: { name: 'Prefix', words: 'Addresses that share their first bits, written with their number: 192.0.2.0/24 has 256 addresses.' },
  announcement: { name: 'Announced', words: 'A network tells the others by BGP that it can be reached at these addresses.' },
  origin: { name: 'Origin', words: 'The AS number that announces a prefix first.' },
  roa: {
    name: 'ROA',
    words:
      'Route origin authorisation: a signed object by which a holder says which AS number may announce a prefix, and up to which length.',
  },
  rpki: { name: 'RPKI', words: 'Resource public key infrastructure: certificates that prove who holds addresses and AS numbers.' },
  validity: {
    name: 'Validity',
    words: 'What ROAs say about an announcement: valid, invalid (another AS number, or too long a prefix), or that no ROA covers it.',
  },
  reverseDns: {
    name: 'Reverse DNS',
    words: 'Names of addresses: zones below in-addr.arpa and ip6.arpa, which lead from an address to a name.',
  },
  irr: {
    name: 'IRR',
    words: 'Internet routing registry: route objects in whois that say which AS number announces a prefix, from which filters are built.',
  },
  rdap: { name: 'RDAP', words: 'Registration data access protocol: whois for programs, as JSON over HTTPS.' },
  maintainer: { name: 'Maintainer', words: 'The whois object (mntner) whose credentials may change other objects.' },
  irt: { name: 'IRT', words: 'Incident response team: the whois object with the mailbox for abuse reports.' },
  nrtm: { name: 'NRTM', words: 'Near real time mirroring: how other servers keep a copy of the whois data.' },
  rrdp: { name: 'RRDP', words: 'RPKI repository delta protocol: how validators fetch signed objects over HTTPS.' },
  routeObject: {
    name: 'Route object',
    words: 'The whois object (route, route6) that says which AS number announces a prefix. Other networks build their filters from it.',
  },
  asSet: { name: 'AS set', words: 'The whois object (as-set) that names several AS numbers, such as a network and its customers.' },
  whoisObject: {
    name: 'Whois object',
    words: 'A record of the public registry, as lines of attributes: a network, an AS number, a contact, a route.',
  },
  reverseZone: {
    name: 'Reverse zone',
    words:
      'The zone of DNS with the names of a prefix, such as 2.0.192.in-addr.arpa. The registry delegates it to the holder’s name servers.',
  },
  certificate: {
    name: 'Resource certificate',
    words: 'A certificate that says which addresses and AS numbers an account holds. ROAs are signed with its key.',
  },
  transfer: { name: 'Transfer', words: 'Numbers move to another holder, or the whole organisation does with its numbers.' },
  resources: { name: 'Number resources', words: 'IPv4 addresses, IPv6 addresses and AS numbers.' },
  nir: {
    name: 'NIR',
    words: 'National internet registry: it delegates numbers to the networks of its economy, out of what this registry delegated to it.',
  },
  contact: {
    name: 'Contact',
    words: 'A person or team that answers for an account or a network. Elsewhere it is called a point of contact (POC).',
  },
  pool: { name: 'Pool', words: 'Numbers that belong to no one yet: free, or set aside.' },
  setAside: { name: 'Set aside', words: 'Numbers that rest after a return, or that policy keeps back. They can’t be delegated now.' },
} as const satisfies Record<string, { name: string; words: string }>;

export type TermName = keyof typeof terms;
export const termNames = Object.keys(terms) as TermName[];

/** The article that has all of them, and a term’s place in it. */
export const termsArticle = 'words';
export const termAddress = (name: TermName): string =>
  `/help/${termsArticle}#${terms[name].name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
