import { isIP } from 'node:net';

/**
 * Checks an answer against RFC 9083, RFC 7095, RFC 9537, cidr0 and the NRO profile (2021-01), written from those texts and not from our code. Returns
 * the broken rules, each with its place.
 */
export function brokenRules(answer: unknown, request: { kind: AnswerKind }): string[] {
  const problems: string[] = [];
  const assertions: Assertions = {
    must: (holds, path, rule) => {
      if (!holds) problems.push(`${path}: ${rule}`);
      return holds;
    },
  };
  const { must } = assertions;
  if (!must(isObject(answer), '$', 'an answer is a JSON object')) return problems;
  const body = answer as Json;
  everywhere(body, '$', assertions);
  checkConformance(body, assertions, request.kind);
  checkNotices(body, assertions);
  const check = checks[request.kind];
  check(body, '$', assertions, true);
  if (!['error', 'help'].includes(request.kind) && !request.kind.endsWith('Results') && request.kind !== 'redirect')
    checkEvents(body, assertions);
  return problems;
}

export type AnswerKind =
  | 'ip network'
  | 'autnum'
  | 'domain'
  | 'entity'
  | 'help'
  | 'error'
  | 'redirect'
  | 'entitySearchResults'
  | 'domainSearchResults'
  | 'ipSearchResults'
  | 'autnumSearchResults';

type Json = Record<string, unknown>;
type Assertions = { must: (holds: boolean, path: string, rule: string) => boolean };
type Check = (body: Json, path: string, assertions: Assertions, top: boolean) => void;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

// RFC 9083, 10.2: values registered by IANA that a number registry has use for.
const statuses = [
  'active',
  'administrative',
  'reserved',
  'inactive',
  'locked',
  'removed',
  'obscured',
  'private',
  'validated',
  'associated',
];
const roles = [
  'registrant',
  'technical',
  'administrative',
  'abuse',
  'noc',
  'notifications',
  'registrar',
  'reseller',
  'sponsor',
  'proxy',
  'billing',
];
const eventActions = [
  'registration',
  'reregistration',
  'last changed',
  'expiration',
  'deletion',
  'transfer',
  'locked',
  'unlocked',
  'last update of RDAP database',
];
const noticeTypes = [
  'result set truncated due to authorization',
  'result set truncated due to excessive load',
  'result set truncated due to unexplainable reasons',
  'object truncated due to authorization',
  'object truncated due to excessive load',
  'object truncated due to unexplainable reasons',
  'object redacted due to authorization',
];
const instant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  422: 'Unprocessable Entity',
  404: 'Not Found',
  405: 'Method Not Allowed',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
};

