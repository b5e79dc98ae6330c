import { withdrawnFrom } from '@portal/contract/requests/life';
import { money } from '@portal/app-kit/words/billing-words';
import { reading, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { documents } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { recoveryGrounds } from '@portal/contract/requests/recoveries';
import { type ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { Banner, Button, ButtonRow, DateText, Field, Grid, KeyValueList, Link, Sheet, Stack, TextArea } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useQuery } from '@tanstack/react-query';
import { later } from '@portal/app-kit/page/later';
import { type ReactNode, Suspense, useState } from 'react';
import { eventLine, nextMoveWords } from '../shell/case-words.ts';
import { AnswerTimes } from './AnswerTimes.tsx';
import { Checklist } from './Checklist.tsx';
import { HeldSheet } from './HeldSheet.tsx';
import { MovePlan } from './MovePlan.tsx';
import { PartyTimeline } from './PartyTimeline.tsx';
import { RoutingSteps } from './RoutingSteps.tsx';
import styles from './Requests.module.css';
import { whoisNameRows } from './whois-name-words.ts';

const KeepsAndGets = later(() => import('./KeepsAndGets.tsx'), 'KeepsAndGets');

const reads = [requests.getRequest, requests.listRequests, requests.getEligibility, requests.listMovable];

/** A case that was sent: its state and next move, conversation, checks, documents, result. */
export function CaseView({ request, children }: { request: ResourceRequestDetail; children?: ReactNode }) {
  const { accountName: account } = useAccount();
  const { state } = request;
  const isOpen = request.resolvedAt === null;
  const mayWithdraw =
    request.accountName === account &&
    isOpen &&
    request.returnDue === null &&
    request.recovery === null &&
    withdrawnFrom({
      hasTwoParties: (request.kind === 'transfer' || request.kind === 'acquisition') && request.form.otherRegistry === '',
    }).includes(state);
  const handsOver = request.kind === 'transfer' || request.kind === 'acquisition' || request.kind === 'return';
  return (
    <Stack gap={16}>
      {handsOver && !request.form.incoming && <PartyTimeline request={request} />}
      <Grid columns="split-wide">
        <Stack gap={16}>
          <Sheet title={`${request.reference}: ${request.asked}`}>
            <Stack gap={12}>
              <CaseBanners request={request} />
              {request.note && <Quote words={request.note} />}
              {request.place !== null && state !== 'on-hold' && <PlaceInLine request={request} />}
              <CaseFacts request={request} />
              {mayWithdraw && <Withdrawal request={request} />}
            </Stack>
          </Sheet>
          {request.question !== null && <Answer key={request.version} request={request} />}
          {children}
          {request.whois && state !== 'offered' && (
            <Sheet title="In whois">
              <KeyValueList
                align="left"
                items={whoisNameRows(request.whois, request.receiveForm ?? request.form, request.kind === 'asn')}
              />
            </Sheet>
          )}
          <History request={request} />
        </Stack>
        <Stack gap={16}>
          {request.checks.length > 0 && <Checklist checks={request.checks} kind={request.kind} title="Checks" />}
          {request.papers.length > 0 && (
            <Sheet title="Documents">
              <DocumentList papers={request.papers} opens={documents.openDocument} inputOf={documentId => ({ account, documentId })} />
            </Sheet>
          )}
          <HeldSheet request={request} />
        </Stack>
      </Grid>
      {request.plan && (
        <RoutingSteps
          plan={request.plan}
          steps={request.kind === 'return' ? ['Sent'] : ['Sent', 'Acknowledged']}
          isIncoming={request.form.incoming}
        />
      )}
      {request.plan && !request.form.incoming && (
        <Suspense>
          <KeepsAndGets request={request} />
        </Suspense>
      )}
      {request.plan && <MovePlan plan={request.plan} holdDays={request.terms.holdDays} asks={request.reference} />}
    </Stack>
  );
}

/** The place of a case in the queue, beside how long answers took lately. */
function PlaceInLine({ request: { kind, place } }: { request: ResourceRequestDetail }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, requests.getEligibility, { account, kind }));
  return data ? <AnswerTimes queue={data.queue} place={place!} isSent /> : null;
}

