import { FailureBanner, Page, reading, useAnswer, useKit } from '@portal/app-kit';
import { ProposalList } from '@portal/app-kit/proposals/ProposalList';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { requestDesk } from '@portal/contract/requests/desk';
import { desk } from '@portal/contract/staff/desk';
import { SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useSecondPerson } from '../shell/use-second-person.ts';
import { named } from './queue-words.ts';
import { CaseFacts } from './ResourceCase.tsx';

/** Reads that an approval of a case changes. */
const caseReads = [requestDesk.getStaffRequest, desk.listRequests];

/** Changes by registry staff on their own about a holder: a second staff member approves them, with what they are about in full. */
export default function ApprovalsPage() {
  const { waiting, decided } = useAnswer(proposals.listStaffProposals, {});
  const acts = useSecondPerson({ refresh: caseReads });
  return (
    <Page
      title={pages.deskApprovals.title}
      sub="Changes that one person can’t make alone, such as closing a month of the books. A second person approves them here."
    >
      <ProposalList
        waiting={waiting}
        decided={decided}
        caseOf={({ action, link }) => {
          const request =
            action === requestDesk.approveRequest.id ? named(/(?:requests\/|request=)([a-z]+-\d+)$/.exec(link ?? '')?.[1] ?? null) : null;
          return request && <ProposedCase requestId={request.requestId} />;
        }}
        {...acts}
      />
    </Page>
  );
}

/** The request that a proposal is about, as the first person read it. */
function ProposedCase({ requestId }: { requestId: string }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, requestDesk.getStaffRequest, { requestId }));
  if (error) return <FailureBanner failure={error} />;
  return data === undefined ? <SkeletonLines lines={6} label="Loading the request" /> : <CaseFacts request={data} />;
}