/** Rules of every part, however deep. */
function everywhere(part: unknown, path: string, assertions: Assertions): void {
  const { must } = assertions;
  if (Array.isArray(part)) {
    for (const [index, item] of part.entries()) everywhere(item, `${path}[${index}]`, assertions);
    return;
  }
  if (!isObject(part)) {
    must(part !== null && part !== undefined, path, 'a member without a value is left out, not null');
    return;
  }
  if ('objectClassName' in part && part['objectClassName'] !== 'nameserver') {
    const selves = list(part['links']).filter(({ rel }) => rel === 'self');
    must(selves.length === 1, path, 'every object has one self link (NRO 4.2)');
    must(isText(part['handle']), path, 'has a handle (RFC 9083, 5)');
    must(part['lang'] === undefined || isText(part['lang']), path, 'lang is a text');
  }
  for (const name of ['ldhName', 'unicodeName'])
    if (name in part) {
      must(isText(part[name]) && part[name].endsWith('.'), `${path}.${name}`, 'domain names end with a dot (NRO 3.1)');
      must(
        /^(?:[a-z0-9_](?:[a-z0-9_/-]*[a-z0-9])?\.)+$/i.test(String(part[name])),
        `${path}.${name}`,
        'is a name of letters, digits and hyphens',
      );
    }
  if ('links' in part) {
    must(Array.isArray(part['links']) && part['links'].length > 0, `${path}.links`, 'is a list with something in it');
    for (const [index, link] of list(part['links']).entries()) {
      const at = `${path}.links[${index}]`;
      for (const member of ['value', 'rel', 'href'])
        must(isText(link[member]), `${at}.${member}`, 'links have value, rel and href (RFC 9083, 4.2)');
      must(URL.canParse(String(link['href'])) && URL.canParse(String(link['value'])), at, 'links are whole addresses');
      if (link['rel'] === 'self' || link['rel'] === 'up')
        must(link['type'] === 'application/rdap+json', at, 'links to answers name their type');
      if (link['rel'] === 'geofeed') must(link['type'] === 'application/geofeed+csv', at, 'geofeed links name their type (RFC 9877)');
    }
  }
  for (const name of ['notices', 'remarks'])
    if (name in part)
      for (const [index, notice] of list(part[name]).entries()) {
        const at = `${path}.${name}[${index}]`;
        must(
          Array.isArray(notice['description']) && notice['description'].every(line => typeof line === 'string'),
          at,
          'description is a list of texts',
        );
        must(
          notice['type'] === undefined || noticeTypes.includes(notice['type'] as string),
          at,
          'type is a registered one (RFC 9083, 10.2.1)',
        );
      }
  if ('events' in part)
    for (const [index, event] of list(part['events']).entries()) {
      const at = `${path}.events[${index}]`;
      must(eventActions.includes(String(event['eventAction'])), at, 'eventAction is registered (RFC 9083, 10.2.3)');
      must(instant.test(String(event['eventDate'])), at, 'eventDate is an instant (RFC 3339)');
    }
  if ('status' in part)
    must(
      Array.isArray(part['status']) && part['status'].length > 0 && part['status'].every(status => statuses.includes(String(status))),
      `${path}.status`,
      'is registered (RFC 9083, 10.2.2)',
    );
  if ('port43' in part) must(isText(part['port43']) && !String(part['port43']).includes('/'), `${path}.port43`, 'is a host name');
  if ('country' in part) must(/^[A-Z]{2}$/.test(String(part['country'])), `${path}.country`, 'is a country code (RFC 9083, 5.4)');
  if ('entities' in part)
    for (const [index, entity] of list(part['entities']).entries()) checkEntity(entity, `${path}.entities[${index}]`, assertions, false);
  for (const [name, value] of Object.entries(part)) if (name !== 'vcardArray') everywhere(value, `${path}.${name}`, assertions);
}

function checkConformance(body: Json, { must }: Assertions, kind: AnswerKind): void {
  const conformance = body['rdapConformance'];
  if (!must(Array.isArray(conformance), '$.rdapConformance', 'is a list')) return;
  const named = conformance as string[];
  for (const extension of ['rdap_level_0', 'nro_rdap_profile_0', 'cidr0'])
    must(named.includes(extension), '$.rdapConformance', `names ${extension} (NRO 4.1)`);
  const models = ['nro_rdap_profile_asn_flat_0', 'nro_rdap_profile_asn_hierarchical_0'].filter(model => named.includes(model));
  must(models.length === 1, '$.rdapConformance', 'names one model of AS numbers (NRO 6.1.2)');
  must(new Set(named).size === named.length, '$.rdapConformance', 'names each extension once');
  const text = JSON.stringify(body);
  const used: [string, boolean][] = [
    ['geofeed1', text.includes('"rel":"geofeed"')],
    ['redacted', 'redacted' in body],
    ['ipSearchResults', 'ipSearchResults' in body],
    ['autnumSearchResults', 'autnumSearchResults' in body],
  ];
  for (const [extension, isUsed] of used)
    must(
      kind === 'help' || named.includes(extension) === isUsed || (extension.endsWith('Results') && named.includes(extension)),
      '$.rdapConformance',
      `names ${extension} when it is used`,
    );
  for (const name of Object.keys(body))
    must(!/^(?:cidr0|ips|autnums_)/.test(name) || name === 'cidr0_cidrs', `$.${name}`, 'extension members are declared');
  if (Array.isArray(body['redacted']))
    for (const [index, one] of list(body['redacted']).entries()) {
      const at = `$.redacted[${index}]`;
      must(isObject(one['name']) && (isText(one['name']['type']) || isText(one['name']['description'])), at, 'has a name (RFC 9537, 4.2)');
      must(
        ['removal', 'emptyValue', 'partialValue', 'replacementValue'].includes(String(one['method'])),
        at,
        'has a method (RFC 9537, 4.2)',
      );
      must(isText(one[one['method'] === 'removal' ? 'prePath' : 'postPath']), at, 'says where (RFC 9537, 4.2)');
      must(String(one['prePath'] ?? one['postPath']).startsWith('$'), at, 'paths are JSONPath');
    }
}

