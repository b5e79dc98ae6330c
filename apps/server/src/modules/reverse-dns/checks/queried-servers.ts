import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { findSpecialBlock, parseAddress } from '@portal/number-resources';
import type { DnsResult, Transport } from '../../../adapters/dns/client.ts';
import { codeName, type Question, recordTypes, soaOf } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import { textOf } from './answer-words.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** Maximum number of queried addresses of one server. */
const MAX_ADDRESSES = 4;

/** Finds the addresses of the servers, and refuses those that may not be queried. */
export async function resolveServers(
  { servers }: CheckQuestion,
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
  const lookedUp = [...glue].filter(([, given]) => given.length === 0);
  /** Hosts that the resolver knows, or says to have no address. */
  const known: string[] = [];
  const all = await Promise.all(
    [...glue].map(async ([server, given]) => {
      if (given.length > 0) return given.map(address => ({ server, address }));
      const { addresses, alias, failure } = await resolver.addressesOf(server);
      if (addresses.length > 0 || failure === null) known.push(server);
      if (alias !== null) aliases.push({ server, detail: `${server} is an alias of ${alias}` });
      if (addresses.length === 0)
        lost.push({ server, detail: failure === null ? `${server} has no address` : `${server} couldn’t be looked up (${failure})` });
      return addresses.slice(0, MAX_ADDRESSES).map(address => ({ server, address }));
    }),
  );
  const queried = all.flat().filter(({ server, address }) => {
    const block = findSpecialBlock({
      family: parseAddress(address).family,
      first: parseAddress(address).value,
      last: parseAddress(address).value,
    });
    if (!block || lab) return true;
    hidden.push({ server, detail: `${address} is reserved (${block.name}), so it can’t be reached from elsewhere and wasn’t asked` });
    return false;
  });
  const lack =
    glue.size === 0
      ? 'No server could be asked'
      : lookedUp.length === 0
        ? 'Every server was given with its address'
        : 'Not every server could be looked up';
  const whole = known.length === lookedUp.length ? known : [];
  found.each('nsNotAlias', aliases, whole, '', lack);
  found.each('resolves', lost, whole, '', lack);
  found.each('publicAddress', hidden, all.flat(), lab ? 'A lab: every address is asked' : '');
  const shared = queried.filter(({ address, server }) => queried.some(other => other.address === address && other.server < server));
  found.each(
    'distinctAddresses',
    shared.map(({ server, address }) => ({ server, detail: `${server} has the address ${address} of another server` })),
    queried,
  );
  checkFamilies(queried, found);
  return queried;
}

/** Resolvers with IPv4 alone have to find the zone too (RFC 3901). */
function checkFamilies(queried: readonly { server: string; address: string }[], found: Findings): void {
  const four = queried.filter(({ address }) => parseAddress(address).family === 'ipv4');
  found.each(
    'ipv4Server',
    four.length === 0 && queried.length > 0 ? [{ server: null, detail: 'Every server has IPv6 addresses only' }] : [],
    queried,
  );
}

/**
 * Asks one address of a server for the SOA over UDP and TCP, NS, DNSKEY, CDS, CDNSKEY, a missing name and the names of a few addresses; writes each
 * answer into `raw`. A server that doesn’t answer queries with EDNS is asked without it.
 */
export async function queryTarget(
  { zone, samples }: { zone: string; samples: readonly string[] },
  server: string,
  address: string,
  { client, port, timeoutMs }: CheckTools,
  raw: CheckReport['raw'],
): Promise<Target> {
  const query = async (question: Question, transport: Transport = 'udp'): Promise<DnsResult> => {
    const once = async (over: Transport): Promise<DnsResult> => {
      const result = await client.query(address, question, { transport: over, port, timeoutMs });
      raw.push({
        server: `${server} ${address}`,
        question: `${question.name} ${question.type} over ${over.toUpperCase()}${question.edns === false ? ', without EDNS' : ''}`,
        milliseconds: result.milliseconds,
        text: textOf(result),
      });
      return result;
    };
    const result = await once(transport);
    if (transport === 'tcp' || !result.message?.truncated) return result;
    // If TCP fails, the truncated UDP answer is used.
    const whole = await once('tcp');
    return whole.message ? { ...whole, milliseconds: result.milliseconds + whole.milliseconds } : result;
  };
  const withEdns = await query({ name: zone, type: 'SOA', dnssec: true });
  const failsEdns = withEdns.failure?.kind === 'timeout' || (withEdns.message?.edns === null && [1, 4].includes(withEdns.message.code));
  const plain = failsEdns ? await query({ name: zone, type: 'SOA', edns: false }) : null;
  const answersPlain = plain?.message !== undefined && plain.message.code === 0;
  const ednsFault = !answersPlain
    ? null
    : withEdns.message
      ? `answers ${codeName(withEdns.message.code)} to questions with EDNS`
      : 'doesn’t answer questions with EDNS, and answers those without';
  const soaUdp = answersPlain ? plain : withEdns;
  /** A query with or without EDNS, as the server supports it. */
  const asked = (question: Question): Question =>
    ednsFault === null ? question : { name: question.name, type: question.type, edns: false };
  const isSilent = ['timeout', 'refused', 'no-route'].includes(soaUdp.failure?.kind ?? '');
  const [soaTcp, other] = await Promise.all([
    query(asked({ name: zone, type: 'SOA', dnssec: true }), 'tcp'),
    soaUdp.failure?.kind === 'timeout'
      ? client.query(address, { name: zone, type: 'SOA' }, { transport: 'udp', port, timeoutMs, anySource: true })
      : null,
  ]);
  const over: Transport = isSilent ? 'tcp' : 'udp';
  // A server that doesn't answer at all isn't asked again.
  const rest = (question: Question): Promise<DnsResult> =>
    isSilent && soaTcp.failure ? Promise.resolve(soaUdp) : query(asked(question), over);
  const [ns, keys, cds, cdnskey, missing] = await Promise.all([
    rest({ name: zone, type: 'NS', dnssec: true }),
    rest({ name: zone, type: 'DNSKEY', dnssec: true }),
    rest({ name: zone, type: 'CDS', dnssec: true }),
    rest({ name: zone, type: 'CDNSKEY', dnssec: true }),
    rest({ name: `not-there-${Math.floor(Math.random() * 1e6)}.${zone}`, type: 'PTR', dnssec: true }),
  ]);
  const answer = soaUdp.message ?? soaTcp.message;
  const soas = answer?.answers.filter(({ type, name }) => type === recordTypes.SOA && name === zone) ?? [];
  const soa = soas[0] ? soaOf(soas[0]) : null;
  const isAuthoritative = answer !== undefined && answer.authoritative && answer.code === 0 && soa !== null;
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
    ednsFault,
    samples: isAuthoritative
      ? await Promise.all(samples.map(async name => ({ name, result: await rest({ name, type: 'PTR', dnssec: true }) })))
      : [],
    isAuthoritative,
  };
}
