import { Page, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ProposalList } from '@portal/app-kit/proposals/ProposalList';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, Sheet, Stack } from '@portal/ui';

const refresh = [proposals.listProposals];

/** Changes that a second corporate contact approves, and the rule that has them wait. */
export default function ApprovalsPage() {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const answer = useAnswer(proposals.listProposals, { account });
  const refusal = useRefusal(proposals.setTwoPersonRule);
  const rule = useChange(proposals.setTwoPersonRule, {
    refresh,
    onDone: ({ rule: on }) => notify({ text: on ? 'From now on a second corporate contact approves.' : 'Changes are done at once again.' }),
  });
  const done = (text: string) => ({ refresh, onDone: () => notify({ text }) });
  const approve = useChange(proposals.approveProposal, done('Approved, and done.'));
  const reject = useChange(proposals.rejectProposal, done('Rejected. Nothing was changed.'));
  const withdraw = useChange(proposals.withdrawProposal, done('Withdrawn. Nothing was changed.'));
  const tooFew = !answer.rule && answer.approvers < 2;
  return (
    <Page
      title={pages.approvals.title}
      sub="With the two-person rule, changes of contacts, of the organisation and the closing of the account are done once a second corporate contact has approved exactly what was shown."
    >
      <Stack gap={16}>
        <Sheet title="Two-person rule">
          <Stack gap={12} style={{ justifyItems: 'start' }}>
            <p>
              {answer.rule
                ? 'A second corporate contact approves. To end the rule takes two as well.'
                : 'Changes are done at once by whoever may make them.'}
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
                {answer.rule ? 'End the rule' : 'Have a second person approve'}
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
