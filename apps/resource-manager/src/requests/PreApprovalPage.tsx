import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { Button, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { useCaseHead } from './case-head.ts';
import { AnswerTimes } from './AnswerTimes.tsx';
import { CaseView } from './CaseView.tsx';
import { DraftEditor } from './DraftEditor.tsx';
import { RequestFields } from './RequestFields.tsx';
import { StartLayout } from './StartLayout.tsx';

const kind = 'pre-approval';
const title = 'IPv4 pre-approval';

/** /resources/ipv4_pre-approval_form: how much IPv4 the account may receive by transfer. What is possible first, then the draft, then the case with its progress. */
export default function PreApprovalPage() {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const head = useCaseHead(requestId, {
    heading: title,
    sub: 'Show your need once, then receive transfers up to that size without a new plan each time.',
  });
  const reads = requestId
    ? ([read(requests.getRequest, { account, requestId }), read(requests.getEligibility, { account, kind })] as const)
    : ([read(requests.getEligibility, { account, kind })] as const);
  return (
    <Page title={title} heading={head.heading} sub={head.sub}>
      <AccountNote />
      <FirstRead key={requestId ?? ''} reads={reads} fallback={<SkeletonRows rows={8} label={`Loading ${title}`} />}>
        {requestId ? <OneCase requestId={requestId} /> : <Start />}
      </FirstRead>
    </Page>
  );
}

function OneCase({ requestId }: { requestId: string }) {
  const { accountName: account } = useAccount();
  const request = useAnswer(requests.getRequest, { account, requestId });
  const { paths } = useAnswer(requests.getEligibility, { account, kind });
  if (request.state !== 'draft') return <CaseView request={request} />;
  return <DraftEditor key={request.requestId} request={request} fields={props => <RequestFields kind={kind} paths={paths} {...props} />} />;
}

function Start() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const eligibility = useAnswer(requests.getEligibility, { account, kind });
  const { why, open, queue } = eligibility;
  const refusal = useRefusal(requests.startRequest);
  const start = useChange(requests.startRequest, {
    refresh: [requests.getEligibility, requests.listRequests],
    onDone: ({ requestId }) => address.set({ request: requestId }, { step: true }),
  });
  return (
    <StartLayout kind={kind} eligibility={eligibility} queued>
      <Sheet title="New request">
        <Stack gap={12}>
          {open ? (
            <div>
              <Button variant="primary" onClick={() => address.set({ request: open.requestId }, { step: true })}>
                {open.state === 'draft' ? 'Continue the draft' : `View ${open.reference}`}
              </Button>
            </div>
          ) : (
            <div>
              <Button
                variant="primary"
                busy={start.isPending}
                refusal={refusal ?? (why === null ? null : { reason: why })}
                onClick={() => start.mutate({ account, body: { kind } })}
              >
                Start request
              </Button>
            </div>
          )}
          <AnswerTimes queue={queue} place={queue.waiting + 1} />
        </Stack>
      </Sheet>
    </StartLayout>
  );
}
