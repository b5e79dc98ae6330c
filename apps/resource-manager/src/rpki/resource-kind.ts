import type { ResourceKind } from '@portal/ui';

/** The kind of a resource as the registry writes it: `AS64500`, `198.18.0.0/19`, `2001:db8::/32`, or a range. */
export const kindOf = (resource: string): ResourceKind => (resource.startsWith('AS') ? 'asn' : resource.includes(':') ? 'ipv6' : 'ipv4');
