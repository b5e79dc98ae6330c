import type { CheckedServer, CheckReport } from '@portal/contract/reverse-dns/checks';
import type { DnsCheck } from '@portal/contract/reverse-dns/check-catalogue';
import { findSpecialBlock, parseAddress, parseReverseZone, printReverseName } from '@portal/number-resources';
import type { Asked, DnsClient, Transport } from '../../../adapters/dns/client.ts';
import {
  addressIn,
  codeName,
  type DnsMessage,
  type DnsRecord,
  nameIn,
  printRecord,
  type Question,
  recordTypes,
  soaOf,
} from '../../../adapters/dns/message.ts';
import { checkDnssec } from './dnssec.ts';
import { type Findings, findingsOf, type Target } from './findings.ts';
import type { Resolver } from './resolver.ts';

export type CheckQuestion = {
  zone: string;
  /** Servers to ask: those of the delegation, or those of a test; a server inside the zone with its address. */
  servers: readonly string[];
  ds: readonly string[];
  /** The current answer of the parent; null where it was not asked, as in a test before the delegation. */
  parent: { found: boolean; servers: readonly string[] } | null;
  /** The addresses are registered to an account. */
  isHeld: boolean;
};
export type CheckTools = {
  client: DnsClient;
  resolver: Resolver;
  port: number;
  timeoutMs: number;
  /** Private and reserved addresses may be asked: a lab. */
  lab: boolean;
  now: Date;
  /** AS numbers that originate an address, as far as the registry knows. */
  originsOf: (address: string) => Promise<number[]>;
};

/** Makes every check of a zone. Asks the listed servers and the resolver only; never throws for what servers do. */
export async function checkZone(question: CheckQuestion, tools: CheckTools): Promise<CheckReport> {
  const found = findingsOf();
  const { zone } = question;
  const raw: CheckReport['raw'] = [];
  const prefix = boundaryOf(zone, found);
  const hosts = [...new Set(question.servers.map(each => each.split(' ')[0]!))];
  if (question.parent === null) found.skip('delegated', 'Tested before the delegation');
  else if (question.parent.found) found.pass('delegated', `Delegated to ${question.parent.servers.join(', ')}`);
  else found.fail('delegated', `${zone} isn’t delegated by its parent zone`);
  if (hosts.length >= 2) found.pass('twoServers', `${hosts.length} servers`);
  else found.fail('twoServers', hosts.length === 0 ? 'No name servers' : `Only ${hosts[0]}`);
  const [addresses, chain] = await Promise.all([resolveServers(question, tools, found), tools.resolver.chainTo(zone)]);
  const targets = await Promise.all(addresses.map(({ server, address }) => askTarget(zone, server, address, tools, raw)));
  judgeServers(question, targets, found);
  await judgeBehaviour(zone, targets, tools, found, raw);
  judgeConsistency(question, targets, found);
  await judgeGlue(question, targets, tools, found);
  await judgeAddresses(targets, tools, found);
  judgeSoa(targets, found);
  const dnssec = await checkDnssec(zone, question.ds, targets, tools.now, found);
  await judgeReverse(question, prefix, targets, tools, found);
  judgeReferral(question, found);
  return {
    findings: found.list,
    servers: targets.map(serverOf),
    chain,
    ...dnssec,
    ds: [...question.ds],
    raw: raw.slice(0, 200),
  };
}

function boundaryOf(zone: string, found: Findings): ReturnType<typeof parseReverseZone> | null {
  try {
    const prefix = parseReverseZone(zone);
    if (prefix.length === 0 || (prefix.family === 'ipv4' && prefix.length > 24))
      throw new Error(`${zone} isn’t on a boundary at which the registry delegates`);
    found.pass('boundary', zone);
    return prefix;
  } catch (error) {
    found.fail('boundary', (error as Error).message);
    return null;
  }
}

/** Addresses of one server that are asked at most. */
const MOST_ADDRESSES = 4;

