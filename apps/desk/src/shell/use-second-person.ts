import { type AnyEndpoint, useChange, useKit } from '@portal/app-kit';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';

/**
 * Returns the acts of a member of staff on what waits for a second person, of a colleague and of their own.
 * @param refresh reads that an approval changes, beside the list; `approved` and `kept`: what the notice says
 */
export function useSecondPerson({
  refresh,
  approved = 'Approved and applied.',
  kept = 'No changes were made.',
  onApplied,
}: {
  refresh: readonly AnyEndpoint[];
  approved?: string;
  kept?: string;
  /** Called once an approval is applied. */
  onApplied?: () => void;
}) {
  const { notify } = useKit();
  const done = (text: string, then?: () => void) => ({
    refresh: [proposals.listStaffProposals, ...refresh],
    onDone: () => {
      notify({ text });
      then?.();
    },
  });
  const approve = useChange(proposals.approveStaffProposal, done(approved, onApplied));
  const reject = useChange(proposals.rejectStaffProposal, done(kept));
  return {
    busy: approve.isPending || reject.isPending,
    onApprove: ({ proposalId, fingerprint }: Proposal) => approve.mutate({ proposalId, body: { fingerprint } }),
    onReject: ({ proposalId }: Proposal, note: string) => reject.mutate({ proposalId, body: { note } }),
    onWithdraw: ({ proposalId }: Proposal) => reject.mutate({ proposalId, body: { note: '' } }),
  };
}
