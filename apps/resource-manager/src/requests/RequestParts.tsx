import { reading, useAccount, useAddress, useKit } from '@portal/app-kit';
import { Confirmation } from '@portal/app-kit/form/Confirmation';
import { money } from '@portal/app-kit/words/billing-words';
import { problemsOfForm } from '@portal/contract/requests/form-problems';
import { askedFor } from '@portal/contract/requests/request-words';
import { type RequestEligibility, type ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { Banner, Button, ButtonRow, DateText, Grid, groupDigits, KindMark, Link, Panel, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, Suspense, useRef, useState } from 'react';
import { caseAddress } from '../shell/case-words.ts';
import { AnswerTimes } from './AnswerTimes.tsx';
import { type AskedKind, kindNames } from './Offers.tsx';
import { RequestSection, type SectionHandle, type SectionState } from './RequestSection.tsx';
import styles from './RequestParts.module.css';

type Part = { kind: AskedKind; requestId: string; eligibility: RequestEligibility };
type States = Partial<Record<AskedKind, SectionState | null>>;

/** The form for all kinds that are chosen, and the review beside it: what is asked for, the fee, the place in line, and one button for all. Each kind is a case of its own, decided by itself. */
export function RequestParts({
  parts,
  states,
  onState,
}: {
  parts: readonly Part[];
  states: States;
  onState: (kind: AskedKind, state: SectionState | null) => void;
}) {
  const { notify } = useKit();
  const address = useAddress();
  const handles = useRef<Partial<Record<AskedKind, SectionHandle | null>>>({});
  const [sent, setSent] = useState<ResourceRequestDetail[]>([]);
  const total = useRef(1);
  const onSent = (done: ResourceRequestDetail) => {
    notify({ text: `${done.reference} was sent.` });
    if (total.current === 1) return address.go(caseAddress(done));
    setSent(before => [...before, done]);
  };
  return (
    <Stack gap={16}>
      {sent.length > 0 && <SentBanner sent={sent} />}
      {parts.length > 0 && (
        <Grid columns="split-wide">
          <Sheet title="Your answers" meta="Everything else is filled in from your account" flush>
            {parts.map(({ kind, requestId, eligibility }, index) => (
              <Suspense key={requestId} fallback={<SkeletonRows rows={6} label={`Loading ${kindNames[kind]}`} />}>
                <RequestSection
                  ref={handle => {
                    handles.current[kind] = handle;
                  }}
                  kind={kind}
                  requestId={requestId}
                  eligibility={eligibility}
                  number={index + 1}
                  isFirst={index === 0}
                  isLast={index === parts.length - 1}
                  onState={onState}
                  onShared={(from, part) => {
                    for (const other of parts) if (other.kind !== from) handles.current[other.kind]?.set(part);
                  }}
                  onSent={onSent}
                />
              </Suspense>
            ))}
          </Sheet>
          <Review parts={parts} states={states} handles={handles} onSend={count => (total.current = count)} />
        </Grid>
      )}
    </Stack>
  );
}

/** The cases that were sent from the form. */
const SentBanner = ({ sent }: { sent: readonly ResourceRequestDetail[] }) => (
  <Banner kind="success" title={sent.length === 1 ? '1 request was sent.' : `${sent.length} requests were sent.`}>
    {sent.map((each, index) => (
      <span key={each.requestId}>
        {index > 0 && ', '}
        <Link href={caseAddress(each)}>
          {each.reference}: {each.asked}
        </Link>
      </span>
    ))}
  </Banner>
);

/** The review of all parts: their fee, the time until they are answered, and the acts for all of them. @param onSend tells how many are sent */
function Review({
  parts,
  states,
  handles,
  onSend,
}: {
  parts: readonly Part[];
  states: States;
  handles: RefObject<Partial<Record<AskedKind, SectionHandle | null>>>;
  onSend: (count: number) => void;
}) {
  const { accountName: account } = useAccount();
  const [truthful, setTruthful] = useState(false);
  const [missing, setMissing] = useState(false);
  const send = () => {
    setMissing(!truthful);
    const wrong = parts.filter(({ kind }) => states[kind] && problemsOfForm(kind, states[kind].form).length > 0);
    // Nothing is sent while a part lacks something: it shows what.
    for (const { kind } of wrong.toReversed()) handles.current[kind]?.submit();
    if (wrong.length > 0 || !truthful) return;
    onSend(parts.length);
    for (const { kind } of parts) handles.current[kind]?.submit();
  };
  const refused = parts.find(({ kind }) => states[kind]?.refusal);
  const keptUntil = parts
    .map(({ kind }) => states[kind]?.latest.expiresAt ?? '')
    .filter(Boolean)
    .toSorted()[0];
  return (
    <Panel
      pending
      className={styles.review}
      title="Review"
      sub={parts.length === 1 ? '1 request' : `${parts.length} requests, decided one by one`}
      footer={
        <Stack gap={12} style={{ width: '100%' }}>
          <Confirmation
            id="request-truthful"
            error={missing && !truthful ? 'Confirm that the answers are true' : undefined}
            checked={truthful}
            onChange={setTruthful}
          >
            The answers are true and I may act for {account}
          </Confirmation>
          <ButtonRow>
            <Button
              variant="commit"
              busy={parts.some(({ kind }) => states[kind]?.isSending)}
              refusal={refused ? states[refused.kind]!.refusal : null}
              onClick={send}
            >
              {parts.length === 1 ? 'Send request' : `Send ${parts.length} requests`}
            </Button>
            <Button onClick={() => parts.forEach(({ kind }) => handles.current[kind]?.save())}>Save draft</Button>
          </ButtonRow>
          {keptUntil && (
            <p className="small quiet">
              {parts.length === 1 ? 'The draft is kept until' : 'The drafts are kept until'} <DateText value={keptUntil} shape="date" />.
            </p>
          )}
        </Stack>
      }
    >
      <ul className={styles.asked}>
        {parts.map(({ kind }) => (
          <li key={kind}>
            <KindMark kind={kind} /> {states[kind] ? askedFor(kind, states[kind].form) : kindNames[kind]}
            <span className="quiet small">{states[kind]?.savedWords}</span>
          </li>
        ))}
      </ul>
      <Fee parts={parts} states={states} />
      <h3 className={styles.title}>If you send it now</h3>
      <AnswerTimes queue={parts[0]!.eligibility.queue} place={parts[0]!.eligibility.queue.waiting + 1} />
    </Panel>
  );
}

/** The annual fee with everything that is asked for, each part to scale: the larger address part counts. */
function Fee({ parts, states }: { parts: readonly Part[]; states: States }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const lengthOf = (kind: AskedKind): number | undefined =>
    (parts.some(part => part.kind === kind) && states[kind]?.form.length) || undefined;
  const query = {
    ...(lengthOf('ipv4') && { ipv4: lengthOf('ipv4') }),
    ...(lengthOf('ipv6') && (lengthOf('ipv6') ?? 99) <= 56 && { ipv6: lengthOf('ipv6') }),
    asns: parts.some(({ kind }) => kind === 'asn') ? 1 : 0,
  };
  const { data } = useQuery({ ...reading(call, requests.getRequestFee, { account, query }), placeholderData: keepPreviousData });
  const fee = data?.fee;
  if (!fee) return null;
  const most = Math.max(Number(fee.now), Number(fee.after), Number(fee.ipv4 ?? 0), Number(fee.ipv6 ?? 0), 1);
  const counts = Number(fee.ipv4 ?? 0) >= Number(fee.ipv6 ?? 0) ? 'ipv4' : 'ipv6';
  const rows = [
    { key: 'Now', amount: fee.now, look: 'now' },
    ...(fee.ipv4 !== null
      ? [{ key: `IPv4 part${counts === 'ipv4' && fee.ipv6 !== null ? ', counts' : ''}`, amount: fee.ipv4, look: 'ipv4' }]
      : []),
    ...(fee.ipv6 !== null
      ? [{ key: `IPv6 part${counts === 'ipv6' && fee.ipv4 !== null ? ', counts' : ''}`, amount: fee.ipv6, look: 'ipv6' }]
      : []),
    ...(fee.asns !== null && Number(fee.asns) > 0 ? [{ key: 'AS numbers', amount: fee.asns, look: 'asn' }] : []),
    { key: 'With this request', amount: fee.after, look: 'after' },
  ];
  return (
    <>
      <h3 className={styles.title}>Annual fee, without tax</h3>
      <p className="small quiet">In {fee.currency}, by today’s schedule, from your next renewal. The larger address part counts.</p>
      <dl
        className={styles.fee}
        aria-label={`Annual fee without tax: ${money(fee.currency, fee.now)} now, ${money(fee.currency, fee.after)} with this request`}
      >
        {rows.map(({ key, amount, look }) => (
          <div key={key} data-look={look}>
            <dt>{key}</dt>
            <dd>{groupDigits(amount)}</dd>
            <i aria-hidden="true">
              <i style={{ width: `${(100 * Number(amount)) / most}%` }} />
            </i>
          </div>
        ))}
      </dl>
    </>
  );
}
