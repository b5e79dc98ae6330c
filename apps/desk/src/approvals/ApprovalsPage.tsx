import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { ProposalList } from '@portal/app-kit/proposals/ProposalList';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';

const refresh = [proposals.listStaffProposals];

/** Changes by registry staff on their own about a holder: a second staff member approves them. */
export default function ApprovalsPage() {
  const { notify } = useKit();
  const { waiting, decided } = useAnswer(proposals.listStaffProposals, {});
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const approve = useChange(proposals.approveStaffProposal, done('Approved and applied.'));
  const reject = useChange(proposals.rejectStaffProposal, done('No changes were made.'));
  return (
    <Page title={pages.deskApprovals.title} sub="Changes that registry staff make to a holder on their own need a second approval.">
      <ProposalList
        waiting={waiting}
        decided={decided}
        busy={approve.isPending || reject.isPending}
        onApprove={({ proposalId, fingerprint }) => approve.mutate({ proposalId, body: { fingerprint } })}
        onReject={({ proposalId }, note) => reject.mutate({ proposalId, body: { note } })}
        onWithdraw={({ proposalId }) => reject.mutate({ proposalId, body: { note: '' } })}
      />
    </Page>
  );
}