function checkNotices(body: Json, { must }: Assertions): void {
  const notices = list(body['notices']);
  must(notices.length > 0, '$.notices', 'every answer has notices (NRO 4.3)');
  for (const rel of ['terms-of-service', 'inaccuracy-report'])
    must(
      notices.some(({ links }) => list(links).some(link => link['rel'] === rel)),
      '$.notices',
      `has a notice with a link ${rel} (NRO 4.3)`,
    );
}

function checkEvents(body: Json, { must }: Assertions): void {
  if (list(body['status'])[0] === ('reserved' as unknown)) return;
  for (const action of ['registration', 'last changed'])
    must(list(body['events']).filter(({ eventAction }) => eventAction === action).length === 1, '$.events', `has ${action} (NRO 4.4)`);
}

const checkNumbers = (body: Json, path: string, { must }: Assertions, top: boolean): void => {
  const isReserved = (body['status'] as string[] | undefined)?.includes('reserved') ?? false;
  must(Array.isArray(body['status']), path, 'has a status (NRO 5.4, 5.5)');
  if (!top || isReserved) return;
  const entities = list(body['entities']);
  for (const role of ['abuse', 'registrant'])
    must(
      entities.some(entity => (entity['roles'] as string[]).includes(role)),
      `${path}.entities`,
      `has an entity of role ${role} (NRO 5.3)`,
    );
};

const checkNetwork: Check = (body, path, assertions, top) => {
  const { must } = assertions;
  must(body['objectClassName'] === 'ip network', path, 'is an ip network');
  for (const member of ['handle', 'startAddress', 'endAddress', 'ipVersion'])
    must(isText(body[member]), `${path}.${member}`, 'is there (NRO 5.4)');
  const family = isIP(String(body['startAddress']));
  must(family > 0 && family === isIP(String(body['endAddress'])), path, 'both ends are addresses of one family');
  must(body['ipVersion'] === `v${family}`, `${path}.ipVersion`, 'fits the addresses');
  const cidrs = list(body['cidr0_cidrs']);
  must(cidrs.length > 0, `${path}.cidr0_cidrs`, 'is there (cidr0)');
  const member = family === 4 ? 'v4prefix' : 'v6prefix';
  for (const [index, cidr] of cidrs.entries())
    must(
      isIP(String(cidr[member])) === family && Number.isInteger(cidr['length']),
      `${path}.cidr0_cidrs[${index}]`,
      `has ${member} and length`,
    );
  must(cidrs[0]?.[member] === body['startAddress'], `${path}.cidr0_cidrs`, 'begins where the network begins');
  checkNumbers(body, path, assertions, top);
};

const checkAutnum: Check = (body, path, assertions, top) => {
  const { must } = assertions;
  must(body['objectClassName'] === 'autnum', path, 'is an autnum');
  must(isText(body['handle']), `${path}.handle`, 'is there (NRO 5.5)');
  for (const member of ['startAutnum', 'endAutnum']) must(Number.isInteger(body[member]), `${path}.${member}`, 'is a number (NRO 5.5)');
  must(Number(body['startAutnum']) <= Number(body['endAutnum']), path, 'ends after it starts');
  checkNumbers(body, path, assertions, top);
};

