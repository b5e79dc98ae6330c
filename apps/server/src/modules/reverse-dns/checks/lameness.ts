import { codeName, type DnsMessage, nameIn, recordTypes } from '../../../adapters/dns/message.ts';
import type { Target } from './findings.ts';
import { failureOf } from './answer-words.ts';

/** Whether the registry has no way to an address: nothing of the server is known there. */
export const isUnreached = ({ soaUdp, soaTcp }: Target): boolean => soaUdp.failure?.kind === 'no-route' && soaTcp.message === undefined;

/** Whether nothing answers at an address. */
const isSilent = ({ soaUdp, soaTcp }: Target): boolean => soaUdp.message === undefined && soaTcp.message === undefined;

/** Addresses at which nothing answers, of servers that answer as they should at another one: resolvers lose time there, and find the zone. */
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

/** The zone above that an answer refers to in place of answering (empty: the root); null if it does not. */
export const upward = (zone: string, message: DnsMessage): string | null =>
  message.answers.length > 0 || message.authoritative
    ? null
    : (message.authority.find(({ type, name }) => type === recordTypes.NS && name !== zone && (name === '' || zone.endsWith(`.${name}`)))
        ?.name ?? null);

/** The name that a zone is an alias of on a server; null if it is none. */
export function aliasOf(zone: string, message: DnsMessage): string | null {
  const record = message.answers.find(({ type, name }) => type === recordTypes.CNAME && name === zone);
  return record ? nameIn(record) : null;
}
