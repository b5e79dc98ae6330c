import type { DeskRequest } from '@portal/contract/staff/desk';

/** Returns the name of a request in the address: each kind has its own numbers. */
export const nameOf = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string => `${kind}-${requestId}`;

/** Parses a request's name in the address; null if it is none. */
export function named(name: string | null): Pick<DeskRequest, 'kind' | 'requestId'> | null {
  const match = /^(applications|contacts|organisations|closures|resources|transfers)-(\d{1,15})$/.exec(name ?? '');
  return match ? { kind: match[1] as DeskRequest['kind'], requestId: match[2]! } : null;
}

/** Whether two names are of one request: those for resources and transfers share their numbers, so a link may name either kind. */
export const isSameRequest = (one: Pick<DeskRequest, 'kind' | 'requestId'>, other: Pick<DeskRequest, 'kind' | 'requestId'>): boolean =>
  one.requestId === other.requestId && numberedAs(one.kind) === numberedAs(other.kind);
const numberedAs = (kind: DeskRequest['kind']): string => (kind === 'transfers' ? 'resources' : kind);