/** Finds the addresses of the servers, and refuses those that may not be asked. */
async function resolveServers(
  { zone, servers }: CheckQuestion,
  { resolver, lab }: CheckTools,
  found: Findings,
): Promise<{ server: string; address: string }[]> {
  const glue = new Map<string, string[]>();
  for (const each of servers) {
    const [host = '', address] = each.split(' ');
    glue.set(host, [...(glue.get(host) ?? []), ...(address === undefined ? [] : [address])]);
  }
  const aliases: { server: string; detail: string }[] = [];
  const lost: { server: string; detail: string }[] = [];
  const hidden: { server: string; detail: string }[] = [];
  const all = await Promise.all(
    [...glue].map(async ([server, given]) => {
      if (given.length > 0) return given.map(address => ({ server, address }));
      const { addresses, alias, failure } = await resolver.addressesOf(server);
      if (alias !== null) aliases.push({ server, detail: `${server} is an alias of ${alias}` });
      if (addresses.length === 0) lost.push({ server, detail: `${server} has no address${failure === null ? '' : ` (${failure})`}` });
      return addresses.slice(0, MOST_ADDRESSES).map(address => ({ server, address }));
    }),
  );
  const asked = all.flat().filter(({ server, address }) => {
    const block = findSpecialBlock({
      family: parseAddress(address).family,
      first: parseAddress(address).value,
      last: parseAddress(address).value,
    });
    if (!block || lab) return true;
    hidden.push({ server, detail: `${address} is reserved (${block.name}), so it can’t be reached from elsewhere and wasn’t asked` });
    return false;
  });
  found.each('nsNotAlias', aliases);
  found.each('resolves', lost);
  found.each('publicAddress', hidden, lab ? 'A lab: every address is asked' : '');
  const shared = asked.filter(({ address, server }) => asked.some(other => other.address === address && other.server < server));
  found.each(
    'distinctAddresses',
    shared.map(({ server, address }) => ({ server, detail: `${server} has the address ${address} of another server` })),
  );
  void zone;
  return asked;
}

const failureOf = (asked: Asked): string =>
  asked.failure ? `${asked.failure.kind === 'timeout' ? 'timed out' : asked.failure.kind}: ${asked.failure.detail}` : '';

async function askTarget(
  zone: string,
  server: string,
  address: string,
  { client, port, timeoutMs }: CheckTools,
  raw: CheckReport['raw'],
): Promise<Target> {
  const ask = async (question: Question, transport: Transport = 'udp'): Promise<Asked> => {
    let asked = await client.ask(address, question, { transport, port, timeoutMs });
    let over = transport;
    if (transport === 'udp' && asked.message?.truncated) {
      over = 'tcp';
      asked = await client.ask(address, question, { transport: 'tcp', port, timeoutMs });
    }
    raw.push({
      server: `${server} ${address}`,
      question: `${question.name} ${question.type} over ${over.toUpperCase()}`,
      milliseconds: asked.milliseconds,
      text: textOf(asked),
    });
    return asked;
  };
  const soaUdp = await ask({ name: zone, type: 'SOA', dnssec: true });
  const isSilent = soaUdp.failure?.kind === 'timeout' || soaUdp.failure?.kind === 'refused';
  const [soaTcp, other] = await Promise.all([
    ask({ name: zone, type: 'SOA', dnssec: true }, 'tcp'),
    soaUdp.failure?.kind === 'timeout'
      ? client.ask(address, { name: zone, type: 'SOA' }, { transport: 'udp', port, timeoutMs, anySource: true })
      : null,
  ]);
  // A server that does not answer at all is asked no more.
  const rest = isSilent && soaTcp.failure ? () => Promise.resolve(soaUdp) : ask;
  const over: Transport = isSilent ? 'tcp' : 'udp';
  const [ns, keys, cds, cdnskey, missing] = await Promise.all([
    rest({ name: zone, type: 'NS' }, over),
    rest({ name: zone, type: 'DNSKEY', dnssec: true }, over),
    rest({ name: zone, type: 'CDS', dnssec: true }, over),
    rest({ name: zone, type: 'CDNSKEY', dnssec: true }, over),
    rest({ name: `not-there-${Math.floor(Math.random() * 1e6)}.${zone}`, type: 'PTR', dnssec: true }, over),
  ]);
  const answer = soaUdp.message ?? soaTcp.message;
  const soas = answer?.answers.filter(({ type, name }) => type === recordTypes.SOA && name === zone) ?? [];
  const soa = soas[0] ? soaOf(soas[0]) : null;
  return {
    server,
    address,
    soaUdp,
    soaTcp,
    ns,
    keys,
    cds,
    cdnskey,
    missing,
    elsewhere: other?.message ? (other.from ?? null) : null,
    soa,
    isAuthoritative: answer !== undefined && answer.authoritative && answer.code === 0 && soa !== null,
  };
}

