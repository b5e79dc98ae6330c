import { type Act as Said, useRefusal } from '@portal/app-kit';
import { changeStates, valueWords } from '@portal/app-kit/words/organisation-words';
import { canMove } from '@portal/contract/life';
import { organisationChanges, registryFields, type StaffOrganisationChange } from '@portal/contract/organisations/changes';
import { organisationChangeLife } from '@portal/contract/organisations/life';
import { Banner, DateText } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import { WriteAboutCase } from '../shell/WriteButton.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { CaseAccount } from './CaseAccount.tsx';
import { CaseChecks } from './CaseChecks.tsx';
import { CaseDocuments } from './CaseDocuments.tsx';
import { useDeciding, useDecision } from './deciding.ts';
import { factsOfChange } from './fact-rows.ts';
import { Difference, Outcome, Part } from './Parts.tsx';
import { reviewedActs } from './reviewed-acts.ts';

/** A change of what the registry keeps of an organisation: what differs, who asked and why, what was asked back. */
export function OrganisationRequest({ request, onPassed }: { request: StaffOrganisationChange; onPassed: (how: Passed) => void }) {
  const { changeId, reference, field, state, accountName } = request;
  const refusal = useRefusal(organisationChanges.approveOrganisationChange);
  const deciding = useDeciding(organisationChanges.getStaffOrganisationChange, onPassed);
  const after = (act: Said, words: string, passed?: Passed) => ({
    act: () => act,
    done: (row: StaffOrganisationChange) => deciding.done(row, words, passed),
    failed: deciding.failed,
  });
  const consequence = `${valueWords(field, request.wantedValue)} is registered immediately.`;
  const approves = { name: `Approve ${reference}`, effect: consequence };
  const review = useDecision(
    organisationChanges.reviewOrganisationChange,
    after({ name: `Take ${reference} into review` }, `${reference} is in review.`),
  );
  const ask = useDecision(
    organisationChanges.askAboutOrganisationChange,
    after({ name: `Ask about ${reference}` }, `${reference}: ${accountName} was asked by e-mail.`, 'asked'),
  );
  const approve = useDecision(
    organisationChanges.approveOrganisationChange,
    after(approves, `${reference} approved and registered. ${accountName} gets an e-mail.`, 'decided'),
  );
  const refuse = useDecision(
    organisationChanges.refuseOrganisationChange,
    after({ name: `Reject ${reference}` }, `${reference} rejected. ${accountName} gets an e-mail.`, 'decided'),
  );
  const isOpen = request.resolvedAt === null;
  const acts = reviewedActs({
    canAsk: canMove(organisationChangeLife.ask, state),
    canReview: canMove(organisationChangeLife.review, state),
    reader: 'the member',
    approve: {
      label: `Approve the ${registryFields[field].label.toLowerCase()} of ${accountName}`,
      consequence,
      why: request.accountStatus === 'closed' ? `${accountName} is closed` : null,
      body: organisationChanges.approveOrganisationChange.body,
      busy: approve.busy,
      send: note => approve.send({ changeId, body: { note } }),
    },
    refuse: {
      consequence: 'Everything stays as it is.',
      body: organisationChanges.refuseOrganisationChange.body,
      busy: refuse.busy,
      send: reason => refuse.send({ changeId, body: { reason } }),
    },
    ask: {
      consequence: 'The request is on hold until the member answers.',
      body: organisationChanges.askAboutOrganisationChange.body,
      busy: ask.busy,
      send: question => ask.send({ changeId, body: { question } }),
    },
    review: { busy: review.busy, send: () => review.send({ changeId }) },
  });
  return (
    <CaseLayout
      acts={isOpen ? acts : []}
      refusal={refusal}
      overtaken={deciding.overtaken}
      about={<span>{consequence}</span>}
      facts={
        <>
          {!isOpen && <Outcome words={changeStates[state].words} by={request.resolvedBy} at={request.resolvedAt} note={request.note} />}
          <Change request={request} isOpen={isOpen} />
          {isOpen && (
            <CaseChecks
              checks={factsOfChange(request)}
              saidOf={({ checkId }) => (checkId === 'same' ? valueWords(field, request.presentValue) : '')}
            />
          )}
        </>
      }
      conversation={<Questions request={request} />}
      beside={
        <>
          <CaseAccount
            accountName={accountName}
            accountStatus={request.accountStatus}
            orgName={request.orgName}
            economy={request.economy}
            items={isOpen && request.reviewer ? [{ key: 'Reviewer', value: request.reviewer }] : []}
          />
          <CaseDocuments papers={request.papers} />
        </>
      }
    />
  );
}

/** The difference, and the value when it was asked for. */
function Change({ request, isOpen }: { request: StaffOrganisationChange; isOpen: boolean }) {
  const { field, valueNow, presentValue, wantedValue } = request;
  return (
    <Part title={isOpen ? 'Changes' : 'Request'}>
      {isOpen && valueNow !== presentValue && (
        <Banner kind="warning">
          {registryFields[field].label} was {valueWords(field, presentValue)} when this was asked for.
        </Banner>
      )}
      <Difference
        field={registryFields[field].label}
        before={valueWords(field, isOpen ? valueNow : presentValue)}
        after={valueWords(field, wantedValue)}
      />
    </Part>
  );
}

/** The words of the member, what was asked back, and the answer. */
function Questions({ request }: { request: StaffOrganisationChange }) {
  return (
    <Part title="Conversation">
      <p className="quiet small">
        {request.requestedBy} ({request.requesterEmail}) asked on <DateText value={request.requestedAt} />.
      </p>
      <Quote words={request.reason} none="No reason given." />
      {request.question && (
        <>
          <p className="quiet small">The registry asked:</p>
          <Quote words={request.question} />
          <p className="quiet small">{request.answer ? 'The member answered:' : 'The member hasn’t answered yet.'}</p>
          {request.answer && <Quote words={request.answer} />}
        </>
      )}
      <WriteAboutCase accountName={request.accountName} about={`${request.reference}: `} />
    </Part>
  );
}