/** Events and messages, and a message to the registry while the case is open. */
function History({ request }: { request: ResourceRequestDetail }) {
  const isOpen = request.resolvedAt === null;
  const hasTwoParties = request.otherParty !== null && request.form.otherRegistry === '';
  return (
    <Sheet title="History and messages">
      <Stack gap={12}>
        <ul className={styles.events}>
          {request.events.map(({ eventId, kind, at, by, words, party }) => (
            <li key={eventId}>
              <div className="small">
                <EventLine kind={kind} by={by} />
                {hasTwoParties && party === null && (kind === 'question' || kind === 'message') && 'to both parties '}
                <span className="quiet">
                  <DateText value={at} />
                </span>
              </div>
              <Quote words={words} />
            </li>
          ))}
        </ul>
        {isOpen && request.question === null && <Message requestId={request.requestId} />}
      </Stack>
    </Sheet>
  );
}

function Withdrawal({ request }: { request: ResourceRequestDetail }) {
  const { notify } = useKit();
  const refusal = useRefusal(requests.withdrawRequest);
  const [asks, setAsks] = useState(false);
  const withdraw = useChange(requests.withdrawRequest, {
    refresh: reads,
    onDone: ({ reference }) => notify({ text: `${reference} was ${request.direct ? 'declined' : 'withdrawn'}.` }),
  });
  const giveUp = request.direct ? 'Decline' : 'Withdraw';
  const { accountName: account } = useAccount();
  return asks ? (
    <Banner
      kind="warning"
      actions={
        <ButtonRow>
          <Button
            variant="danger"
            size="s"
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ account, requestId: request.requestId })}
          >
            {giveUp}
          </Button>
          <Button size="s" onClick={() => setAsks(false)}>
            Keep it
          </Button>
        </ButtonRow>
      }
    >
      {request.direct
        ? 'The numbers aren’t delegated to you. You can ask for numbers at any time.'
        : 'The request ends and loses its place in the queue. You can send another one.'}
    </Banner>
  ) : (
    <div>
      <Button refusal={refusal} onClick={() => setAsks(true)}>
        {giveUp}
      </Button>
    </div>
  );
}

