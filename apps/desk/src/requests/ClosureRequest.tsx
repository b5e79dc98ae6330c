import { type Act as Said, useRefusal } from '@portal/app-kit';
import { closureStates, handlingWords } from '@portal/app-kit/words/organisation-words';
import { canMove } from '@portal/contract/life';
import { accountClosures, type StaffAccountClosure } from '@portal/contract/organisations/closures';
import { closureLife } from '@portal/contract/organisations/life';
import { DateText, formatDate, KeyValueList } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import { WriteAboutCase } from '../shell/WriteButton.tsx';
import type { Act } from '../shell/cases/Decision.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { CaseAccount } from './CaseAccount.tsx';
import { CaseChecks } from './CaseChecks.tsx';
import { CaseDocuments } from './CaseDocuments.tsx';
import { useDeciding, useDecision } from './deciding.ts';
import { factsOfClosure } from './fact-rows.ts';
import { Outcome, Part } from './Parts.tsx';

const dayOf = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

/** Returns the steps for staff until the day, besides approving. */
function nextSteps({ delegations, resources, closeOn }: StaffAccountClosure): string {
  const day = dayOf(closeOn);
  const held = delegations === 1 ? 'one delegation' : `${delegations} delegations`;
  if (delegations === 0) return `It holds no number resources. The account closes automatically on ${day}.`;
  if (resources === 'transfer')
    return `It still holds ${held}. Make sure they are transferred before the account closes automatically on ${day}.`;
  return `It still holds ${held}. Reclaim them, with whois objects, reverse DNS and certificates, before the account closes automatically on ${day}.`;
}

/** A request to close an account, with the plan for its resources. */
export function ClosureRequest({ request, onPassed }: { request: StaffAccountClosure; onPassed: (how: Passed) => void }) {
  const { closureId, accountName, state } = request;
  const refusal = useRefusal(accountClosures.approveAccountClosure);
  const deciding = useDeciding(accountClosures.getStaffAccountClosure, onPassed);
  const after = (act: Said, words: string, passed?: Passed) => ({
    act: () => act,
    done: (row: StaffAccountClosure) => deciding.done(row, words, passed),
    failed: deciding.failed,
  });
  const approve = useDecision(
    accountClosures.approveAccountClosure,
    after(
      { name: `Approve the closure of ${accountName}`, effect: nextSteps(request) },
      `${request.reference} approved. ${accountName} closes on ${dayOf(request.closeOn)}.`,
      'decided',
    ),
  );
  const refuse = useDecision(
    accountClosures.refuseAccountClosure,
    after({ name: `Reject the closure of ${accountName}` }, `${request.reference} rejected. ${accountName} stays open.`, 'decided'),
  );
  const acts: Act[] = [];
  if (canMove(closureLife.approve, state))
    acts.push({
      name: 'approve',
      label: `Approve the closure of ${accountName}`,
      variant: 'commit',
      consequence: nextSteps(request),
      words: { label: 'Note', body: accountClosures.approveAccountClosure.body, field: 'note' },
      why: request.accountStatus === 'closed' ? `${accountName} is closed` : null,
      busy: approve.busy,
      send: note => approve.send({ closureId, body: { note } }),
    });
  if (canMove(closureLife.refuse, state))
    acts.push({
      name: 'refuse',
      label: state === 'approved' ? 'Reject after all' : 'Reject',
      variant: 'danger',
      consequence: 'The account stays open.',
      words: {
        label: 'Reason',
        body: accountClosures.refuseAccountClosure.body,
        field: 'reason',
        needed: 'Enter a reason. The member sees it.',
      },
      busy: refuse.busy,
      send: reason => refuse.send({ closureId, body: { reason } }),
    });
  return (
    <CaseLayout
      acts={acts}
      refusal={refusal}
      overtaken={deciding.overtaken}
      about={
        <span>
          {accountName} closes on <DateText value={request.closeOn} shape="date" />
        </span>
      }
      facts={<ClosureFacts request={request} isOpen={acts.length > 0} />}
      conversation={
        <Part title="Conversation">
          <p className="quiet small">
            {request.requestedBy} ({request.requesterEmail}) asked on <DateText value={request.requestedAt} />:
          </p>
          <Quote words={request.reason} none="No reason given." />
          <WriteAboutCase accountName={accountName} about={`${request.reference}: `} />
        </Part>
      }
      beside={<ClosureAccount request={request} />}
    />
  );
}

/** The closure that was asked for, how it ended, and the facts it depends on. */
function ClosureFacts({ request, isOpen }: { request: StaffAccountClosure; isOpen: boolean }) {
  const { state } = request;
  const handling = handlingWords[request.resources];
  return (
    <>
      {request.resolvedAt && (
        <Outcome words={closureStates[state].words} by={request.resolvedBy} at={request.resolvedAt} note={request.note} />
      )}
      <Part title={state === 'approved' ? 'What’s left to do' : 'Request'}>
        {state === 'approved' && <p>{nextSteps(request)}</p>}
        <KeyValueList
          align="left"
          items={[
            { key: 'Closes on', value: <DateText value={request.closeOn} shape="date" /> },
            { key: 'Number resources', value: handling },
            { key: 'Delegations now', value: String(request.delegations) },
          ]}
        />
      </Part>
      {isOpen && <CaseChecks checks={factsOfClosure(request)} saidOf={({ checkId }) => (checkId === 'delegations' ? handling : '')} />}
    </>
  );
}

/** The account that closes, with the documents of the request. */
function ClosureAccount({ request: { accountName, accountStatus, orgName, papers } }: { request: StaffAccountClosure }) {
  return (
    <>
      <CaseAccount accountName={accountName} accountStatus={accountStatus} orgName={orgName} />
      <CaseDocuments papers={papers} />
    </>
  );
}
