import { reading, useKit, useRefusal, useSession } from '@portal/app-kit';
import { proposals } from '@portal/contract/proposals/proposals';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { Banner, Link } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useRef, useState } from 'react';
import styles from '../shell/cases/Case.module.css';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import { CaseSteps } from '../shell/cases/CaseSteps.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { ReplyContext } from '../shell/InsertTemplate.tsx';
import { Initials } from '../shell/Initials.tsx';
import { mistakeHref } from '../shell/mistake-link.ts';
import { Asked, Received } from './AskedParts.tsx';
import { CaseBanners } from './CaseBanners.tsx';
import { CaseChecks } from './CaseChecks.tsx';
import { CaseClock } from './CaseClock.tsx';
import { CaseConversation, CaseInternalNotes } from './CaseConversation.tsx';
import { CaseDocuments } from './CaseDocuments.tsx';
import { CaseHistory } from './CaseHistory.tsx';
import { Completion } from './Completion.tsx';
import { useDeciding } from './deciding.ts';
import { Held } from './EffectsPart.tsx';
import { Outcome, Part, RequestDocuments } from './Parts.tsx';
import { RequestAccount } from './RequestAccount.tsx';
import { answersTo } from './RequestAnswers.tsx';
import { RequestChecks } from './RequestChecks.tsx';
import { RequestPool } from './RequestPool.tsx';
import { SecondPerson } from './SecondPerson.tsx';
import { TransferFee } from './TransferFee.tsx';
import { useResourceActs } from './use-resource-acts.ts';

/** A request for resources, a transfer or a return on its page. */
export function ResourceCase(props: { request: StaffResourceRequest; onPassed: (how: Passed) => void }) {
  const about = useContext(ReplyContext);
  const { direct, recovery } = props.request;
  // What the registry opened itself has no one on the other side who asked.
  return (
    <ReplyContext value={about && { ...about, contact: direct || recovery ? null : about.contact }}>
      <CaseParts {...props} />
    </ReplyContext>
  );
}

function CaseParts({ request, onPassed }: { request: StaffResourceRequest; onPassed: (how: Passed) => void }) {
  const { state, resolvedAt } = request;
  const [picked, setPicked] = useState('');
  const refusal = useRefusal(requestDesk.approveRequest);
  const deciding = useDeciding(requestDesk.getStaffRequest, onPassed);
  const leads = useSecondButton(request);
  const acts = useResourceActs(request, picked.trim(), deciding).map(act => (act.name === 'approve' ? { ...act, leads } : act));
  const isOpen = resolvedAt === null;
  return (
    <CaseLayout
      acts={acts}
      refusal={refusal}
      overtaken={deciding.overtaken}
      about={<About request={request} picked={picked.trim()} />}
      facts={
        <>
          <CaseClock request={request} />
          <CaseBanners request={request} />
          {request.proposal && <SecondPerson proposal={request.proposal} />}
          <Ended request={request} />
          <CaseChecks checks={isOpen ? request.checks : []} saidOf={check => answersTo(check, request)}>
            <Asked request={request} isChecked={isOpen} />
          </CaseChecks>
          <Received request={request} />
          {request.pool && isOpen && (
            <RequestPool
              pool={request.pool}
              proposed={request.proposed}
              accountName={request.accountName}
              picked={picked}
              onPick={refusal?.hides ? null : setPicked}
            />
          )}
          {request.plan && <Completion plan={request.plan} />}
          {(state === 'awaiting-fee' || state === 'on-hold') && request.due && <TransferFee request={request} />}
        </>
      }
      conversation={<CaseConversation request={request} onAdded={deciding.done} />}
      beside={
        <>
          <RequestAccount request={request} />
          <CaseDocuments papers={request.papers} />
          <CaseSteps events={request.events} />
          <CaseInternalNotes request={request} onAdded={deciding.done} />
        </>
      }
    />
  );
}

