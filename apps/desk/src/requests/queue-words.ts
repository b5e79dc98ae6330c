import type { DeskRequest } from '@portal/contract/staff/desk';

/** Returns the name of a request in the address: each kind has its own numbers. */
export const nameOf = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string => `${kind}-${requestId}`;

/** Beginnings of references. Requests for resources and transfers share theirs, and each opens under either kind. */
const references: Readonly<Record<string, DeskRequest['kind']>> = {
  APP: 'applications',
  ORG: 'organisations',
  CLOSE: 'closures',
  REQ: 'resources',
};

/** Parses a request's name in the address, or the reference that people know it by, such as REQ-1; null if it is none. */
export function named(name: string | null): Pick<DeskRequest, 'kind' | 'requestId'> | null {
  const reference = /^(APP|ORG|CLOSE|REQ)-(\d{1,15})$/i.exec(name ?? '');
  if (reference) return { kind: references[reference[1]!.toUpperCase()]!, requestId: reference[2]! };
  const match = /^(applications|contacts|organisations|closures|resources|transfers)-(\d{1,15})$/.exec(name ?? '');
  return match ? { kind: match[1] as DeskRequest['kind'], requestId: match[2]! } : null;
}

/** Whether two names are of one request: those for resources and transfers share their numbers, so a link may name either kind. */
export const isSameRequest = (one: Pick<DeskRequest, 'kind' | 'requestId'>, other: Pick<DeskRequest, 'kind' | 'requestId'>): boolean =>
  one.requestId === other.requestId && numberedAs(one.kind) === numberedAs(other.kind);
const numberedAs = (kind: DeskRequest['kind']): string => (kind === 'transfers' ? 'resources' : kind);

/** The kind of resource that a case in the queue asks for, by its words; null where it asks for none, or for what the words don't tell. */
export function resourceAsked({ kind, asked }: Pick<DeskRequest, 'kind' | 'asked'>): 'ipv4' | 'ipv6' | 'asn' | null {
  if (kind !== 'resources') return null;
  return /^(IPv4|Pre-approval)\b/.test(asked) ? 'ipv4' : asked.startsWith('IPv6 ') ? 'ipv6' : asked.startsWith('AS number') ? 'asn' : null;
}
