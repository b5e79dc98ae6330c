import type { NirEntityDetails } from '@portal/contract/nir/entities';

/** A row of the table of organisations. */
export type EntityRow = Omit<NirEntityDetails, 'members' | 'whois' | 'merged' | 'mergedInto' | 'warning'> & {
  mergedInto: string | null;
  mergedAt: string | null;
  mergedSubaccounts: string[] | null;
};
