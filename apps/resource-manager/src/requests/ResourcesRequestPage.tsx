import { Page, read, reading, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { requestKinds } from '@portal/contract/requests/request-form';
import { type RequestCheck, type RequestEligibility, requests } from '@portal/contract/requests/requests';
import { Banner, Breadcrumb, Button, LinkButton, Sheet, SkeletonRows, Stack, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useState } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { caseAddress } from '../shell/case-words.ts';
import { FirstRead } from '../shell/FirstRead.tsx';
import { useCaseHead } from './case-head.ts';
import { CasesTable } from './CasesTable.tsx';
import { CaseView } from './CaseView.tsx';
import { FactTable } from './FactTable.tsx';
import { askedKinds, type AskedKind, Offers } from './Offers.tsx';
import { PolicySummary } from './PolicyLink.tsx';
import type { SectionState } from './RequestSection.tsx';

const RequestParts = later(() => import('./RequestParts.tsx'), 'RequestParts');

const sub = 'Ask for IPv4, IPv6 and AS numbers in one form. What the registry knows already is filled in.';

/**
 * The page to ask for numbers, at an address for each kind: what is possible and why, one form for all kinds that are chosen, and each case with its progress once it was sent. `?for=ipv4,asn` names the
 * kinds in the form, `?request=` a case.
 */
export function ResourcesRequestPage({ kind, title }: { kind: AskedKind; title: string }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const requestId = useAddress().get('request');
  const { data } = useQuery({
    ...reading(call, requests.getRequest, { account, requestId: requestId ?? '' }),
    enabled: requestId !== null,
  });
  const isSent = requestId !== null && data !== undefined && data.state !== 'draft';
  const head = useCaseHead(isSent ? requestId : null, { heading: 'Request resources', sub });
  const fallback = <SkeletonRows rows={8} label={`Loading ${requestKinds[kind]}`} />;
  return (
    <Page
      title={title}
      heading={head.heading}
      sub={head.sub}
      breadcrumb={isSent ? <Breadcrumb items={[{ label: 'Requests', href: '?' }, { label: data.reference }]} /> : undefined}
    >
      <AccountNote />
      {requestId !== null && data === undefined ? (
        <FirstRead key={requestId} reads={[read(requests.getRequest, { account, requestId })]} fallback={fallback}>
          {null}
        </FirstRead>
      ) : isSent ? (
        <CaseView request={data} />
      ) : (
        <FirstRead
          key={account}
          reads={[
            read(requests.getEligibility, { account, kind: 'ipv4' }),
            read(requests.getEligibility, { account, kind: 'ipv6' }),
            read(requests.getEligibility, { account, kind: 'asn' }),
          ]}
          fallback={fallback}
        >
          <Start kind={kind} />
        </FirstRead>
      )}
    </Page>
  );
}

function Start({ kind }: { kind: AskedKind }) {
  const { accountName: account, features } = useAccount();
  const address = useAddress();
  const offers = {
    ipv4: useAnswer(requests.getEligibility, { account, kind: 'ipv4' }),
    ipv6: useAnswer(requests.getEligibility, { account, kind: 'ipv6' }),
    asn: useAnswer(requests.getEligibility, { account, kind: 'asn' }),
  };
  const refusal = useRefusal(requests.startRequest);
  const named = address.get('for');
  const wanted = named === null ? [kind] : askedKinds.filter(each => named.split(',').includes(each));
  const draftOf = (each: AskedKind): string | null => (offers[each].open?.state === 'draft' ? offers[each].open.requestId : null);
  const chosen = wanted.filter(each => draftOf(each) !== null);
  const show = (kinds: readonly AskedKind[]) =>
    address.set({ for: askedKinds.filter(each => kinds.includes(each)).join(','), request: null });
  const start = useChange(requests.startRequest, { refresh: [requests.getEligibility, requests.listRequests] });
  const choose = (each: AskedKind, isChosen: boolean) => {
    if (!isChosen) return show(chosen.filter(other => other !== each));
    if (draftOf(each) === null) start.mutate({ account, body: { kind: each } }, { onSuccess: () => show([...chosen, each]) });
    else show([...chosen, each]);
  };
  const { oneClick } = offers.ipv6;
  const [parts, setParts] = useState<Partial<Record<AskedKind, SectionState | null>>>({});
  const onState = useCallback((each: AskedKind, state: SectionState | null) => setParts(before => ({ ...before, [each]: state })), []);
  const checksOf = (each: AskedKind): readonly RequestCheck[] =>
    (chosen.includes(each) && parts[each]?.latest.checks) || offers[each].checks;
  const countOf = (wantedState: RequestCheck['state'], kinds: readonly AskedKind[]): number =>
    new Set(
      kinds.flatMap(each =>
        checksOf(each)
          .filter(({ state }) => state === wantedState)
          .map(({ checkId, known }) => `${checkId} ${known}`),
      ),
    ).size;
  const reasonOf = (each: AskedKind): string | null => offers[each].why;
  return (
    <Stack gap={16}>
      {oneClick && features.includes('ipv6oneclick') && <OneClickBanner oneClick={oneClick} />}
      <Sheet
        title="Eligibility"
        flush
        meta={<FactsMark unmet={countOf('unmet', chosen.length > 0 ? chosen : [kind])} open={countOf('open', chosen)} />}
        actions={<PolicySummary kind={kind} />}
      >
        <Offers
          offers={offers}
          chosen={chosen}
          lengths={{ ipv4: parts.ipv4?.form.length ?? 0, ipv6: parts.ipv6?.form.length ?? 0 }}
          busy={start.isPending}
          reasonOf={reasonOf}
          addressOf={caseAddressOf}
          onChoose={choose}
        />
        <FactTable checks={{ ipv4: checksOf('ipv4'), ipv6: checksOf('ipv6'), asn: checksOf('asn') }} />
      </Sheet>
      {chosen.length === 0 ? (
        <OwnKind kind={kind} offer={offers[kind]} isStarting={start.isPending} refusal={refusal} onStart={() => choose(kind, true)} />
      ) : (
        <Suspense fallback={<SkeletonRows rows={8} label="Loading the draft" />}>
          <RequestParts
            parts={chosen.map(each => ({ kind: each, requestId: draftOf(each)!, eligibility: offers[each] }))}
            states={parts}
            onState={onState}
          />
        </Suspense>
      )}
      <CasesTable kind={kind} queued />
    </Stack>
  );
}

/** A block that is there without a request. */
const OneClickBanner = ({ oneClick }: { oneClick: NonNullable<RequestEligibility['oneClick']> }) => (
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
);

/** Counts what isn't met, and what the answers have to say. */
const FactsMark = ({ unmet, open }: { unmet: number; open: number }) => (
  <StateMark state={unmet > 0 ? 'invalid' : open > 0 ? 'pending' : 'valid'} plain>
    {unmet > 0
      ? `${unmet} ${unmet === 1 ? 'fact isn’t' : 'facts aren’t'} met`
      : open > 0
        ? `${open} ${open === 1 ? 'needs' : 'need'} your answer`
        : 'Every fact is met'}
  </StateMark>
);

/** The kind of the page, while none is in the form: its open case, or the button that begins its draft. */
function OwnKind({
  kind,
  offer,
  isStarting,
  refusal,
  onStart,
}: {
  kind: AskedKind;
  offer: RequestEligibility;
  isStarting: boolean;
  refusal: ReturnType<typeof useRefusal>;
  onStart: () => void;
}) {
  const address = useAddress();
  const { open } = offer;
  const isOpen = open !== null && open.state !== 'draft';
  return (
    <Sheet title={isOpen ? 'Under way' : 'Your request'}>
      <Stack gap={12}>
        <p className="small">
          {isOpen
            ? `${open.reference} is open. Choose another kind above, or view the request.`
            : 'Choose above what you need, or start with this page’s kind. The draft is saved as you fill it in.'}
        </p>
        <div>
          {isOpen ? (
            <Button variant="primary" onClick={() => address.go(caseAddressOf(kind, open.requestId))}>
              View {open.reference}
            </Button>
          ) : (
            <Button
              variant="primary"
              busy={isStarting}
              refusal={refusal ?? (offer.why === null ? null : { reason: offer.why })}
              onClick={onStart}
            >
              {open === null ? 'Start request' : 'Continue the draft'}
            </Button>
          )}
        </div>
      </Stack>
    </Sheet>
  );
}

const caseAddressOf = (kind: AskedKind, requestId: string): string =>
  caseAddress({ kind, requestId, role: 'requester', state: 'submitted' });
