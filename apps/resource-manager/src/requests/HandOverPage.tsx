import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { Breadcrumb, Button, formatCount, KeyValueList, Sheet, SkeletonRows, Stack, StateMark } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CaseView } from './CaseView.tsx';
import { DraftEditor } from './DraftEditor.tsx';
import { HandOverFields } from './HandOverFields.tsx';
import { MAX } from './movable.ts';
import { StartLayout } from './StartLayout.tsx';

type Kind = 'transfer' | 'acquisition' | 'return';

const words: Record<Kind, { title: string; sub: string; start: string; send: string; sendWords: string }> = {
  transfer: {
    title: 'IPv4 transfer',
    sub: 'Transfer unused IPv4 or AS numbers to another holder.',
    start: 'Start transfer',
    send: 'Offer to the recipient',
    sendWords: 'The block is locked immediately. You can withdraw until the recipient acknowledges; after that it can’t be undone.',
  },
  acquisition: {
    title: 'Merger and acquisition transfer',
    sub: 'Resources go to the organisation that took over yours. For a new name of the same organisation, change the organisation details instead.',
    start: 'Start',
    send: 'Offer to the recipient',
    sendWords: 'The resources are locked immediately. You can withdraw until the recipient acknowledges; after that it can’t be undone.',
  },
  return: {
    title: 'Return IPv4',
    sub: 'Return resources to the registry. They’re quarantined before anyone else gets them.',
    start: 'Start return',
    send: 'Send return',
    sendWords:
      'When the registry confirms it, whois objects, reverse DNS and ROAs of the space are deleted. That can’t be undone. The annual fee follows at the next renewal.',
  },
};

const toOtherRegistry =
  'The block is locked immediately. Both registries have to approve the transfer. You can withdraw it until we do; after that it can’t be undone.';

/** A page to hand resources over or back: what can be moved, the draft with its plan, and the case. */
export function HandOverPage({ kind }: { kind: Kind }) {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const { title, sub } = words[kind];
  const reads = requestId
    ? ([read(requests.getRequest, { account, requestId }), read(requests.listMovable, { account })] as const)
    : ([read(requests.getEligibility, { account, kind }), read(requests.listMovable, { account })] as const);
  return (
    <Page
      title={title}
      sub={sub}
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
  return (
    <DraftEditor
      key={requestId}
      request={request}
      send={form => (form.otherRegistry === '' ? words[kind].send : 'Send transfer')}
      sendWords={form => (form.otherRegistry === '' ? words[kind].sendWords : toOtherRegistry)}
      fields={({ form, errors, onChange }) => <HandOverFields kind={kind} form={form} errors={errors} onChange={onChange} />}
    />
  );
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
    <StartLayout kind={kind} eligibility={eligibility}>
      <Sheet title="Your resources">
        <Stack gap={12}>
          <KeyValueList
            items={rows.slice(0, MAX).map(row => ({
              key: <span className="mono">{row.resource}</span>,
              id: row.resource,
              value: row.against[kind] ?? (
                <StateMark state="valid" plain>
                  {kind === 'return' ? 'Can be returned' : row.holdUntil ? 'Hold period is over' : 'Can be transferred'}
                </StateMark>
              ),
            }))}
          />
          {rows.length > MAX && (
            <p className="small quiet">
              The first {MAX} of {formatCount(rows.length)}.
            </p>
          )}
          <div>
            <Button
              variant="primary"
              busy={start.isPending}
              refusal={
                refusal ??
                (rows.length === 0
                  ? { reason: `${account} holds no resources` }
                  : why !== null && kind !== 'return'
                    ? { reason: why }
                    : null)
              }
              onClick={() => start.mutate({ account, body: { kind } })}
            >
              {draft ? 'Continue the draft' : words[kind].start}
            </Button>
          </div>
        </Stack>
      </Sheet>
    </StartLayout>
  );
}
