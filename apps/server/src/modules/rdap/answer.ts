import { whoisPermalink } from '@portal/contract/whois/permalink';
import type { Profile } from '../../profile.ts';

/* The types of RFC 9083 used by a number registry. */

export type Link = { value: string; rel: string; href: string; type?: string };
export type Notice = { title: string; type?: string; description: string[]; links?: Link[] };
export type Event = { eventAction: 'registration' | 'transfer' | 'last changed'; eventDate: string };
export type Cidr = { v4prefix: string; length: number } | { v6prefix: string; length: number };
/** A property of a jCard (RFC 7095): name, parameters, type, value. */
export type JCardProperty = readonly [name: string, parameters: Readonly<Record<string, string>>, type: string, value: string | string[]];

type Common = {
  handle?: string;
  lang?: string;
  status?: string[];
  remarks?: Notice[];
  events?: Event[];
  links?: Link[];
  port43?: string;
};
export type Entity = Common & {
  objectClassName: 'entity';
  roles: string[];
  /** Not where its object is too long to be in answers about others. */
  vcardArray?: readonly ['vcard', readonly JCardProperty[]];
  entities?: Entity[];
  networks?: Network[];
  autnums?: Autnum[];
};
export type Network = Common & {
  objectClassName: 'ip network';
  startAddress: string;
  endAddress: string;
  ipVersion: 'v4' | 'v6';
  name?: string;
  type?: string;
  country?: string;
  parentHandle?: string;
  cidr0_cidrs: Cidr[];
  entities?: Entity[];
};
export type Autnum = Common & {
  objectClassName: 'autnum';
  startAutnum: number;
  endAutnum: number;
  name?: string;
  country?: string;
  entities?: Entity[];
};
type Nameserver = { objectClassName: 'nameserver'; ldhName: string; ipAddresses?: { v4?: string[]; v6?: string[] } };
export type Domain = Common & {
  objectClassName: 'domain';
  ldhName: string;
  nameservers: Nameserver[];
  secureDNS: {
    delegationSigned: boolean;
    dsData?: { keyTag: number; algorithm: number; digestType: number; digest: string }[];
  };
  entities?: Entity[];
  network?: Network;
};
/** Something left out of an answer (RFC 9537, section 4.2). */
export type Redaction = {
  name: { description: string };
  reason: { description: string };
  prePath: string;
  method: 'removal';
};
/** An answer; `redacted` collects what is omitted. */
export type Answer = { body: object; redacted: readonly Redaction[] };

/** Shared by the parts of an answer. */
export type AnswerContext = {
  /** Address of the service, without a final slash. */
  base: string;
  /** The request's own address: the context of every link in its answer (RFC 9083, section 4.2). */
  request: string;
  profile: Profile;
  people: People;
};

/** The personal data of one answer, counted as at port 43. */
export type People = {
  /** Whether the caller has seen as much as it may on a day: contacts are left out of answers about others then. */
  readonly isOverLimit: boolean;
  /** Handles of the people and roles whose data are in the answer. */
  readonly shown: Set<string>;
};

/** For answers that show no one. */
export const noPeople = (): People => ({ isOverLimit: false, shown: new Set() });

export const rdapType = 'application/rdap+json';

export const linkTo = ({ base, request }: AnswerContext, rel: string, path: string): Link => ({
  value: request,
  rel,
  href: `${base}/${path}`,
  type: rdapType,
});

/** The public page of a prefix or AS number. */
export const pageLink = ({ base, request }: AnswerContext, resource: string): Link => ({
  value: request,
  rel: 'related',
  href: new URL(whoisPermalink(resource), base).href,
  type: 'text/html',
});

/** Extensions every answer names (NRO profile 4.1, 6.1.2.3). */
const always = ['rdap_level_0', 'cidr0', 'nro_rdap_profile_0', 'nro_rdap_profile_asn_flat_0'];
/** Extensions an answer names when it uses them. */
const occasional = ['geofeed1', 'redacted', 'rirSearch1', 'ips', 'ipSearchResults', 'autnums', 'autnumSearchResults'];

/** Extensions used by searches, and by look-ups that link to searches (RFC 9910), by the first path segment. */
const searchExtensions: Readonly<Record<string, { always: readonly string[]; results?: string }>> = {
  ips: { always: ['rirSearch1', 'ips'], results: 'ipSearchResults' },
  autnums: { always: ['rirSearch1', 'autnums'], results: 'autnumSearchResults' },
};

/**
 * The extensions of an answer; of `help`, all there are (NRO profile 6.4).
 * @param search the first part of the path of a search, and whether it is one by relation
 */
export function conformanceOf(
  body: object,
  { help = false, search = null }: { help?: boolean; search?: { kind: string; byRelation: boolean } | null } = {},
): string[] {
  if (help) return [...always, ...occasional];
  const text = JSON.stringify(body);
  const used = new Set<string>(always);
  if (text.includes('"rel":"geofeed"')) used.add('geofeed1');
  if ('redacted' in body) used.add('redacted');
  const extensions = searchExtensions[search?.kind ?? (text.includes('"rel":"rdap-') ? 'ips' : '')];
  for (const extension of extensions?.always ?? []) used.add(extension);
  if (extensions?.results !== undefined && extensions.results in body) used.add(extensions.results);
  if (search?.byRelation) used.add('rirSearch1');
  return [...used];
}

/** Returns the notices of every answer: source, terms of use, how to report wrong data (NRO profile 4.3). */
export function noticesOf({ request, profile }: AnswerContext): Notice[] {
  const link = (rel: string, href: string): Link => ({ value: request, rel, href, type: 'text/html' });
  return [
    { title: 'Source', description: [`Objects returned came from source ${profile.source}`] },
    {
      title: 'Terms and Conditions',
      description: [`This is the ${profile.registryName} RDAP service. Its use is subject to terms.`],
      links: [link('terms-of-service', profile.whoisTermsUrl)],
    },
    {
      title: 'Whois Inaccuracy Reporting',
      description: ['If you find wrong or missing data, please report it.'],
      links: [link('inaccuracy-report', profile.whoisInaccuracyUrl)],
    },
  ];
}
