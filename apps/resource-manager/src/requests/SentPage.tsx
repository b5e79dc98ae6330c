import { Page, read, useAccount, useAddress, useAnswer } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { Breadcrumb, EmptyState, LinkButton, SkeletonRows } from '@portal/ui';
import { FirstRead } from '../shell/FirstRead.tsx';
import { useCaseHead } from './case-head.ts';
import { CaseView } from './CaseView.tsx';

/** A sent request, at an address of its own: reference, summary, next steps, withdraw. It survives a reload. `parties`: a return has one. */
export function SentPage({ title, back, parties = 2 }: { title: string; back: string; parties?: 1 | 2 }) {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const sub =
    requestId === null
      ? ''
      : parties === 2
        ? 'Keep the reference. Both parties see the same state and who has the next move.'
        : 'Keep the reference. The state and who has the next move are shown here.';
  const head = useCaseHead(requestId, { heading: title, sub });
  return (
    <Page
      title={title}
      heading={head.heading}
      sub={head.sub}
      breadcrumb={<Breadcrumb items={[{ label: 'Transfer out', href: '/resources/transfer_request_select' }, { label: title }]} />}
    >
      {requestId === null ? (
        <EmptyState title="No request chosen" action={<LinkButton href={back}>View requests</LinkButton>}>
          Open a request from the list to see its state.
        </EmptyState>
      ) : (
        <FirstRead
          key={requestId}
          reads={[read(requests.getRequest, { account, requestId })]}
          fallback={<SkeletonRows rows={6} label="Loading the request" />}
        >
          <Sent requestId={requestId} />
        </FirstRead>
      )}
    </Page>
  );
}

function Sent({ requestId }: { requestId: string }) {
  return <CaseView request={useAnswer(requests.getRequest, { account: useAccount().accountName, requestId })} />;
}
