import type { Roa } from '@portal/contract/rpki/rpki';
import type { State } from '@portal/ui';

/** The publication state of a ROA, in words. */
export const roaStateWords: Record<Roa['state'], readonly [State, string]> = {
  pending: ['pending', 'In the next publication'],
  published: ['valid', 'Published'],
  'not-held': ['warning', 'Prefix not held'],
  stopped: ['closed', 'Not published'],
};

/** An origin in words: AS 0 stands for none. */
export const originWords = (asn: number): string => (asn === 0 ? 'AS0 (no origin)' : `AS${asn}`);
