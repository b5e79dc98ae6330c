import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import type { Read } from '../../platform/database/index.ts';
import type { DelegatedZone } from './domain-objects.ts';

/** What checks and publication have found of a delegated zone. `dnssec` null: not checked. */
export type ZoneFacts = Pick<ReverseZone, 'state' | 'checkedAt' | 'checkId' | 'problem' | 'signaturesEnd' | 'sinceSerial'> & {
  dnssec: ReverseZone['dnssec'] | null;
};

export const noFacts: ZoneFacts = {
  state: 'unchecked',
  checkedAt: null,
  checkId: null,
  problem: null,
  signaturesEnd: null,
  sinceSerial: null,
  dnssec: null,
};

/** What was last found of these zones, by name; zones without anything are left out. */
export function zoneFacts(_read: Pick<Read, 'rows'>, _zones: readonly DelegatedZone[]): Promise<Map<string, ZoneFacts>> {
  return Promise.resolve(new Map());
}
