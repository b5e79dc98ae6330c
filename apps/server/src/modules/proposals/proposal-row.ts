import type { Endpoint } from '@portal/contract';
import { allEndpoints } from '@portal/contract/api';
import type { Proposal } from '@portal/contract/proposals/proposals';

/** A proposed change, as stored. */
export type Row = {
  proposalId: number;
  accountName: string | null;
  about: string | null;
  /** The change in words; null for those of earlier versions. */
  title: string | null;
  /** The page for the decision; null for the list. */
  link: string | null;
  action: string;
  input: { params: unknown; body: unknown };
  shown: Record<string, unknown>;
  fingerprint: string;
  proposedBy: string;
  proposer: string;
  proposedAt: string;
  expiresAt: string;
  state: Proposal['state'];
  decider: string | null;
  decidedAt: string | null;
  note: string;
};

/** The call that is proposed; undefined for one of an earlier version. */
export const endpointOf = (action: string): Endpoint | undefined => allEndpoints.find(({ id }) => id === action);