function textOf(asked: Asked): string {
  if (!asked.message) return failureOf(asked);
  const { message } = asked;
  const flags = [message.authoritative && 'aa', message.truncated && 'tc', message.recursionAvailable && 'ra'].filter(Boolean).join(' ');
  const section = (name: string, records: readonly DnsRecord[]): string[] =>
    records.length === 0 ? [] : [`;; ${name}`, ...records.slice(0, 20).map(printRecord)];
  return [
    `;; ${codeName(message.code)} ${flags}, ${message.bytes} bytes${message.edns ? `, EDNS ${message.edns.payload}` : ''}`,
    ...section('ANSWER', message.answers),
    ...section('AUTHORITY', message.authority),
    ...section('ADDITIONAL', message.additional),
  ].join('\n');
}

const upward = (zone: string, message: DnsMessage): string | null =>
  message.answers.length > 0 || message.authoritative
    ? null
    : (message.authority.find(({ type, name }) => type === recordTypes.NS && name !== zone && (name === '' || zone.endsWith(`.${name}`)))
        ?.name ?? null);

/** The name that a zone is an alias of on a server; null if it is none. */
function aliasOf(zone: string, message: DnsMessage): string | null {
  const record = message.answers.find(({ type, name }) => type === recordTypes.CNAME && name === zone);
  return record ? nameIn(record) : null;
}

/** Returns the reason, in words, why a server does not serve the zone; null if it does. */
function lameness(zone: string, { soaUdp, soaTcp, soa }: Target): string | null {
  const message = soaUdp.message ?? soaTcp.message;
  if (!message) return `doesn’t answer (${failureOf(soaUdp)})`;
  if (message.code !== 0) return `refuses the zone (${codeName(message.code)})`;
  const up = upward(zone, message);
  if (up !== null) return `refers to ${up === '' ? 'the root' : up} instead of answering`;
  if (!message.authoritative) return 'answers without authority';
  const alias = aliasOf(zone, message);
  if (alias !== null) return `has a CNAME to ${alias} instead of the zone`;
  return soa === null ? 'has no SOA of the zone' : null;
}