const checkDomain: Check = (body, path, assertions, top) => {
  const { must } = assertions;
  must(body['objectClassName'] === 'domain', path, 'is a domain');
  must(isText(body['ldhName']), `${path}.ldhName`, 'is there (NRO 5.2)');
  must(Array.isArray(body['nameservers']), `${path}.nameservers`, 'is there (NRO 5.2)');
  for (const [index, server] of list(body['nameservers']).entries()) {
    const at = `${path}.nameservers[${index}]`;
    must(server['objectClassName'] === 'nameserver', at, 'is a nameserver');
    const addresses = (server['ipAddresses'] ?? {}) as { v4?: string[]; v6?: string[] };
    must(
      (addresses.v4 ?? []).every(address => isIP(address) === 4),
      at,
      'v4 holds IPv4 addresses',
    );
    must(
      (addresses.v6 ?? []).every(address => isIP(address) === 6),
      at,
      'v6 holds IPv6 addresses',
    );
  }
  const secureDns = body['secureDNS'] as Json | undefined;
  if (secureDns) {
    must(typeof secureDns['delegationSigned'] === 'boolean', `${path}.secureDNS`, 'says whether the delegation is signed');
    for (const [index, ds] of list(secureDns['dsData']).entries()) {
      const at = `${path}.secureDNS.dsData[${index}]`;
      for (const number of ['keyTag', 'algorithm', 'digestType']) must(Number.isInteger(ds[number]), `${at}.${number}`, 'is a number');
      must(/^[0-9A-Fa-f]+$/.test(String(ds['digest'])), `${at}.digest`, 'is hexadecimal');
    }
  }
  if (top) must(isObject(body['network']), `${path}.network`, 'the zone’s network is there (NRO 5.2)');
  if (isObject(body['network'])) checkNetwork(body['network'], `${path}.network`, assertions, false);
};

// NRO profile 5.1.1: properties, and the types each may have.
const jCardTypes: Readonly<Record<string, readonly string[]>> = {
  kind: ['text'],
  fn: ['text'],
  n: ['text'],
  adr: ['text'],
  tel: ['uri', 'text'],
  email: ['text'],
  lang: ['language-tag'],
  geo: ['uri'],
  title: ['text'],
  role: ['text'],
  org: ['text'],
  version: ['text'],
  'contact-uri': ['uri'],
};
const jCardParameters: Readonly<Record<string, readonly string[]>> = {
  email: ['type'],
  org: ['type'],
  adr: ['type', 'label', 'cc'],
  tel: ['type'],
};
const telTypes = ['text', 'voice', 'fax', 'cell', 'video', 'pager', 'textphone', 'work', 'home'];

