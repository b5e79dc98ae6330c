import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import { proposals } from '@portal/contract/proposals/proposals';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { desk } from '@portal/contract/staff/desk';
import { DateText, KeyValueList, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useOpenCase } from '../shell/cases/open-case.ts';
import { useSecondPerson } from '../shell/use-second-person.ts';
import { Part } from './Parts.tsx';

/** The approval of a colleague that waits for a second person, with the button in the request itself. */
export function SecondPerson({ proposal: { proposalId, expiresAt } }: { proposal: NonNullable<StaffResourceRequest['proposal']> }) {
  const { call } = useKit();
  const { onPassed } = useOpenCase();
  const acts = useSecondPerson({ refresh: [requestDesk.getStaffRequest, desk.listRequests], onApplied: () => onPassed('decided') });
  const { data, error } = useQuery(reading(call, proposals.listStaffProposals, {}));
  if (error) return <FailureBanner failure={error} />;
  if (data === undefined) return <SkeletonLines lines={2} label="Loading the approval" />;
  const proposal = data.waiting.find(each => each.proposalId === proposalId);
  if (!proposal) return null;
  return (
    <Part title="Waits for a second person">
      <p>
        {proposal.isMine ? 'You approved' : `${proposal.proposedBy} approved`} this on <DateText value={proposal.proposedAt} />. It’s
        applied once someone else approves it too, until <DateText value={expiresAt} shape="day-time" />.
      </p>
      <KeyValueList align="left" items={proposal.shown.map(({ label, value }) => ({ key: label, value }))} />
      <div data-second-person="">
        <ProposalActs proposal={proposal} {...acts} />
      </div>
    </Part>
  );
}