function judgeServers({ zone }: CheckQuestion, targets: readonly Target[], found: Findings): void {
  const good = targets.filter(each => each.isAuthoritative);
  if (good.length > 0) found.pass('answers', `${good.length} of ${targets.length} addresses`);
  else found.fail('answers', targets.length === 0 ? 'No server could be asked' : 'No server answers for the zone with authority');
  const at = ({ server, address }: Target): string => `${server} (${address})`;
  const wrong = (judge: (target: Target) => string | null) =>
    targets.flatMap(target => {
      const detail = judge(target);
      return detail === null ? [] : [{ server: target.server, detail: `${at(target)} ${detail}` }];
    });
  const isTransport = ({ failure }: Asked): boolean =>
    failure?.kind === 'timeout' || failure?.kind === 'refused' || failure?.kind === 'closed';
  found.each(
    'udp',
    wrong(({ soaUdp }) => (isTransport(soaUdp) ? `doesn’t answer over UDP: ${failureOf(soaUdp)}` : null)),
  );
  found.each(
    'tcp',
    wrong(({ soaTcp }) => (soaTcp.failure && soaTcp.failure.kind !== 'garbage' ? `doesn’t answer over TCP: ${failureOf(soaTcp)}` : null)),
  );
  found.each(
    'wellFormed',
    wrong(({ soaUdp, soaTcp, ns }) => {
      const bad = [soaUdp, soaTcp, ns].find(
        ({ failure }) => failure?.kind === 'garbage' || failure?.kind === 'mismatch' || failure?.kind === 'too-large',
      );
      return bad ? `sends an answer that can’t be read: ${bad.failure!.detail}` : null;
    }),
  );
  found.each(
    'authoritative',
    wrong(target => lameness(zone, target)),
  );
  found.each(
    'soaExists',
    wrong(({ soaUdp, soaTcp, soa }) => ((soaUdp.message ?? soaTcp.message)?.code === 0 && soa === null ? 'has no SOA of the zone' : null)),
  );
  found.each(
    'apexAlias',
    wrong(({ soaUdp, soaTcp }) => {
      const message = soaUdp.message ?? soaTcp.message;
      const alias = message ? aliasOf(zone, message) : null;
      return alias === null ? null : `has a CNAME to ${alias} in place of the zone`;
    }),
  );
  found.each(
    'sameSource',
    wrong(({ elsewhere }) => (elsewhere === null ? null : `answers from ${elsewhere}, so resolvers discard its answers`)),
  );
  found.each(
    'noUpwardReferral',
    wrong(({ soaUdp }) => (soaUdp.message && upward(zone, soaUdp.message) !== null ? 'refers upward' : null)),
  );
  found.each(
    'edns',
    wrong(({ soaUdp }) =>
      soaUdp.message && !soaUdp.message.edns ? `answers without EDNS${soaUdp.message.code === 1 ? ' (FORMERR)' : ''}` : null,
    ),
  );
  found.each(
    'quick',
    wrong(({ soaUdp }) => (soaUdp.message && soaUdp.milliseconds > 1_000 ? `took ${Math.round(soaUdp.milliseconds)} ms` : null)),
  );
}

/** Runs the checks that need queries of their own: recursion, other types, case, transfers. */
async function judgeBehaviour(
  zone: string,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
  raw: CheckReport['raw'],
): Promise<void> {
  const awake = targets.filter(({ soaUdp }) => soaUdp.message);
  const results = await Promise.all(
    awake.map(async ({ server, address }) => {
      const ask = (question: Question, transport: Transport = 'udp') => client.ask(address, question, { transport, port, timeoutMs });
      const mixed = zone.replaceAll(/[a-z0-9](?=.)/g, (letter, index: number) => (index % 2 ? letter : letter.toUpperCase()));
      const [recursion, aaaa, cased, transfer] = await Promise.all([
        ask({ name: 'a.root-servers.net', type: 'A', recursive: true }),
        ask({ name: zone, type: 'AAAA' }),
        ask({ name: mixed, type: 'SOA' }),
        ask({ name: zone, type: 'AXFR', edns: false }, 'tcp'),
      ]);
      for (const [what, asked] of [
        ['a.root-servers.net A, recursion desired', recursion],
        [`${zone} AAAA`, aaaa],
        [`${zone} AXFR over TCP`, transfer],
      ] as const)
        raw.push({ server: `${server} ${address}`, question: what, milliseconds: asked.milliseconds, text: textOf(asked) });
      return { server, address, recursion, aaaa, cased, transfer, mixed };
    }),
  );
  const wrong = (judge: (result: (typeof results)[number]) => string | null) =>
    results.flatMap(result => {
      const detail = judge(result);
      return detail === null ? [] : [{ server: result.server, detail: `${result.server} (${result.address}) ${detail}` }];
    });
  found.each(
    'noRecursion',
    wrong(({ recursion: { message } }) =>
      message && message.recursionAvailable && message.code !== 5 ? 'offers recursion to anyone' : null,
    ),
  );
  found.each(
    'aaaa',
    wrong(({ aaaa }) =>
      !aaaa.message
        ? `doesn’t answer for AAAA: ${failureOf(aaaa)}`
        : aaaa.message.code === 2 || aaaa.message.code === 4 || aaaa.message.code === 1
          ? `answers ${codeName(aaaa.message.code)} for AAAA`
          : null,
    ),
  );
  found.each(
    'caseKept',
    wrong(({ cased: { message }, mixed }) =>
      message?.question && message.question.spelled !== mixed ? 'changes the case of the question' : null,
    ),
  );
  found.each(
    'transferClosed',
    wrong(({ transfer: { message } }) =>
      message && message.code === 0 && message.answers.length > 0 ? 'lets anyone transfer the zone' : null,
    ),
  );
}