/** The subject of the decision: the proposed block, or what moves, and to whom. */
function About({ request, picked }: { request: StaffResourceRequest; picked: string }) {
  const { proposed, form, accountName, recipientName, proposal, takesTwo, resolvedAt } = request;
  const { person } = useSession();
  const what = picked || proposed?.resource || form.resources.join(', ');
  return (
    <>
      <div>
        {what && <b className="mono">{what}</b>}
        <span>
          {recipientName ? `from ${accountName} to ${recipientName}` : proposed ? `to ${accountName}` : accountName}
          {proposed?.held && picked === '' && ', held for this request'}
          {proposal && `. ${proposal.proposedBy} approved it, a second person confirms`}
        </span>
      </div>
      {!proposal && resolvedAt === null && (
        <div className={styles.eyes}>
          <Initials name={person.fullName} me />
          {takesTwo && (
            <>
              <span aria-hidden="true">→</span>
              <Initials name={null} />
            </>
          )}
          <span>{takesTwo ? 'You approve, then a second person' : 'You approve alone: policy asks for no second person here'}</span>
        </div>
      )}
    </>
  );
}

const focusSecond = (): void => document.querySelector<HTMLElement>('[data-second-person] button')?.focus();
const focusApprove = (): void => document.querySelector<HTMLElement>('[data-act="approve"]')?.focus();

/**
 * Returns the way of the letter that approves to the button of the second person, once a colleague approved it. Pressed before the approval is read, it leads there then, or, if the
 * person approved it, to the button that says why it isn't possible again.
 */
function useSecondButton({ proposal }: StaffResourceRequest): (() => void) | undefined {
  const { call } = useKit();
  const { data } = useQuery({ ...reading(call, proposals.listStaffProposals, {}), enabled: proposal !== null });
  const isOther = data?.waiting.some(({ proposalId, isMine }) => proposalId === proposal?.proposalId && !isMine) === true;
  const isRead = data !== undefined;
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isRead || !isAsked.current) return;
    isAsked.current = false;
    // The part with the button is drawn from the same answer.
    const frame = requestAnimationFrame(isOther ? focusSecond : focusApprove);
    return () => cancelAnimationFrame(frame);
  }, [isRead, isOther]);
  if (!proposal) return undefined;
  if (isOther) return focusSecond;
  return data
    ? undefined
    : () => {
        isAsked.current = true;
      };
}

/** How a request ended, and its result. */
function Ended({ request }: { request: StaffResourceRequest }) {
  return (
    <>
      {request.resolvedAt !== null && (
        <Outcome words={request.state} by={request.byRobot ? 'the rules' : request.decidedBy} at={request.resolvedAt} note={request.note} />
      )}
      {request.resources.length > 0 && (
        <Part title="Result">
          <p className="mono">{request.resources.join(', ')}</p>
          <ApprovedByMistake request={request} />
        </Part>
      )}
      {request.held.length > 0 && (
        <Part title="Held for a time">
          <Held held={request.held} />
        </Part>
      )}
    </>
  );
}

/** All facts of a case, without its decision, as the second person reads them in the list of approvals. */
export function CaseFacts({ request }: { request: StaffResourceRequest }) {
  const isOpen = request.resolvedAt === null;
  return (
    <>
      <CaseBanners request={request} />
      {isOpen && request.late && <Banner kind="warning">Overdue: {request.workingHours} working hours.</Banner>}
      <Ended request={request} />
      {isOpen && (
        <Part title="Checks by the system">
          <RequestChecks checks={request.checks} />
        </Part>
      )}
      <Part title="Request">
        <Asked request={request} isChecked={false} />
        <RequestDocuments papers={request.papers} />
      </Part>
      <Received request={request} />
      {request.plan && <Completion plan={request.plan} />}
      <RequestAccount request={request} />
      <Part title="Conversation and history">
        <CaseHistory request={request} />
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
