import { parseAddress } from '@portal/number-resources';
import { delegatedZoneProblem, dsProblem, hostNameProblem, serverPlaceProblem } from '@portal/rpsl';
import { delegationIn } from '../domain-objects.ts';

/** TTL in seconds of delegations, and of DS records, whose changes are more urgent. */
export const NS_TTL = 86_400;
export const DS_TTL = 3_600;

/** The published records of a delegation, and the omitted ones, a sentence each. */
export type DelegationRecords = { text: string; leftOut: string[] };

const none: ReadonlySet<string> = new Set();

/**
 * Returns why name servers wouldn’t load a record, or validators wouldn’t accept it; null if it is valid. Every record of a published zone after its
 * SOA and NS passes this: BIND refuses a whole zone for one name with an underscore (check-names).
 * @param line with owner, TTL, class, type and data, as in zone files
 */
export function recordProblem(line: string): string | null {
  const [, owner, type, data] = /^(\S+)\. \d{1,9} IN (NS|DS|A|AAAA) (\S.*)$/.exec(line) ?? [];
  if (owner === undefined || data === undefined) return `“${line.slice(0, 120)}” isn’t a record`;
  if (type === 'DS') return dsProblem(data) ?? ownerProblem(owner);
  if (type === 'NS') return hostNameProblem(data) ?? ownerProblem(owner);
  return hostNameProblem(owner) ?? addressProblem(data, type === 'A' ? 'ipv4' : 'ipv6');
}

/** Labels of reverse zones, and of parts of them (RFC 2317). */
const ownerProblem = (owner: string): string | null =>
  owner.length <= 253 && owner.split('.').every(label => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
    ? null
    : `${owner} isn’t the name of a zone`;

function addressProblem(text: string, family: 'ipv4' | 'ipv6'): string | null {
  try {
    return parseAddress(text).family === family && /^[\da-f.:]+$/i.test(text)
      ? null
      : `${text} isn’t an ${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Returns the records of a delegation, names written out. Servers in `disabled`, and records that a parent zone can’t contain, are left out; without
 * any server left, so are the DS records.
 */
export function recordsOf(zone: string, text: string, disabled: ReadonlySet<string> = none): DelegationRecords {
  const never = /^\d+[-/]\d+\.|\.in-addr\.arpa$|\.ip6\.arpa$/.test(zone) ? delegatedZoneProblem(zone) : null;
  if (never !== null) return { text: '', leftOut: [never] };
  const leftOut: string[] = [];
  const isGood = (line: string): boolean => {
    const problem = recordProblem(line);
    if (problem !== null) leftOut.push(problem);
    return problem === null;
  };
  const { servers: all, ds } = delegationIn(text);
  const glue = new Map<string, string[]>();
  for (const server of all) {
    const [host = '', address] = server.split(' ');
    if (disabled.has(host)) continue;
    const addresses = glue.get(host) ?? [];
    if (address !== undefined && (host === zone || host.endsWith(`.${zone}`)))
      addresses.push(`${host}. ${NS_TTL} IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`);
    glue.set(host, addresses);
  }
  const lines: string[] = [];
  const addresses: string[] = [];
  for (const [host, found] of glue) {
    const line = `${zone}. ${NS_TTL} IN NS ${host}.`;
    if (!isGood(line)) continue;
    const lost = serverPlaceProblem(zone, host, { hasAddress: true });
    if (lost !== null) {
      leftOut.push(lost);
      continue;
    }
    const good = found.filter(isGood);
    if (good.length === 0 && (host === zone || host.endsWith(`.${zone}`))) {
      leftOut.push(`${host} is inside the zone and has no address`);
      continue;
    }
    lines.push(line);
    addresses.push(...good);
  }
  if (lines.length === 0) return { text: '', leftOut };
  for (const record of ds) {
    const [tag = '', algorithm = '', type = '', ...digits] = record.replaceAll(/[()]/g, ' ').split(/\s+/);
    const line = `${zone}. ${DS_TTL} IN DS ${tag} ${algorithm} ${type} ${digits.join('')}`;
    if (isGood(line)) lines.push(line);
  }
  return { text: `${[...lines, ...addresses].join('\n')}\n`, leftOut };
}

/** Returns why SOA and NS of a parent zone can’t be written from the registry's profile; null if they can. */
export function headProblem(parent: string, servers: readonly string[], contact: string): string | null {
  if (servers.length === 0) return 'The profile names no name servers for the reverse zones (reverseServers).';
  for (const server of servers) {
    const wrong = hostNameProblem(server);
    if (wrong !== null) return `reverseServers of the profile: ${wrong}.`;
    if (server.endsWith(`.${parent}`)) return `reverseServers of the profile: ${server} is inside ${parent}, which has no address for it.`;
  }
  return /^[\w.+-]+@[\w.-]+$/.test(contact) ? null : `reverseContact of the profile: ${contact} isn’t an e-mail address.`;
}
