import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { pages } from '@portal/contract/pages';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { planMonths, type RequestForm, requestPaths } from '@portal/contract/requests/request-form';
import {
  Banner,
  Button,
  Checkbox,
  DateText,
  Disclosure,
  Field,
  formatCount,
  formatDate,
  KeyValueList,
  Link,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Act, Decision } from './Decision.tsx';
import { useDeciding, useDecision } from './deciding.ts';
import { Effects, Held } from './EffectsPart.tsx';
import { AccountLink, Outcome, Part, RequestDocuments } from './Parts.tsx';
import styles from './Request.module.css';
import { rejectAct, reviewedActs } from './reviewed-acts.ts';

/** Events of a case, as lines that a name follows. */
const eventWords: Readonly<Record<string, string>> = {
  submitted: 'Sent by',
  offered: 'Offered by',
  acknowledged: 'Acknowledged by',
  'in-review': 'Taken into review by',
  question: 'Question from',
  answer: 'Answer from',
  message: 'Message from',
  note: 'Note by',
  reserved: 'A block is held for it',
  approved: 'Approved by',
  'awaiting-fee': 'Waits for the transfer fee',
  'fee-paid': 'Transfer fee paid',
  completed: 'Completed',
  rejected: 'Rejected by',
  withdrawn: 'Withdrawn by',
  declined: 'Declined by',
  expired: 'Expired',
  reminded: 'Reminder sent',
  'on-hold': 'On hold',
};

const marks = { met: 'valid', unmet: 'invalid', review: 'warning', open: 'info' } as const;
const markWords = { met: 'met', unmet: 'not met', review: 'to be judged', open: 'no answer' } as const;

const multihomedWords = { now: 'Today', planned: 'Planned', no: 'No' } as const;
const dayWords = (day: string): string => (day === '' ? '' : formatDate(day, invoiceDay, 'day'));

/** The answers of a form that hold something. */
function answersOf(kind: StaffResourceRequest['kind'], form: RequestForm): [string, string][] {
  const months = kind === 'ipv4' ? planMonths.ipv4 : planMonths['pre-approval'];
  const rows: [string, string][] = [
    ['Grounds', form.path === '' ? '' : requestPaths[form.path]],
    ['Size', form.length > 0 ? `/${form.length}` : ''],
    ['/24 blocks', form.blocks > 0 ? String(form.blocks) : ''],
    ...form.plan.map(({ purpose, amounts }): [string, string] => [
      purpose || 'Plan',
      amounts.map((amount, index) => `${months[index] === 0 ? 'now' : `${months[index]} months`}: ${formatCount(amount)}`).join(', '),
    ]),
    ['Provider space', form.providerSpace],
    ['Several networks', form.multihomed === '' ? '' : multihomedWords[form.multihomed]],
    [
      'Networks',
      form.neighbours
        .map(({ asn, name }) => `${asn} ${name}`.trim())
        .filter(Boolean)
        .join(', '),
    ],
    ['Customers and sites', form.sites > 0 ? formatCount(form.sites) : ''],
    ['From', dayWords(form.startsOn)],
    ['Until', dayWords(form.endsOn)],
    ['Two bytes', form.twoByte ? 'yes' : ''],
    ['Customer', form.customer],
    ['Resources', form.resources.join(', ')],
    [form.incoming ? 'Comes from' : 'Recipient', form.recipient || form.otherRegistry],
    ['Occasion', form.occasion.charAt(0).toUpperCase() + form.occasion.slice(1)],
    ['Account', form.closeAfter ? 'Closes when the transfer completes' : ''],
    ['Receiving organisation', [form.legalName, form.registrationNumber].filter(Boolean).join(', ')],
  ];
  return rows.filter(([, value]) => value !== '');
}

/** Checks by the answer they rule: each policy is shown beside it. */
const ruledBy: Readonly<Record<string, readonly string[]>> = {
  Grounds: ['critical', 'exchange'],
  Size: ['size', 'limit', 'larger'],
  '/24 blocks': ['blocks', 'need'],
  'Several networks': ['multihomed', 'planned'],
  Networks: ['neighbours', 'participants'],
  'Customers and sites': ['assignments', 'larger'],
  From: ['announce'],
  Until: ['months'],
  'Two bytes': ['two-byte'],
  Resources: ['smallest', 'rest', 'hold', 'unlocked', 'own-lock', 'no-ipv6', 'elsewhere'],
  Recipient: ['recipient'],
  Account: ['closing'],
};

