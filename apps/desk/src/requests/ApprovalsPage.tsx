import { FailureBanner, Page, reading, useAnswer, useKit } from '@portal/app-kit';
import { ProposalList } from '@portal/app-kit/proposals/ProposalList';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { requestDesk } from '@portal/contract/requests/desk';
import { desk } from '@portal/contract/staff/desk';
import { SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useDeskKeys } from '../shell/cases/desk-keys.ts';
import { useSecondPerson } from '../shell/use-second-person.ts';
import { named } from './queue-words.ts';
import { CaseFacts } from './ResourceCase.tsx';

/** Reads that an approval of a case changes. */
const caseReads = [requestDesk.getStaffRequest, desk.listRequests];

/** Changes by registry staff on their own about a holder: a second staff member approves them, with what they are about in full. */
export default function ApprovalsPage() {
  const { waiting, decided } = useAnswer(proposals.listStaffProposals, {});
  const acts = useSecondPerson({ refresh: caseReads });
  const list = useRef<HTMLDivElement>(null);
  useDeskKeys(
    { j: () => stepTo(list.current, 1), k: () => stepTo(list.current, -1) },
    { j: 'Buttons of the next change', k: 'Buttons of the previous change' },
  );
  return (
    <Page
      title={pages.deskApprovals.title}
      sub="Changes that one person can’t make alone, such as closing a month of the books. A second person approves them here."
    >
      <div ref={list}>
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
      </div>
    </Page>
  );
}

/** Moves the focus to the buttons of the proposal after or before the one that has it. */
function stepTo(list: HTMLElement | null, by: 1 | -1): void {
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-proposal]') ?? [])];
  const at = all.findIndex(each => each.contains(document.activeElement));
  all[at < 0 ? 0 : at + by]?.querySelector('button')?.focus();
}

/** The request that a proposal is about, as the first person read it. */
function ProposedCase({ requestId }: { requestId: string }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, requestDesk.getStaffRequest, { requestId }));
  if (error) return <FailureBanner failure={error} />;
  return data === undefined ? <SkeletonLines lines={6} label="Loading the request" /> : <CaseFacts request={data} />;
}
