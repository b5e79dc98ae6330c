import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { type RequestKind, requestKinds } from '@portal/contract/requests/request-form';
import { requests } from '@portal/contract/requests/requests';
import { Banner, Button, KeyValueList, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CaseView } from './CaseView.tsx';
import { DraftEditor } from './DraftEditor.tsx';
import { RequestFields } from './RequestFields.tsx';
import { StartLayout } from './StartLayout.tsx';
import { WhoisNameFields } from './WhoisNameFields.tsx';

type Kind = Extract<RequestKind, 'ipv4' | 'ipv6' | 'asn' | 'pre-approval'>;

/** A page to ask for something: what is possible first, then the draft, then the case with its progress. */
export function RequestPage({ kind, title, sub }: { kind: Kind; title: string; sub: string }) {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const reads = requestId
    ? ([read(requests.getRequest, { account, requestId }), read(requests.getEligibility, { account, kind })] as const)
    : ([read(requests.getEligibility, { account, kind })] as const);
  return (
    <Page title={title} sub={sub}>
      <AccountNote />
      <FirstRead key={requestId ?? ''} reads={reads} fallback={<SkeletonRows rows={8} label={`Loading ${requestKinds[kind]}`} />}>
        {requestId ? <OneCase kind={kind} requestId={requestId} /> : <Start kind={kind} />}
      </FirstRead>
    </Page>
  );
}

function OneCase({ kind, requestId }: { kind: Kind; requestId: string }) {
  const { accountName: account } = useAccount();
  const request = useAnswer(requests.getRequest, { account, requestId });
  const { paths } = useAnswer(requests.getEligibility, { account, kind });
  if (request.state !== 'draft') return <CaseView request={request} />;
  return (
    <DraftEditor
      key={request.requestId}
      request={request}
      fields={props => (
        <>
          <RequestFields kind={kind} paths={paths} {...props} />
          {request.whois && <WhoisNameFields whois={request.whois} asNumbers={kind === 'asn'} {...props} />}
        </>
      )}
    />
  );
}

function Start({ kind }: { kind: Kind }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const eligibility = useAnswer(requests.getEligibility, { account, kind });
  const { why, paths, open, room, queue, oneClick } = eligibility;
  const refusal = useRefusal(requests.startRequest);
  const start = useChange(requests.startRequest, {
    refresh: [requests.getEligibility, requests.listRequests],
    onDone: ({ requestId }) => address.set({ request: requestId }, { step: true }),
  });
  return (
    <StartLayout kind={kind} eligibility={eligibility} queued>
      {oneClick && (
        <Banner
          kind="success"
          title={`A /${oneClick.length} in one click.`}
          actions={
            <LinkButton size="s" href="/resources/ipv6-oneclick/confirm">
              Get a /{oneClick.length}
            </LinkButton>
          }
        >
          {oneClick.why}. No questions, no documents.
        </Banner>
      )}
      <Sheet title="What you can get">
        <Stack gap={12}>
          {room && <p>{room}.</p>}
          {paths.length > 0 && (
            <KeyValueList
              align="left"
              items={paths.map(({ path, label, lengths, words }) => ({ key: label, id: path, value: `${sizesOf(lengths)}. ${words}` }))}
            />
          )}
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
          <p className="small quiet">
            {queue.waiting === 0
              ? 'The queue is empty.'
              : `${queue.waiting} ${queue.waiting === 1 ? 'request waits' : 'requests wait'} for the registry.`}{' '}
            {queue.medianDays !== null && `Median answer time of the last 30 days: ${queue.medianDays} working days.`}
          </p>
        </Stack>
      </Sheet>
    </StartLayout>
  );
}

const sizesOf = (lengths: readonly number[]): string => (lengths.length === 1 ? `/${lengths[0]}` : `/${lengths[0]} to /${lengths.at(-1)}`);
