import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { planMonths, requestPaths, type RequestForm } from '@portal/contract/requests/request-form';
import { Banner, Button, Checkbox, DateText, Field, formatCount, KeyValueList, StateMark, TextArea, TextInput } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useState } from 'react';
import { useDeciding, useDecision } from './deciding.ts';
import { type Act, Decision } from './Decision.tsx';
import { AccountLink, Outcome, Part, RequestDocuments } from './Parts.tsx';
import styles from './Request.module.css';
import { reviewedActs } from './reviewed-acts.ts';

const marks = { met: 'valid', unmet: 'invalid', review: 'warning', open: 'info' } as const;
const markWords = { met: 'met', unmet: 'not met', review: 'judge it', open: 'no answer' } as const;

/** The answers of a form that hold something. */
function answersOf(kind: StaffResourceRequest['kind'], form: RequestForm): [string, string][] {
  const months = kind === 'ipv4' ? planMonths.ipv4 : planMonths['pre-approval'];
  const rows: [string, string][] = [
    ['Grounds', form.path === '' ? '' : requestPaths[form.path]],
    ['Size', form.length > 0 ? `/${form.length}` : ''],
    ['/24 blocks', form.blocks > 0 ? String(form.blocks) : ''],
    ...form.plan.map(({ purpose, amounts }): [string, string] => [
      purpose || 'Plan',
      amounts.map((amount, index) => `${months[index]} months: ${formatCount(amount)}`).join(', '),
    ]),
    ['Provider space', form.providerSpace],
    ['Several networks', form.multihomed],
    [
      'Networks',
      form.neighbours
        .map(({ asn, name }) => `${asn} ${name}`.trim())
        .filter(Boolean)
        .join(', '),
    ],
    ['Customers and sites', form.sites > 0 ? formatCount(form.sites) : ''],
    ['From', form.startsOn],
    ['Until', form.endsOn],
    ['Two bytes', form.twoByte ? 'yes' : ''],
    ['Customer', form.customer],
    ['Resources', form.resources.join(', ')],
    ['Recipient', form.recipient || form.otherRegistry],
    ['Occasion', form.occasion],
    ['Receiving organisation', [form.legalName, form.registrationNumber].filter(Boolean).join(', ')],
  ];
  return rows.filter(([, value]) => value !== '');
}