/** Names of the NS set that a server answers with. */
const nsOf = (zone: string, { ns }: Target): string[] | null =>
  ns.message && ns.message.code === 0
    ? ns.message.answers
        .filter(({ type, name }) => type === recordTypes.NS && name === zone)
        .map(nameIn)
        .toSorted()
    : null;

function judgeConsistency({ zone, servers }: CheckQuestion, targets: readonly Target[], found: Findings): void {
  const good = targets.filter(({ isAuthoritative }) => isAuthoritative);
  const compare = (check: DnsCheck, what: string, valueOf: (target: Target) => string): void => {
    const values = new Map<string, string[]>();
    for (const target of good) values.set(valueOf(target), [...(values.get(valueOf(target)) ?? []), target.server]);
    if (values.size > 1)
      found.fail(check, `${what}: ${[...values].map(([value, of]) => `${value} (${[...new Set(of)].join(', ')})`).join('; ')}`);
    else if (good.length > 0) found.pass(check, [...values.keys()][0] ?? '');
    else found.skip(check, 'No server answers');
  };
  compare('serialEqual', 'Different serials', ({ soa }) => String(soa!.serial));
  compare('mnameEqual', 'Different primaries', ({ soa }) => soa!.mname);
  compare('rnameEqual', 'Different contacts', ({ soa }) => soa!.rname);
  compare('timersEqual', 'Different timers', ({ soa }) => `${soa!.refresh} ${soa!.retry} ${soa!.expire} ${soa!.minimum}`);
  compare('nsEqual', 'Different servers', target => (nsOf(zone, target) ?? []).join(' '));
  const listed = [...new Set(servers.map(each => each.split(' ')[0]!))].toSorted();
  const child = good.flatMap(target => nsOf(zone, target) ?? []);
  if (good.length === 0) {
    found.skip('nsEqualsParent', 'No server answers');
    found.skip('nsInCommon', 'No server answers');
    return;
  }
  const only = { parent: listed.filter(each => !child.includes(each)), child: [...new Set(child)].filter(each => !listed.includes(each)) };
  if (only.parent.length + only.child.length === 0) found.pass('nsEqualsParent', listed.join(', '));
  else
    found.fail(
      'nsEqualsParent',
      [
        only.parent.length > 0 && `Only in the delegation: ${only.parent.join(', ')}`,
        only.child.length > 0 && `Only in the zone: ${only.child.join(', ')}`,
      ]
        .filter(Boolean)
        .join('. '),
    );
  if (listed.some(each => child.includes(each))) found.pass('nsInCommon');
  else
    found.fail('nsInCommon', child.length === 0 ? 'The zone has no NS records' : `The zone names ${[...new Set(child)].join(', ')} only`);
}

