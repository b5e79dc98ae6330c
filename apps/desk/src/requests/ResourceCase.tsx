import { useRefusal } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { recoveryGrounds } from '@portal/contract/requests/recoveries';
import { Banner, DateText, KeyValueList, Link } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { type ComponentProps, useState } from 'react';
import { mistakeHref } from '../shell/mistake-link.ts';
import { CaseHistory } from './CaseHistory.tsx';
import { Decision } from './Decision.tsx';
import { useDeciding } from './deciding.ts';
import { Effects, Held } from './EffectsPart.tsx';
import { Outcome, Part, RequestDocuments } from './Parts.tsx';
import { RequestAccount } from './RequestAccount.tsx';
import { RequestAnswers } from './RequestAnswers.tsx';
import { RequestChecks } from './RequestChecks.tsx';
import { RequestPool } from './RequestPool.tsx';
import { SecondPerson } from './SecondPerson.tsx';
import { TransferFee } from './TransferFee.tsx';
import { useResourceActs } from './use-resource-acts.ts';

/** A request for resources, a transfer or a return: what is asked, what the system checked, the pool, what was said, and the decision. */
export function ResourceCase({ request, onDecided }: { request: StaffResourceRequest; onDecided: () => void }) {
  const { state } = request;
  const [picked, setPicked] = useState('');
  const refusal = useRefusal(requestDesk.approveRequest);
  const deciding = useDeciding(requestDesk.getStaffRequest, onDecided);
  const acts = useResourceActs(request, picked.trim(), deciding);
  return (
    <>
      <CaseFacts request={request} pick={{ picked, onPick: setPicked }} onAdded={row => deciding.done(row, 'Added.')} />
      {(state === 'awaiting-fee' || state === 'on-hold') && request.due && (
        <TransferFee request={request} onDone={row => deciding.done(row, 'Completed. Both parties get an e-mail.')} />
      )}
      {request.proposal && <SecondPerson proposal={request.proposal} />}
      <Decision acts={acts} refusal={refusal} overtaken={deciding.overtaken} />
    </>
  );
}

/**
 * All facts of a case, without its decision: the second person reads the same as the first.
 * @param pick a field for another block than the proposed one
 * @param onAdded a form for notes and messages
 */
export function CaseFacts({
  request,
  pick,
  onAdded,
}: {
  request: StaffResourceRequest;
  pick?: Pick<ComponentProps<typeof RequestPool>, 'picked' | 'onPick'>;
  onAdded?: (row: StaffResourceRequest) => void;
}) {
  const { state } = request;
  const isOpen = request.resolvedAt === null;
  return (
    <>
      <CaseBanners request={request} />
      {!isOpen && (
        <Outcome words={state} by={request.byRobot ? 'the rules' : request.decidedBy} at={request.resolvedAt} note={request.note} />
      )}
      {request.resources.length > 0 && (
        <Part title="Result">
          <p className="mono">{request.resources.join(', ')}</p>
          <ApprovedByMistake request={request} />
        </Part>
      )}
      {isOpen && (
        <Part title="Checks by the system">
          <RequestChecks checks={request.checks} />
        </Part>
      )}
      <Asked request={request} />
      {request.plan && <Completion plan={request.plan} />}
      {request.held.length > 0 && (
        <Part title="Held for a time">
          <Held held={request.held} />
        </Part>
      )}
      {pick && request.pool && isOpen && <RequestPool pool={request.pool} proposed={request.proposed} {...pick} />}
      <RequestAccount request={request} />
      <Part title="Conversation and history">
        <CaseHistory request={request} onAdded={onAdded} />
      </Part>
    </>
  );
}

