import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal, useSession } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { requests } from '@portal/contract/requests/requests';
import { Breadcrumb, Button, Disclosure, Sheet, SkeletonLines, SkeletonRows } from '@portal/ui';
import { Suspense, useState } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CaseView } from './CaseView.tsx';
import { useCaseHead } from './case-head.ts';
import { HandOverEditor } from './HandOverEditor.tsx';
import { movesWords, pickable } from './movable.ts';
import { MovableTable } from './MovableTable.tsx';
import styles from './Requests.module.css';
import { StartLayout } from './StartLayout.tsx';

const BlockPicker = later(() => import('../shell/BlockPicker.tsx'), 'BlockPicker');
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
  const open = (requestId: string) => address.set({ request: requestId }, { step: true });
  const save = useChange(requests.saveRequest, { onDone: ({ requestId }) => open(requestId) });
  /** The block that was pressed on the map: the draft begins with it. */
  const [pressed, setPressed] = useState<string[] | null>(null);
  const start = useChange(requests.startRequest, {
    refresh: [requests.listRequests, requests.getEligibility],
    onDone({ requestId, version, form, papers }) {
      if (pressed === null) return open(requestId);
      const documentIds = papers.map(({ documentId }) => documentId);
      save.mutate({ account, requestId, body: { version, form: { ...form, resources: pressed }, documentIds } });
    },
  });
  const begin = (chosen: string[] | null): void => {
    setPressed(chosen);
    start.mutate({ account, body: { kind } });
  };
  const draft = eligibility.open?.state === 'draft';
  const isBusy = start.isPending || save.isPending;
  const stopped =
    refusal ??
    (rows.length === 0 ? { reason: `${account} holds no resources` } : why !== null && kind !== 'return' ? { reason: why } : null);
  // By the permission alone: the calls of the map are loaded with it.
  const seesMap = useSession().account?.permissions.includes('resources-view') ?? false;
  const holdings = pickable(kind, rows);
  const picks = kind !== 'acquisition' && stopped === null && seesMap && holdings.length > 0;
  return (
    <StartLayout
      kind={kind}
      eligibility={eligibility}
      beside={kind === 'transfer' && stopped === null && <Ahead />}
      outlook={
        kind === 'transfer' && (
          <Sheet>
            <Disclosure summary="How a transfer works: steps, fees by size, terms">
              <Suspense>
                <TransferOutlook rows={rows} />
              </Suspense>
            </Disclosure>
          </Sheet>
        )
      }
    >
      {picks && (
        <Sheet title="Block" meta="The one you choose begins a draft with its plan. Nothing is sent yet.">
          <Suspense fallback={<SkeletonLines lines={10} label="Loading the address map" />}>
            <BlockPicker
              holdings={holdings}
              moves={movesWords[kind]}
              chosen={pressed ?? []}
              smallest={eligibility.terms.ipv4Smallest}
              onChange={(chosen: string[]) => !isBusy && begin(chosen)}
            />
          </Suspense>
        </Sheet>
      )}
      <Sheet title="Your resources" flush>
        <MovableTable kind={kind} rows={rows} smallest={eligibility.terms.ipv4Smallest} />
        <div className={styles.inset}>
          <Button variant={picks && !draft ? undefined : 'primary'} busy={isBusy} refusal={stopped} onClick={() => begin(null)}>
            {draft ? 'Continue the draft' : words[kind].start}
          </Button>
        </div>
      </Sheet>
    </StartLayout>
  );
}

/** The parts of a draft that appear once a block is chosen. */
const ahead = [
  ['Plan', 'Each whois object, route, ROA and reverse zone of the block, and whether it moves, ends or stays.'],
  ['Validity', 'Route validity step by step, so that there is no gap in routing.'],
  ['Fee and hold', 'The transfer fee, both annual fees, and how long the block can’t move again.'],
  ['Time line', 'The days of both parties, until the block is with the recipient.'],
  ['You keep, they get', 'Both holdings after the transfer.'],
] as const;

const Ahead = () => (
  <Sheet title="Once a block is chosen" meta="You see this before anything is sent">
    <dl className={styles.ahead}>
      {ahead.map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </Sheet>
);