function CaseFacts({ request }: { request: ResourceRequestDetail }) {
  const startsOn = request.kind === 'return' || request.kind === 'acquisition' ? request.form.startsOn : '';
  const isOpen = request.resolvedAt === null;
  const { state, role } = request;
  return (
    <KeyValueList
      items={[
        ...(isOpen ? [{ key: 'Next move', value: nextMoveWords(request) }] : []),
        ...(request.place !== null
          ? [{ key: state === 'on-hold' ? 'Place on the waiting list' : 'Place in the queue', value: String(request.place) }]
          : []),
        ...(request.subaccount ? [{ key: 'Sub-account', value: request.subaccount }] : []),
        ...(request.otherParty ? [{ key: role === 'recipient' ? 'From' : 'To', value: request.otherParty }] : []),
        ...(request.submittedAt ? [{ key: 'Sent', value: <DateText value={request.submittedAt} /> }] : []),
        { key: 'Requested by', value: request.requestedBy },
        ...(startsOn !== '' && !request.recovery
          ? [
              {
                key: request.kind === 'return' ? 'Not used any more from' : 'In effect from',
                value: (
                  <>
                    <DateText value={startsOn} shape="date" />
                    {isOpen && ', and not carried out before'}
                  </>
                ),
              },
            ]
          : []),
        ...(request.expiresAt && isOpen ? [{ key: 'Expires', value: <DateText value={request.expiresAt} shape="day" /> }] : []),
        ...(request.fee
          ? [
              {
                key: 'Your annual fee afterwards, without tax',
                value: `${money(request.fee.currency, request.fee.after)} (now ${money(request.fee.currency, request.fee.now)})`,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Facts of the case that a member should not miss. */
function CaseBanners({ request }: { request: ResourceRequestDetail }) {
  const first = request.resources[0];
  const { accountName: account } = useAccount();
  const isOpen = request.resolvedAt === null;
  return (
    <>
      {request.state === 'completed' && (
        <Banner kind="success" title={request.resources.join(', ') || 'Done'}>
          {['ipv4', 'ipv6', 'asn'].includes(request.kind) ? (
            <>
              is delegated to {account}. Next: <Link href="/resources/routes/index">routes and ROAs</Link>,{' '}
              <Link href="/resources/ReverseDNS">reverse DNS</Link>,{' '}
              {first && (
                <Link href={first.startsWith('AS') ? `/resources/as-number?asn=${first}` : `/resources/prefix?prefix=${first}`}>
                  its page
                </Link>
              )}
              .
            </>
          ) : null}
        </Banner>
      )}
      {request.due && request.due.paidOn === null && (
        <Banner kind="warning" title={`Transfer fee: ${money(request.due.currency, request.due.amount)} without tax.`}>
          {request.due.payer !== account ? (
            `${request.due.payer} pays it. `
          ) : request.due.invoice ? (
            <>
              Pay invoice <Link href={pages.billing.path}>{request.due.invoice.number}</Link> of {request.due.currency}{' '}
              {request.due.invoice.total} by <DateText value={request.due.invoice.dueOn} shape="day" />.{' '}
            </>
          ) : (
            'You pay it. The invoice is sent within minutes. '
          )}
          The transfer completes when it’s paid.
        </Banner>
      )}
      {request.returnDue && request.accountName === account && (
        <Banner kind="info" title={`The event of ${request.returnDue.resource} is over.`}>
          It was delegated until <DateText value={request.returnDue.endedOn} shape="date" />, so its return can’t be withdrawn. Write to the
          registry below if the event goes on.
        </Banner>
      )}
      {request.direct && isOpen && (
        <Banner kind="info" title={`The registry wants to delegate ${request.direct.resource ?? 'these numbers'} to you.`}>
          You didn’t ask for it. Two people of the registry decide, for the reason below. If you don’t want the numbers, decline them here.
        </Banner>
      )}
      {request.recovery && (
        <Banner kind="warning" title="The registry takes these numbers back.">
          {recoveryGrounds[request.recovery.ground]}.{' '}
          {isOpen ? (
            <>
              It’s carried out on <DateText value={request.recovery.noticeUntil} shape="date" /> at the earliest. Until then nothing
              changes. To object, write to the registry below.
            </>
          ) : (
            'To object, write to the registry below.'
          )}
        </Banner>
      )}
    </>
  );
}

function EventLine(event: { kind: string; by: string | null }) {
  const { by, words } = eventLine(event);
  return (
    <>
      {by && <span className="strong">{by}</span>} {words}{' '}
    </>
  );
}

/** The registry's question, and the answer to it. */
function Answer({ request }: { request: ResourceRequestDetail }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const uploads = useUploads();
  const refusal = useRefusal(requests.answerRequest);
  const change = useChange(requests.answerRequest, {
    refresh: reads,
    showsErrors: true,
    onDone: () => notify({ text: 'Your answer was sent.' }),
  });
  const form = useForm(
    requests.answerRequest.body,
    { answer: '' },
    {
      name: 'request',
      also: ['documents'],
      toBody: ({ answer }) => ({ version: request.version, answer, documentIds: uploads.documentIds }),
      fieldAt: place => (place.startsWith('documentIds') ? 'documents' : place),
      fieldOfCode: { FILE_UNUSABLE: 'documents' },
      check: () => ({ ...(uploads.problem && { documents: uploads.problem }) }),
      ifEmpty: { answer: 'Enter your answer' },
      change,
      send: body => change.mutate({ account, requestId: request.requestId, body }),
    },
  );
  return (
    <Sheet title="The registry has a question">
      <Form form={form} label="Your answer to the registry" bare>
        <Stack gap={12}>
          <Quote words={request.question ?? ''} />
          <FormProblems form={form} />
          <Field
            label="Your answer"
            help={request.otherParty !== null ? `${request.otherParty} doesn’t see it.` : undefined}
            {...form.field('answer')}
          >
            <TextArea rows={4} {...form.input('answer')} />
          </Field>
          <UploadField label="Documents" uploads={uploads} optional {...form.field('documents')} />
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
              Send answer
            </Button>
          </ButtonRow>
        </Stack>
      </Form>
    </Sheet>
  );
}

function Message({ requestId }: { requestId: string }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(requests.writeAboutRequest);
  const change = useChange(requests.writeAboutRequest, {
    refresh: [requests.getRequest],
    showsErrors: true,
    onDone: () => {
      form.reset();
      notify({ text: 'Your message was sent.' });
    },
  });
  const form = useForm(
    requests.writeAboutRequest.body,
    { words: '' },
    {
      name: 'request-message',
      toBody: ({ words }) => ({ words, documentIds: [] }),
      ifEmpty: { words: 'Enter a message' },
      change,
      send: body => change.mutate({ account, requestId, body }),
    },
  );
  return (
    <Form form={form} label="Message to the registry" bare>
      <Stack gap={8}>
        <FormProblems form={form} />
        <Field label="Message to the registry" optional {...form.field('words')}>
          <TextArea rows={2} {...form.input('words')} />
        </Field>
        <div>
          <Button type="submit" busy={form.busy} refusal={refusal}>
            Send message
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
