import { useChange, useKit } from '@portal/app-kit';
import { feeSchedules } from '@portal/contract/billing/fee-schedules';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';

/** Returns the acts of a member of staff on fees that wait for a second person. */
export function useSecondPerson() {
  const { notify } = useKit();
  const done = (text: string) => ({ refresh: [feeSchedules.getFees, proposals.listStaffProposals], onDone: () => notify({ text }) });
  const approve = useChange(proposals.approveStaffProposal, done('Announced. The calculator, quotes and invoices have these fees now.'));
  const reject = useChange(proposals.rejectStaffProposal, done('Not announced. The fees stay prepared.'));
  return {
    busy: approve.isPending || reject.isPending,
    onApprove: ({ proposalId, fingerprint }: Proposal) => approve.mutate({ proposalId, body: { fingerprint } }),
    onReject: ({ proposalId }: Proposal, note: string) => reject.mutate({ proposalId, body: { note } }),
    onWithdraw: ({ proposalId }: Proposal) => reject.mutate({ proposalId, body: { note: '' } }),
  };
}