/** An answer with the policies that rule it. */
function Answered({ label, value, checks }: { label: string; value: string; checks: StaffResourceRequest['checks'] }) {
  const rules = checks.filter(({ checkId }) => ruledBy[label]?.includes(checkId));
  return (
    <>
      {value}
      {rules.map(({ checkId, policy, state }) => (
        <span key={checkId} className={styles.rule}>
          <StateMark state={marks[state]} plain>
            {policy}
          </StateMark>
        </span>
      ))}
    </>
  );
}

/** The checks by the system: those to look at are open, those that are met are counted and folded. */
function Checks({ checks }: { checks: StaffResourceRequest['checks'] }) {
  const [met, others] = [checks.filter(({ state }) => state === 'met'), checks.filter(({ state }) => state !== 'met')];
  const list = (shown: StaffResourceRequest['checks']) => (
    <ul className={styles.people}>
      {shown.map(({ checkId, fact, known, source, state, policy }) => (
        <li key={checkId}>
          <StateMark state={marks[state]} plain>
            {fact}: {markWords[state]}
          </StateMark>
          <div className={styles.beneath}>
            <div className="small">{known}</div>
            <div className="quiet small">
              Policy: {policy}. Source: {source}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {others.length > 0 && list(others)}
      {met.length > 0 && (
        <Disclosure
          summary={
            <StateMark state="valid" plain>
              {others.length === 0 ? `All ${met.length} are met` : met.length === 1 ? '1 more is met' : `${met.length} more are met`}
            </StateMark>
          }
        >
          {list(met)}
        </Disclosure>
      )}
    </>
  );
}

/** A request for resources, a transfer or a return: what is asked, what the system checked, the pool, what was said, and the decision. */
export function ResourceCase({ request, onDecided }: { request: StaffResourceRequest; onDecided: () => void }) {
  const { requestId, reference, state, kind, proposed } = request;
  const [picked, setPicked] = useState('');
  const refusal = useRefusal(requestDesk.approveRequest);
  const deciding = useDeciding(requestDesk.getStaffRequest, { requestId }, onDecided);
  const answers = useQueryClient();
  const after = (words: string) => ({ done: (row: StaffResourceRequest) => deciding.done(row, words), failed: deciding.failed });
  const review = useDecision(requestDesk.reviewRequest, after(`${reference} is in review.`));
  const ask = useDecision(requestDesk.askAboutRequest, after('The member was asked by e-mail. The clock is stopped.'));
  const approve = useDecision(requestDesk.approveRequest, {
    ...after('Approved. The member gets an e-mail.'),
    proposed: () => void answers.invalidateQueries({ queryKey: [requestDesk.getStaffRequest.id] }),
  });
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
        : request.form.otherRegistry !== ''
          ? `Enter the approval of ${request.form.otherRegistry} with its reference below. ${request.form.incoming ? `Then ${request.form.resources.join(', ')} is delegated to ${request.accountName}` : 'Then the resources leave this registry'}, after the fee where one is due.`
          : request.plan?.fee
            ? `The transfer waits until ${request.plan.fee.payer} has paid ${money(request.plan.fee.currency, request.plan.fee.amount)}.`
            : 'The resources move immediately, with whois and ROAs.';
  const refusing = {
    consequence: 'Nothing is delegated or moved. What is held for it is free again.',
    body: requestDesk.refuseRequest.body,
    busy: refuse.busy,
    send: (reason: string) => refuse.send({ requestId, body: { reason } }),
  };
  const acts: Act[] = ['submitted', 'in-review', 'needs-info'].includes(state)
    ? reviewedActs({
        state: state === 'needs-info' ? 'INFO_REQUESTED' : state === 'in-review' ? 'IN_REVIEW' : 'SUBMITTED',
        reader: 'the member',
        approve: {
          consequence,
          why: request.proposal
            ? 'An approval is waiting for a second person'
            : unmet
              ? `${unmet.fact}: ${unmet.known}`
              : gives && !proposed && picked.trim() === ''
                ? 'No block of this size is free'
                : null,
          body: requestDesk.approveRequest.body,
          rest: { version: request.version, resource: picked.trim() },
          busy: approve.busy,
          send: note => approve.send({ requestId, body: { version: request.version, note, resource: picked.trim() } }),
        },
        refuse: refusing,
        ask: {
          consequence: 'The clock stops until the member answers.',
          body: requestDesk.askAboutRequest.body,
          busy: ask.busy,
          send: question => ask.send({ requestId, body: { question } }),
        },
        review: { busy: review.busy, send: () => review.send({ requestId }) },
      })
    : state === 'awaiting-fee' || state === 'on-hold'
      ? [rejectAct('the member', { ...refusing, consequence: 'Nothing moves. The invoice is cancelled, and a payment becomes credit.' })]
      : [];
  return (
    <>
      {request.proposal && (
        <Banner kind="info" title="Waiting for a second approval.">
          {request.proposal.proposedBy} proposes to approve this until <DateText value={request.proposal.expiresAt} shape="day-time" />.
          Someone else has to confirm it under <Link href={pages.deskApprovals.path}>{pages.deskApprovals.title}</Link>.
        </Banner>
      )}
      {isOpen && request.returnDue && (
        <Banner kind="info" title={`The event of ${request.returnDue.resource} is over.`}>
          The registry opened this return on the day after its last day, <DateText value={request.returnDue.endedOn} shape="date" />. If you
          reject it, it opens again. If the event goes on,{' '}
          <Link href={`/desk/accounts/${encodeURIComponent(request.accountName)}#event-space`}>set a later last day</Link> instead.
        </Banner>
      )}
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
          <Checks checks={request.checks} />
        </Part>
      )}
      <Part title="Request">
        <KeyValueList
          align="left"
          items={answersOf(kind, request.form).map(([key, value], index) => ({
            key,
            value: <Answered label={key} value={value} checks={isOpen ? request.checks : []} />,
            id: `${key}${index}`,
          }))}
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
              { key: 'Kept', value: request.plan.keeps.join(', ') || 'The delegations move whole' },
              ...(request.plan.fee
                ? [{ key: 'Fee', value: `${money(request.plan.fee.currency, request.plan.fee.amount)} from ${request.plan.fee.payer}` }]
                : []),
            ]}
          />
          <Effects effects={request.plan.effects} />
        </Part>
      )}
      {request.held.length > 0 && (
        <Part title="Held for a time">
          <Held held={request.held} />
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
            { key: 'Status', value: request.accountStatus.charAt(0).toUpperCase() + request.accountStatus.slice(1) },
            { key: 'Holds', value: request.holdings.map(({ resource }) => resource).join(', ') || 'No resources' },
            ...(request.fee
              ? [
                  {
                    key: 'Annual fee',
                    value: `${money(request.fee.currency, request.fee.now)}, then ${money(request.fee.currency, request.fee.after)}`,
                  },
                ]
              : []),
            { key: 'Earlier requests', value: `${request.earlier.approved} approved, ${request.earlier.rejected} rejected` },
            ...(request.reviewer ? [{ key: 'Reviewer', value: request.reviewer }] : []),
          ]}
        />
      </Part>
      <Part title="Conversation and history">
        <ul className={styles.people}>
          {request.events.map(({ eventId, kind: what, at, by, words, internal }) => (
            <li key={eventId}>
              {eventWords[what] ?? what} {by && <span className="strong">{by}</span>}{' '}
              {internal && <span className="quiet small">only for registry staff</span>}{' '}
              <span className="quiet small">
                <DateText value={at} />
              </span>
              <Quote words={words} />
            </li>
          ))}
        </ul>
        <NoteForm requestId={requestId} onDone={row => deciding.done(row, 'Added.')} />
      </Part>
      {(state === 'awaiting-fee' || state === 'on-hold') && request.due && (
        <FeePart request={request} onDone={row => deciding.done(row, 'Completed. Both parties get an e-mail.')} />
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

/** The fee that a transfer waits for. It completes automatically after the payment; one that was put on hold is completed here. */
function FeePart({ request, onDone }: { request: StaffResourceRequest; onDone: (row: StaffResourceRequest) => void }) {
  const { showErrors } = useKit();
  const refusal = useRefusal(requestDesk.completeTransfer);
  const complete = useChange(requestDesk.completeTransfer, { showsErrors: true, onDone });
  const due = request.due!;
  return (
    <Part title="Transfer fee">
      <KeyValueList
        align="left"
        items={[
          { key: 'Payer', value: <AccountLink accountName={due.payer} /> },
          { key: 'Fee', value: money(due.currency, due.amount) },
          {
            key: 'Invoice',
            value: due.invoice ? (
              <>
                {due.invoice.number}, {money(due.currency, due.invoice.total)}, due <DateText value={due.invoice.dueOn} shape="day" />
              </>
            ) : (
              'Issued within a minute'
            ),
          },
          { key: 'Paid', value: due.paidOn ? <DateText value={due.paidOn} shape="date" /> : 'Not yet' },
        ]}
      />
      <p className="small quiet">
        Record the payment with the invoice of {due.payer}. The transfer completes automatically within a minute of the full payment.
      </p>
      <div>
        <Button
          variant="commit"
          busy={complete.isPending}
          refusal={refusal ?? (due.paidOn === null ? { reason: 'The fee isn’t paid yet' } : null)}
          onClick={() =>
            complete.mutate(
              { requestId: request.requestId, body: { version: request.version } },
              { onError: failure => showErrors(failure.errors) },
            )
          }
        >
          Complete now
        </Button>
      </div>
    </Part>
  );
}
