import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import type { ZoneState } from '@portal/contract/reverse-dns/zone-states';
import type { IconName, State } from '@portal/ui';

type Word = { word: string; help: string; mark: State; icon: IconName | null };

/** States of a zone, as people read them. */
export const stateWords: Record<ZoneState, Word> = {
  ok: { word: 'Answers', help: 'Delegated, and every name server answers', mark: 'valid', icon: 'valid' },
  warning: { word: 'Warnings', help: 'Delegated and answering, with faults to fix', mark: 'warning', icon: 'warning' },
  lame: { word: 'Lame', help: 'A name server doesn’t answer for the zone', mark: 'invalid', icon: 'warning' },
  unchecked: { word: 'Not checked', help: 'Delegated; the first check is still to come', mark: 'pending', icon: null },
  missing: { word: 'Not delegated', help: 'No name servers are registered, so addresses have no names', mark: 'not-found', icon: null },
  covered: { word: 'In a wider zone', help: 'A zone around it is delegated', mark: 'info', icon: null },
  partly: { word: 'Partly delegated', help: 'Only zones inside it are delegated', mark: 'info', icon: null },
};

export const dnssecWords: Record<ReverseZone['dnssec'], { word: string; mark: State }> = {
  none: { word: 'Not signed', mark: 'not-found' },
  signed: { word: 'Signed', mark: 'valid' },
  'ends-soon': { word: 'Signatures end soon', mark: 'warning' },
  broken: { word: 'Broken chain', mark: 'invalid' },
};

export const hrefOfZone = (zone: string): string => `/resources/ReverseDNS?zone=${encodeURIComponent(zone)}`;
/** The form of a zone. */
export const hrefOfEditing = (zone: string): string => `${hrefOfZone(zone)}&edit=yes`;
export const hrefOfAdding = (kind: 'ipv4' | 'ipv6', prefix?: string): string =>
  `/resources/ReverseDNS_${kind === 'ipv4' ? 'ip' : 'v6'}${prefix === undefined ? '' : `?prefix=${prefix}`}`;
export const hrefOfCheck = (zone: string): string => `/technical/rdnscheck?zone=${encodeURIComponent(zone)}`;
