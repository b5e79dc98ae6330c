import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { requests } from '@portal/contract/requests/requests';
import { Breadcrumb, Button, Sheet, SkeletonRows } from '@portal/ui';
import { Suspense } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CaseView } from './CaseView.tsx';
import { useCaseHead } from './case-head.ts';
import { HandOverEditor } from './HandOverEditor.tsx';
import { MovableTable } from './MovableTable.tsx';
import styles from './Requests.module.css';
import { StartLayout } from './StartLayout.tsx';

const TransferOutlook = later(() => import('./TransferOutlook.tsx'), 'TransferOutlook');

type Kind = 'transfer' | 'acquisition' | 'return';

const words: Record<Kind, { title: string; sub: string; start: string }> = {
  transfer: {
    title: 'IPv4 transfer',
    sub: 'Transfer unused IPv4 or AS numbers to another holder.',
    start: 'Start transfer',
  },
  acquisition: {
    title: 'Merger and acquisition transfer',
    sub: 'Resources go to the organisation that took over yours. For a new name of the same organisation, change the organisation details instead.',
    start: 'Start',
  },
  return: {
    title: 'Return IPv4',
    sub: 'Return resources to the registry. They’re quarantined before anyone else gets them.',
    start: 'Start return',
  },
};

/** A page to hand resources over or back: what can be moved, the draft with its plan, and the case. */
export function HandOverPage({ kind }: { kind: Kind }) {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const { title, sub } = words[kind];
  const head = useCaseHead(requestId, { heading: title, sub });
  const reads = requestId
    ? ([read(requests.getRequest, { account, requestId }), read(requests.listMovable, { account })] as const)
    : ([read(requests.getEligibility, { account, kind }), read(requests.listMovable, { account })] as const);
  return (
    <Page
      title={title}
      heading={head.heading}
      sub={head.sub}
      breadcrumb={<Breadcrumb items={[{ label: 'Transfer out', href: '/resources/transfer_request_select' }, { label: title }]} />}
    >
      <AccountNote />
      <FirstRead key={requestId ?? ''} reads={reads} fallback={<SkeletonRows rows={8} label={`Loading ${title}`} />}>
        {requestId ? <OneCase kind={kind} requestId={requestId} /> : <Start kind={kind} />}
      </FirstRead>
    </Page>
  );
}

function OneCase({ kind, requestId }: { kind: Kind; requestId: string }) {
  const { accountName: account } = useAccount();
  const request = useAnswer(requests.getRequest, { account, requestId });
  if (request.state !== 'draft') return <CaseView request={request} />;
  return <HandOverEditor key={requestId} kind={kind} request={request} />;
}

function Start({ kind }: { kind: Kind }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const eligibility = useAnswer(requests.getEligibility, { account, kind });
  const { rows, why } = useAnswer(requests.listMovable, { account });
  const refusal = useRefusal(requests.startRequest);
  const start = useChange(requests.startRequest, {
    refresh: [requests.listRequests, requests.getEligibility],
    onDone: ({ requestId }) => address.set({ request: requestId }, { step: true }),
  });
  const draft = eligibility.open?.state === 'draft';
  return (
    <StartLayout
      kind={kind}
      eligibility={eligibility}
      outlook={
        kind === 'transfer' && (
          <Suspense>
            <TransferOutlook rows={rows} />
          </Suspense>
        )
      }
    >
      <Sheet title="Your resources" flush>
        <MovableTable kind={kind} rows={rows} smallest={eligibility.terms.ipv4Smallest} />
        <div className={styles.inset}>
          <Button
            variant="primary"
            busy={start.isPending}
            refusal={
              refusal ??
              (rows.length === 0 ? { reason: `${account} holds no resources` } : why !== null && kind !== 'return' ? { reason: why } : null)
            }
            onClick={() => start.mutate({ account, body: { kind } })}
          >
            {draft ? 'Continue the draft' : words[kind].start}
          </Button>
        </div>
      </Sheet>
    </StartLayout>
  );
}
