import { codeName, type DnsMessage, nameIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { Target } from './findings.ts';
import { failureOf } from './answer-words.ts';

/** Whether the registry can't reach an address, so that nothing is known about the server there. */
export const isUnreached = ({ soaUdp, soaTcp }: Target): boolean => soaUdp.failure?.kind === 'no-route' && soaTcp.message === undefined;

/** Whether nothing answers at an address. */
const isSilent = ({ soaUdp, soaTcp }: Target): boolean => soaUdp.message === undefined && soaTcp.message === undefined;

/** Addresses without an answer, of servers that answer correctly at another one: they slow resolvers down, but the zone is found. */
export const deadBesidesGood = (targets: readonly Target[]): Target[] =>
  targets.filter(
    target => isSilent(target) && !isUnreached(target) && targets.some(each => each.server === target.server && each.isAuthoritative),
  );

/** Returns the reason, in words, why a server does not serve the zone; null if it does. */
export function lameness(zone: string, { soaUdp, soaTcp, soa }: Target): string | null {
  const message = soaUdp.message ?? soaTcp.message;
  if (!message)
    return soaUdp.failure?.kind === 'no-route'
      ? `can’t be reached from the registry (${soaUdp.failure.detail})`
      : `doesn’t answer (${failureOf(soaUdp)})`;
  if (message.code !== 0) return `refuses the zone (${codeName(message.code)})`;
  const up = upward(zone, message);
  if (up !== null) return `refers to ${up === '' ? 'the root' : up} instead of answering`;
  if (!message.authoritative) return 'answers without authority';
  const alias = aliasOf(zone, message);
  if (alias !== null) return `has a CNAME to ${alias} instead of the zone`;
  if (soa === null && message.truncated)
    return `cuts its answers over UDP short, and doesn’t answer over TCP${soaTcp.failure ? ` (${failureOf(soaTcp)})` : ''}`;
  return soa === null ? 'has no SOA of the zone' : null;
}

/** The parent zone that a server refers to instead of answering (empty: the root); null if it doesn't. */
export const upward = (zone: string, message: DnsMessage): string | null =>
  message.answers.length > 0 || message.authoritative
    ? null
    : (message.authority.find(({ type, name }) => type === recordTypes.NS && name !== zone && (name === '' || zone.endsWith(`.${name}`)))
        ?.name ?? null);

/** The target of a CNAME at the zone on a server, or null. */
export function aliasOf(zone: string, message: DnsMessage): string | null {
  const record = message.answers.find(({ type, name }) => type === recordTypes.CNAME && name === zone);
  return record ? nameIn(record) : null;
}
