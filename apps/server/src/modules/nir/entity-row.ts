import type { NirEntityDetails } from '@portal/contract/nir/entities';

/** An organisation as its table keeps it. */
export type EntityRow = Omit<NirEntityDetails, 'members' | 'whois' | 'merged' | 'mergedInto' | 'warning'> & {
  mergedInto: string | null;
  mergedAt: string | null;
  mergedSubaccounts: string[] | null;
};