/** A request for resources, a transfer or a return: what is asked, what the system checked, the pool, what was said, and the decision. */
export function ResourceCase({ request, onDecided }: { request: StaffResourceRequest; onDecided: () => void }) {
  const { requestId, reference, state, kind, proposed } = request;
  const [picked, setPicked] = useState('');
  const refusal = useRefusal(requestDesk.approveRequest);
  const deciding = useDeciding(requestDesk.getStaffRequest, { requestId }, onDecided);
  const after = (words: string) => ({ done: (row: StaffResourceRequest) => deciding.done(row, words), failed: deciding.failed });
  const review = useDecision(requestDesk.reviewRequest, after(`${reference} is in review.`));
  const ask = useDecision(requestDesk.askAboutRequest, after('The member was asked by e-mail. The clock is stopped.'));
  const approve = useDecision(requestDesk.approveRequest, after('Approved. The member gets an e-mail.'));
  const refuse = useDecision(requestDesk.refuseRequest, after('Rejected. The member gets an e-mail.'));
  const isOpen = request.resolvedAt === null;
  const gives = kind === 'ipv4' || kind === 'ipv6' || kind === 'asn';
  const unmet = request.checks.find(check => check.state === 'unmet' || check.state === 'open');
  const consequence = gives
    ? `${picked.trim() || proposed?.resource || 'A block'} is delegated to ${request.accountName} immediately. Whois, RDAP and RPKI follow within seconds.`
    : kind === 'return'
      ? `${request.form.resources.join(', ')} leaves ${request.accountName} immediately and rests in the pool. Its whois objects and ROAs are deleted.`
      : kind === 'pre-approval'
        ? `${request.accountName} may receive ${request.form.blocks} × /24 by transfer.`
        : request.plan?.fee
          ? `The transfer waits until ${request.plan.fee.payer} has paid ${request.plan.fee.currency} ${request.plan.fee.amount}.`
          : 'The resources move immediately, with whois and ROAs.';
  const acts: Act[] = ['submitted', 'in-review', 'needs-info'].includes(state)
    ? reviewedActs({
        state: state === 'needs-info' ? 'INFO_REQUESTED' : state === 'in-review' ? 'IN_REVIEW' : 'SUBMITTED',
        reader: 'the member',
        approve: {
          consequence,
          why: unmet
            ? `${unmet.fact}: ${unmet.known}`
            : gives && !proposed && picked.trim() === ''
              ? 'No block of this size is free'
              : null,
          body: requestDesk.approveRequest.body,
          busy: approve.busy,
          send: note => approve.send({ requestId, body: { note, resource: picked.trim() } }),
        },
        refuse: {
          consequence: 'Nothing is delegated or moved. What is held for it is free again.',
          body: requestDesk.refuseRequest.body,
          busy: refuse.busy,
          send: reason => refuse.send({ requestId, body: { reason } }),
        },
        ask: {
          consequence: 'The clock stops until the member answers.',
          body: requestDesk.askAboutRequest.body,
          busy: ask.busy,
          send: question => ask.send({ requestId, body: { question } }),
        },
        review: { busy: review.busy, send: () => review.send({ requestId }) },
      })
    : [];
  return (
    <>
      {isOpen && request.late && <Banner kind="warning">It has waited {request.workingHours} working hours, longer than promised.</Banner>}
      {!isOpen && (
        <Outcome words={state} by={request.byRobot ? 'the rules' : request.decidedBy} at={request.resolvedAt} note={request.note} />
      )}
      {request.resources.length > 0 && (
        <Part title="Result">
          <p className="mono">{request.resources.join(', ')}</p>
        </Part>
      )}
      {isOpen && (
        <Part title="Checks by the system">
          <ul className={styles.people}>
            {request.checks.map(({ checkId, fact, known, source, state: met, policy }) => (
              <li key={checkId}>
                <StateMark state={marks[met]} plain>
                  {fact}: {markWords[met]}
                </StateMark>{' '}
                <span className="small">{known}</span>{' '}
                <span className="quiet small">
                  {source}. Policy: {policy}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Request">
        <KeyValueList
          align="left"
          items={answersOf(kind, request.form).map(([key, value], index) => ({ key, value, id: `${key}${index}` }))}
        />
        {request.form.network && <Quote words={request.form.network} />}
        {request.form.reason && <Quote words={request.form.reason} />}
        <p className="quiet small">
          {request.requestedBy} ({request.requesterEmail}) {request.submittedAt && <DateText value={request.submittedAt} />}
        </p>
        <RequestDocuments papers={request.papers} />
      </Part>
      {request.receiveForm && (
        <Part title={`What ${request.otherParty} answered`}>
          <KeyValueList
            align="left"
            items={answersOf('pre-approval', request.receiveForm).map(([key, value], index) => ({ key, value, id: `${key}${index}` }))}
          />
          {request.receiveForm.usePreApproval && <p>Uses its pre-approval.</p>}
          {request.receiveForm.network && <Quote words={request.receiveForm.network} />}
        </Part>
      )}
      {request.plan && (
        <Part title="On completion">
          <KeyValueList
            align="left"
            items={[
              { key: 'Moves', value: request.plan.moves.join(', ') },
              { key: 'Kept', value: request.plan.keeps.join(', ') || 'the delegations move whole' },
              ...(request.plan.fee
                ? [{ key: 'Fee', value: `${request.plan.fee.currency} ${request.plan.fee.amount} from ${request.plan.fee.payer}` }]
                : []),
            ]}
          />
          <p className="small quiet">{request.plan.effects.length} objects are affected.</p>
        </Part>
      )}
      {request.pool && isOpen && (
        <Part title="Pool">
          <KeyValueList
            align="left"
            items={[
              { key: 'Proposed', value: proposed ? <span className="mono">{proposed.resource}</span> : 'No block of this size is free' },
              ...(proposed ? [{ key: 'Why', value: proposed.why }] : []),
              ...(request.pool.sizes.length > 0
                ? [
                    {
                      key: 'Free blocks',
                      value: request.pool.sizes
                        .slice(0, 8)
                        .map(({ length, blocks }) => `/${length}: ${blocks}`)
                        .join(', '),
                    },
                  ]
                : [{ key: 'Free numbers', value: request.pool.available }]),
            ]}
          />
          <Field label="Another block" optional help="Free, and of the size that was asked for.">
            <TextInput mono value={picked} maxLength={100} autoComplete="off" onChange={event => setPicked(event.target.value)} />
          </Field>
        </Part>
      )}
      <Part title="The account">
        <KeyValueList
          align="left"
          items={[
            { key: 'Account', value: <AccountLink accountName={request.accountName} /> },
            { key: 'Legal name', value: request.orgName },
            { key: 'Status', value: request.accountStatus },
            { key: 'Holds', value: request.holdings.map(({ resource }) => resource).join(', ') || 'nothing' },
            ...(request.fee ? [{ key: 'Annual fee', value: `${request.fee.currency} ${request.fee.now}, then ${request.fee.after}` }] : []),
            { key: 'Earlier requests', value: `${request.earlier.approved} approved, ${request.earlier.rejected} rejected` },
            ...(request.reviewer ? [{ key: 'Reviewer', value: request.reviewer }] : []),
          ]}
        />
      </Part>
      <Part title="Conversation and history">
        <ul className={styles.people}>
          {request.events.map(({ eventId, kind: what, at, by, words, internal }) => (
            <li key={eventId}>
              {what.replaceAll('-', ' ')} {internal && <span className="quiet small">internal</span>}{' '}
              <span className="quiet small">{by}</span>{' '}
              <span className="quiet small">
                <DateText value={at} />
              </span>
              <Quote words={words} />
            </li>
          ))}
        </ul>
        <NoteForm requestId={requestId} onDone={row => deciding.done(row, 'Added.')} />
      </Part>
      {state === 'awaiting-fee' && (
        <FeeForm request={request} onDone={row => deciding.done(row, 'Completed. Both parties get an e-mail.')} />
      )}
      <Decision acts={acts} refusal={refusal} overtaken={deciding.overtaken} />
    </>
  );
}

function NoteForm({ requestId, onDone }: { requestId: string; onDone: (row: StaffResourceRequest) => void }) {
  const [words, setWords] = useState('');
  const [isPublic, setPublic] = useState(false);
  const refusal = useRefusal(requestDesk.noteOnRequest);
  const add = useChange(requestDesk.noteOnRequest, {
    onDone: row => {
      setWords('');
      onDone(row);
    },
  });
  return (
    <>
      <Field label="Note" optional help={isPublic ? 'The member reads it and gets an e-mail.' : 'Only registry staff read it.'}>
        <TextArea rows={2} maxLength={4000} value={words} onChange={event => setWords(event.target.value)} />
      </Field>
      <Checkbox checked={isPublic} onChange={event => setPublic(event.target.checked)}>
        Send to the member
      </Checkbox>
      <div>
        <Button
          size="s"
          busy={add.isPending}
          refusal={refusal ?? (words.trim() === '' ? { reason: 'Enter a note' } : null)}
          onClick={() => add.mutate({ requestId, body: { words, internal: !isPublic } })}
        >
          Add
        </Button>
      </div>
    </>
  );
}

function FeeForm({ request, onDone }: { request: StaffResourceRequest; onDone: (row: StaffResourceRequest) => void }) {
  const { showErrors } = useKit();
  const [paidOn, setPaidOn] = useState('');
  const [paymentReference, setReference] = useState('');
  const refusal = useRefusal(requestDesk.completeTransfer);
  const complete = useChange(requestDesk.completeTransfer, { showsErrors: true, onDone });
  const { due } = request;
  return (
    <Part title="Transfer fee">
      <p>
        {due?.payer} pays {due?.currency} {due?.amount}. Recording the payment completes the transfer immediately.
      </p>
      <Field label="Paid on">
        <TextInput type="date" value={paidOn} onChange={event => setPaidOn(event.target.value)} />
      </Field>
      <Field label="Payment reference">
        <TextInput value={paymentReference} maxLength={100} autoComplete="off" onChange={event => setReference(event.target.value)} />
      </Field>
      <div>
        <Button
          variant="commit"
          busy={complete.isPending}
          refusal={
            refusal ??
            (paidOn === '' || paymentReference.trim() === '' ? { reason: 'Enter the day and the reference of the payment' } : null)
          }
          onClick={() =>
            complete.mutate(
              { requestId: request.requestId, body: { paidOn, paymentReference } },
              { onError: failure => showErrors(failure.errors) },
            )
          }
        >
          Record payment and complete
        </Button>
      </div>
    </Part>
  );
}