async function judgeGlue(
  { zone, servers }: CheckQuestion,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
): Promise<void> {
  const glue = servers.filter(each => each.includes(' ')).map(each => each.split(' ') as [string, string]);
  const inside = servers.filter(each => !each.includes(' ') && (each === zone || each.endsWith(`.${zone}`)));
  const wrong: { server: string; detail: string }[] = inside.map(server => ({
    server,
    detail: `${server} lies inside the zone, so the delegation needs its address`,
  }));
  const from = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (from)
    for (const host of new Set(glue.map(([name]) => name))) {
      const answers = await Promise.all(
        (['A', 'AAAA'] as const).map(type => client.ask(from.address, { name: host, type }, { transport: 'udp', port, timeoutMs })),
      );
      const real = answers.flatMap(
        ({ message }) =>
          message?.answers
            .filter(({ type, name }) => name === host && (type === recordTypes.A || type === recordTypes.AAAA))
            .map(each => plain(addressIn(each))) ?? [],
      );
      for (const [, address] of glue.filter(([name]) => name === host))
        if (!real.includes(plain(address)))
          wrong.push({
            server: host,
            detail: `${host} is ${address} in the delegation and ${real.join(', ') || 'without address'} in the zone`,
          });
    }
  found.each('glueEqual', wrong);
}

const plain = (address: string): string => {
  const { family, value } = parseAddress(address);
  return `${family} ${value}`;
};

async function judgeAddresses(targets: readonly Target[], { resolver, originsOf, lab }: CheckTools, found: Findings): Promise<void> {
  const addresses = [...new Set(targets.map(({ address }) => address))];
  /** The /24 or /48 of each address of a family. */
  const networksOf = (wanted: 'ipv4' | 'ipv6'): bigint[] =>
    addresses.flatMap(address => {
      const { family, value } = parseAddress(address);
      return family === wanted ? [family === 'ipv4' ? value >> 8n : value >> 80n] : [];
    });
  const crowded = (['ipv4', 'ipv6'] as const).filter(family => {
    const networks = networksOf(family);
    return networks.length > 1 && new Set(networks).size === 1;
  });
  if (addresses.length < 2) found.skip('twoNetworks', 'Fewer than two addresses');
  else if (crowded.length === 0 || lab) found.pass('twoNetworks');
  else
    found.fail(
      'twoNetworks',
      `All ${crowded.map(family => (family === 'ipv4' ? 'IPv4' : 'IPv6')).join(' and ')} addresses of the servers are in one network`,
    );
  const origins = await Promise.all(addresses.map(originsOf));
  const numbers = new Set(origins.flat());
  if (origins.some(each => each.length === 0) || addresses.length < 2)
    found.skip('twoAsns', 'The registry doesn’t know who announces all of them');
  else if (numbers.size > 1) found.pass('twoAsns', [...numbers].map(each => `AS${each}`).join(', '));
  else found.fail('twoAsns', `All servers are in AS${[...numbers][0]}`);
  const names = await Promise.all(
    addresses.map(async address => ({ address, name: await resolver.nameOf(printReverseName(parseAddress(address))) })),
  );
  const server = (address: string): string => targets.find(each => each.address === address)!.server;
  found.each(
    'addressName',
    names
      .filter(({ name }) => name === null && !lab)
      .map(({ address }) => ({ server: server(address), detail: `${address} has no PTR record` })),
  );
  found.each(
    'addressNameMatches',
    names
      .filter(({ name, address }) => name !== null && name !== server(address))
      .map(({ address, name }) => ({ server: server(address), detail: `${address} is called ${name}` })),
  );
}

