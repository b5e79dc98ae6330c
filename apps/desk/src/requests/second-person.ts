import { useChange, useKit } from '@portal/app-kit';
import { proposals } from '@portal/contract/proposals/proposals';
import type { Proposal } from '@portal/contract/proposals/proposals';
import { requestDesk } from '@portal/contract/requests/desk';
import { desk } from '@portal/contract/staff/desk';

const refresh = [proposals.listStaffProposals, requestDesk.getStaffRequest, desk.listRequests];

/** Returns the acts of a member of staff on a proposal of a colleague and on their own. */
export function useSecondPerson() {
  const { notify } = useKit();
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const approve = useChange(proposals.approveStaffProposal, done('Approved and applied.'));
  const reject = useChange(proposals.rejectStaffProposal, done('No changes were made.'));
  return {
    busy: approve.isPending || reject.isPending,
    onApprove: ({ proposalId, fingerprint }: Proposal) => approve.mutate({ proposalId, body: { fingerprint } }),
    onReject: ({ proposalId }: Proposal, note: string) => reject.mutate({ proposalId, body: { note } }),
    onWithdraw: ({ proposalId }: Proposal) => reject.mutate({ proposalId, body: { note: '' } }),
  };
}
