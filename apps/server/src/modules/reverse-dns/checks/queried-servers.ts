import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import { findSpecialBlock, parseAddress } from '@portal/number-resources';
import type { DnsResult, Transport } from '../../../adapters/dns/client.ts';
import { type Question, recordTypes, soaOf } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import { textOf } from './answer-words.ts';
import type { CheckQuestion, CheckTools } from './check-question.ts';

/** Addresses of one server that are asked at most. */
const MAX_ADDRESSES = 4;

/** Finds the addresses of the servers, and refuses those that may not be asked. */
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
  const all = await Promise.all(
    [...glue].map(async ([server, given]) => {
      if (given.length > 0) return given.map(address => ({ server, address }));
      const { addresses, alias, failure } = await resolver.addressesOf(server);
      if (alias !== null) aliases.push({ server, detail: `${server} is an alias of ${alias}` });
      if (addresses.length === 0) lost.push({ server, detail: `${server} has no address${failure === null ? '' : ` (${failure})`}` });
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
  found.each('nsNotAlias', aliases);
  found.each('resolves', lost);
  found.each('publicAddress', hidden, lab ? 'A lab: every address is asked' : '');
  const shared = queried.filter(({ address, server }) => queried.some(other => other.address === address && other.server < server));
  found.each(
    'distinctAddresses',
    shared.map(({ server, address }) => ({ server, detail: `${server} has the address ${address} of another server` })),
  );
  return queried;
}

/** Asks one address of a server for the SOA over UDP and TCP, NS, DNSKEY, CDS, CDNSKEY and a name that is not there; writes each answer into `raw`. */
export async function queryTarget(
  zone: string,
  server: string,
  address: string,
  { client, port, timeoutMs }: CheckTools,
  raw: CheckReport['raw'],
): Promise<Target> {
  const query = async (question: Question, transport: Transport = 'udp'): Promise<DnsResult> => {
    let result = await client.query(address, question, { transport, port, timeoutMs });
    let over = transport;
    if (transport === 'udp' && result.message?.truncated) {
      over = 'tcp';
      result = await client.query(address, question, { transport: 'tcp', port, timeoutMs });
    }
    raw.push({
      server: `${server} ${address}`,
      question: `${question.name} ${question.type} over ${over.toUpperCase()}`,
      milliseconds: result.milliseconds,
      text: textOf(result),
    });
    return result;
  };
  const soaUdp = await query({ name: zone, type: 'SOA', dnssec: true });
  const isSilent = soaUdp.failure?.kind === 'timeout' || soaUdp.failure?.kind === 'refused';
  const [soaTcp, other] = await Promise.all([
    query({ name: zone, type: 'SOA', dnssec: true }, 'tcp'),
    soaUdp.failure?.kind === 'timeout'
      ? client.query(address, { name: zone, type: 'SOA' }, { transport: 'udp', port, timeoutMs, anySource: true })
      : null,
  ]);
  // A server that does not answer at all is asked no more.
  const rest = isSilent && soaTcp.failure ? () => Promise.resolve(soaUdp) : query;
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