const hour = 3_600;
function judgeSoa(targets: readonly Target[], found: Findings): void {
  const target = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (!target) {
    for (const check of ['mname', 'rname', 'refresh', 'retry', 'expire', 'minimum', 'singleSoa'] as const)
      found.skip(check, 'No server answers');
    return;
  }
  const { soa, server } = target;
  const { mname, rname, refresh, retry, expire, minimum } = soa!;
  const say = (check: DnsCheck, right: boolean, detail: string): void =>
    right ? found.pass(check, detail) : found.fail(check, detail, server);
  say('mname', mname.includes('.'), mname === '' ? 'The primary is empty' : `Primary ${mname}`);
  say('rname', rname.includes('.') && !rname.includes('@'), rname === '' ? 'The contact is empty' : `Contact ${rname}`);
  say('refresh', refresh >= 4 * hour, `Refresh ${refresh} seconds`);
  say('retry', retry >= hour && retry < refresh, `Retry ${retry} seconds, refresh ${refresh}`);
  say('expire', expire >= 168 * hour && expire > refresh, `Expire ${expire} seconds`);
  say('minimum', minimum >= 300 && minimum <= 24 * hour, `Minimum ${minimum} seconds`);
  const several = targets.filter(
    ({ soaUdp, soaTcp }) => ((soaUdp.message ?? soaTcp.message)?.answers.filter(({ type }) => type === recordTypes.SOA).length ?? 0) > 1,
  );
  found.each(
    'singleSoa',
    several.map(each => ({ server: each.server, detail: `${each.server} answers with several SOA records` })),
  );
}

async function judgeReverse(
  { zone, isHeld }: CheckQuestion,
  prefix: ReturnType<typeof parseReverseZone> | null,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
): Promise<void> {
  if (isHeld) found.pass('held');
  else found.fail('held', `The addresses of ${zone} aren’t registered to an account here`);
  const target = targets.find(({ isAuthoritative }) => isAuthoritative);
  if (!target || !prefix) return found.skip('ptr', 'No server answers');
  // A few addresses at the beginning of the zone, as people number them.
  const samples = [1n, 2n, 10n, 53n, 254n]
    .map(step => ({ family: prefix.family, value: prefix.first + step }))
    .filter(({ value }) => value <= prefix.last);
  const answers = await Promise.all(
    samples.map(address =>
      client.ask(target.address, { name: printReverseName(address), type: 'PTR' }, { transport: 'udp', port, timeoutMs }),
    ),
  );
  const named = answers.filter(
    ({ message }) =>
      message &&
      message.code === 0 &&
      (message.answers.some(({ type }) => type === recordTypes.PTR) || message.authority.some(({ type }) => type === recordTypes.NS)),
  );
  if (named.length > 0) found.pass('ptr', `${named.length} of ${answers.length} sampled addresses have a name or are handed on`);
  else found.fail('ptr', `None of ${answers.length} sampled addresses has a name`, target.server);
}

/** Bytes of the referral that the parent answers with, without EDNS. */
function judgeReferral({ zone, servers }: CheckQuestion, found: Findings): void {
  const hosts = [...new Set(servers.map(each => each.split(' ')[0]!))];
  const glue = servers.filter(each => each.includes(' '));
  const size =
    12 +
    zone.length +
    6 +
    hosts.reduce((sum, host) => sum + 12 + host.length + 2, 0) +
    glue.reduce((sum, each) => sum + 12 + (each.includes(':') ? 16 : 4), 0);
  if (size <= 512) found.pass('referralSize', `${size} bytes`);
  else found.fail('referralSize', `The referral takes about ${size} bytes`);
}

function serverOf(target: Target): CheckedServer {
  const { server, address, soaUdp, soaTcp, soa, isAuthoritative } = target;
  const answered = soaUdp.message ?? soaTcp.message;
  return {
    server,
    address,
    state: isAuthoritative ? 'authoritative' : answered ? 'lame' : 'silent',
    said: isAuthoritative ? 'Answers with authority' : (lameness(soaUdp.message?.question?.name ?? '', target) ?? 'answers otherwise'),
    udpMs: soaUdp.message ? soaUdp.milliseconds : null,
    tcpMs: soaTcp.message ? soaTcp.milliseconds : null,
    serial: soa?.serial ?? null,
  };
}
