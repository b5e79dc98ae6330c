import { Page, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ProposalList } from '@portal/app-kit/proposals/ProposalList';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, Sheet, Stack } from '@portal/ui';

const refresh = [proposals.listProposals];

/** Changes that need a second corporate contact's approval, and the rule that requires it. */
export default function ApprovalsPage() {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const answer = useAnswer(proposals.listProposals, { account });
  const refusal = useRefusal(proposals.setTwoPersonRule);
  const rule = useChange(proposals.setTwoPersonRule, {
    refresh,
    onDone: ({ rule: on }) =>
      notify({ text: on ? 'Changes now need a second corporate contact’s approval.' : 'Changes apply immediately again.' }),
  });
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const approve = useChange(proposals.approveProposal, done('Approved and applied.'));
  const reject = useChange(proposals.rejectProposal, done('Rejected. No changes were made.'));
  const withdraw = useChange(proposals.withdrawProposal, done('Withdrawn. No changes were made.'));
  const tooFew = !answer.rule && answer.approvers < 2;
  return (
    <Page
      title={pages.approvals.title}
      sub="With the two-person rule, changes to contacts and the organisation, and closing the account, need the approval of a second corporate contact."
    >
      <Stack gap={16}>
        <Sheet title="Two-person rule">
          <Stack gap={12} style={{ justifyItems: 'start' }}>
            <p>
              {answer.rule
                ? 'A second corporate contact approves changes. Turning the rule off also needs two people.'
                : 'Changes apply immediately, without a second approval.'}
            </p>
            {!asStaff && (
              <Button
                busy={rule.isPending}
                refusal={
                  refusal ??
                  (tooFew
                    ? {
                        reason: `It takes two corporate contacts with a second factor; there ${answer.approvers === 1 ? 'is one' : 'is none'}`,
                      }
                    : null)
                }
                onClick={() => rule.mutate({ account, body: { on: !answer.rule } })}
              >
                {answer.rule ? 'Turn off' : 'Turn on'}
              </Button>
            )}
          </Stack>
        </Sheet>
        <ProposalList
          waiting={answer.waiting}
          decided={answer.decided}
          busy={approve.isPending || reject.isPending || withdraw.isPending}
          onApprove={({ proposalId, fingerprint }) => approve.mutate({ account, proposalId, body: { fingerprint } })}
          onReject={({ proposalId }, note) => reject.mutate({ account, proposalId, body: { note } })}
          onWithdraw={({ proposalId }) => withdraw.mutate({ account, proposalId })}
        />
      </Stack>
    </Page>
  );
}