/** Leads from a delegation that its account still holds to taking it back. A block that grew in place is older than the case, so staff name the part. */
function ApprovedByMistake({ request: { kind, state, resources, holdings, accountName, form } }: { request: StaffResourceRequest }) {
  const delegated = state === 'completed' && (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn');
  if (!delegated || !resources.every(resource => holdings.some(held => held.resource === resource))) return null;
  return (
    <p className="small">
      Approved by mistake? <Link href={mistakeHref(accountName, form.path === 'subsequent' ? [] : resources)}>Take the numbers back</Link>,
      after a notice.
    </p>
  );
}

/** The answers of the parties, with their documents. */
function Asked({ request }: { request: StaffResourceRequest }) {
  const { kind, form, receiveForm } = request;
  return (
    <>
      <Part title="Request">
        <RequestAnswers
          kind={kind}
          form={form}
          whois={request.recipientName === null ? request.whois : null}
          checks={request.resolvedAt === null ? request.checks : []}
        />
        {form.network && <Quote words={form.network} />}
        {form.reason && <Quote words={form.reason} />}
        <p className="quiet small">
          {request.requestedBy} ({request.requesterEmail}) {request.submittedAt && <DateText value={request.submittedAt} />}
        </p>
        <RequestDocuments papers={request.papers} />
      </Part>
      {(receiveForm || request.recipientPapers.length > 0) && (
        <Part title={`What ${request.otherParty} answered`}>
          {receiveForm && <RequestAnswers kind="pre-approval" form={receiveForm} whois={request.whois} />}
          {receiveForm?.usePreApproval && <p>Uses its pre-approval.</p>}
          {receiveForm?.network && <Quote words={receiveForm.network} />}
          <RequestDocuments papers={request.recipientPapers} />
        </Part>
      )}
    </>
  );
}

/** Banners of a case: who was asked, an event that is over, a wait longer than promised. */
function CaseBanners({ request }: { request: StaffResourceRequest }) {
  const { returnDue, recovery } = request;
  const isOpen = request.resolvedAt === null;
  return (
    <>
      {request.questions.map(({ accountName, words, answerBy }) => (
        <Banner key={accountName} kind="info" title={`${accountName} was asked.`}>
          {words} It answers by <DateText value={answerBy} shape="day" />.
        </Banner>
      ))}
      {isOpen && returnDue && (
        <Banner kind="info" title={`The event of ${returnDue.resource} is over.`}>
          The registry opened this return on the day after its last day, <DateText value={returnDue.endedOn} shape="date" />. If you reject
          it, it opens again. If the event goes on,{' '}
          <Link href={`/desk/accounts/${encodeURIComponent(request.accountName)}#event-space`}>set a later last day</Link> instead.
        </Banner>
      )}
      {request.notBefore && !recovery && (
        <Banner kind="info" title={request.kind === 'return' ? 'The numbers are still used.' : 'The merger isn’t in effect yet.'}>
          {request.accountName} named <DateText value={request.notBefore} shape="date" />. It can be carried out from that day on, and its
          time begins to count then.
        </Banner>
      )}
      {isOpen && recovery && (
        <Banner kind="warning" title="The registry takes these numbers back.">
          {recoveryGrounds[recovery.ground]}. {request.accountName} can object until <DateText value={recovery.noticeUntil} shape="date" />.
          It can be carried out from that day on. If you reject it, everything stays as it is.
        </Banner>
      )}
      {isOpen && request.direct && (
        <Banner kind="info" title="The registry delegates these numbers without a request.">
          {request.requestedBy} opened it. Checks that aren’t met are for two people to judge. {request.accountName} can decline it until
          it’s approved.
        </Banner>
      )}
      {isOpen && request.late && <Banner kind="warning">Overdue: {request.workingHours} working hours.</Banner>}
    </>
  );
}

/** Effects of a transfer when it completes. */
function Completion({ plan }: { plan: NonNullable<StaffResourceRequest['plan']> }) {
  return (
    <Part title="On completion">
      <KeyValueList
        align="left"
        items={[
          { key: 'Moves', value: plan.moves.join(', ') },
          { key: 'Kept', value: plan.keeps.join(', ') || 'Whole delegations move' },
          ...(plan.fee
            ? [
                {
                  key: 'Fee',
                  value: `${plan.fee.amount === null ? 'Not announced' : money(plan.fee.currency, plan.fee.amount)} from ${plan.fee.payer}`,
                },
              ]
            : []),
        ]}
      />
      <Effects effects={plan.effects} />
    </Part>
  );
}