const checkEntity: Check = (body, path, assertions, top) => {
  const { must } = assertions;
  must(body['objectClassName'] === 'entity', path, 'is an entity');
  must(
    Array.isArray(body['roles']) && (body['roles'] as string[]).every(role => roles.includes(role)),
    `${path}.roles`,
    'are registered (RFC 9083, 10.2.4)',
  );
  if (path.includes('.entities[')) must((body['roles'] as string[]).length > 0, `${path}.roles`, 'a nested entity has a role');
  for (const member of ['networks', 'autnums'])
    if (member in body) {
      must(
        top && (body['roles'] as string[]).includes('registrant'),
        `${path}.${member}`,
        'only a registrant at the top lists what it has (NRO 5.1.2)',
      );
      must(list(body[member]).length > 0, `${path}.${member}`, 'is not empty (NRO 5.1.2)');
      for (const [index, one] of list(body[member]).entries())
        (member === 'networks' ? checkNetwork : checkAutnum)(one, `${path}.${member}[${index}]`, assertions, false);
    }
  const card = body['vcardArray'];
  if (!must(Array.isArray(card) && card[0] === 'vcard' && Array.isArray(card[1]), `${path}.vcardArray`, 'is a jCard (RFC 7095, 3.2)'))
    return;
  const properties = (card as [string, [string, Json, string, unknown][]])[1];
  const named = (name: string) => properties.filter(property => property[0] === name);
  must(properties[0]?.[0] === 'version' && properties[0][3] === '4.0', `${path}.vcardArray`, 'begins with the version (RFC 7095, 3.3)');
  must(named('fn').length > 0 && isText(named('fn')[0]?.[3]), `${path}.vcardArray`, 'has a name (RFC 6350, 6.2.1)');
  must(named('kind').length === 1, `${path}.vcardArray`, 'has one kind (NRO 5.1.1)');
  must(
    ['individual', 'group', 'org'].includes(String(named('kind')[0]?.[3])),
    `${path}.vcardArray`,
    'kind is individual, group or org (NRO 5.1.1)',
  );
  if ((body['roles'] as string[]).includes('abuse') && !top)
    must(named('email').length > 0, `${path}.vcardArray`, 'an abuse contact has an e-mail (NRO 5.3)');
  for (const [index, property] of properties.entries()) {
    const at = `${path}.vcardArray[1][${index}]`;
    const [name, parameters, type, value] = property;
    must(property.length >= 4 && isObject(parameters), at, 'has name, parameters, type and value (RFC 7095, 3.3)');
    if (!must(name in jCardTypes, at, `${name} is no property of the profile (NRO 5.1.1)`)) continue;
    must(jCardTypes[name]!.includes(type), at, `type ${type} is not for ${name} (NRO 5.1.1)`);
    for (const parameter of Object.keys(parameters))
      must(
        ['language', 'altid', 'pref', ...(jCardParameters[name] ?? [])].includes(parameter),
        at,
        `parameter ${parameter} is not for ${name} (NRO 5.1.1)`,
      );
    const kinds = parameters['type'] === undefined ? [] : [parameters['type']].flat();
    must(
      kinds.every(kind => (name === 'tel' ? telTypes : ['work', 'home']).includes(kind as string)),
      at,
      'type is one of the profile (NRO 5.1.1)',
    );
    if (name === 'adr') {
      must(isText(parameters['label']), at, 'adr has a label (NRO 5.1.1)');
      must(Array.isArray(value) && value.length === 7, at, 'adr has seven parts (RFC 6350, 6.3.1)');
    } else must(typeof value === 'string' && value !== '', at, 'has a value');
  }
};

const results =
  (member: string, check: Check): Check =>
  (body, path, assertions) => {
    assertions.must(Array.isArray(body[member]), `${path}.${member}`, 'is a list, also when nothing is found (RFC 9083, 8)');
    for (const [index, one] of list(body[member]).entries()) check(one, `${path}.${member}[${index}]`, assertions, false);
  };

const checks: Readonly<Record<AnswerKind, Check>> = {
  'ip network': checkNetwork,
  autnum: checkAutnum,
  domain: checkDomain,
  entity: checkEntity,
  entitySearchResults: results('entitySearchResults', checkEntity),
  domainSearchResults: results('domainSearchResults', checkDomain),
  ipSearchResults: results('ipSearchResults', checkNetwork),
  autnumSearchResults: results('autnumSearchResults', checkAutnum),
  help: (body, path, { must }) => must(!('objectClassName' in body), path, 'help is no object'),
  redirect: (body, path, { must }) => must(!('objectClassName' in body), path, 'a redirect is no object'),
  error: (body, path, { must }) => {
    must(Number.isInteger(body['errorCode']), `${path}.errorCode`, 'is a number (RFC 9083, 6)');
    must(body['title'] === reasons[Number(body['errorCode'])], `${path}.title`, 'is the reason phrase (NRO 7)');
    const description = body['description'];
    must(Array.isArray(description) && description.length > 0 && description.every(isText), `${path}.description`, 'says more (NRO 7)');
    must(!list(description).includes(body['title'] as never), `${path}.description`, 'says more than the title (NRO 7)');
  },
};
