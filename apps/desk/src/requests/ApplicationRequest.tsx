import { type Act as Said, useRefusal } from '@portal/app-kit';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { type ApplicationDraft, addressLinesOf } from '@portal/contract/applications/application-form';
import { applications, type StaffApplicationDetail } from '@portal/contract/applications/applications';
import { applicationLife } from '@portal/contract/applications/life';
import { canMove } from '@portal/contract/life';
import { Banner, DateText, KeyValueList, Link } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { eventWords } from '../shell/cases/event-words.ts';
import { poolNames } from '../shell/pool-words.ts';
import { CaseChecks } from './CaseChecks.tsx';
import { CaseDocuments } from './CaseDocuments.tsx';
import { useDeciding, useDecision } from './deciding.ts';
import { factsOfApplication } from './fact-rows.ts';
import { AccountLink, Outcome, Part } from './Parts.tsx';
import styles from './Request.module.css';
import { reviewedActs } from './reviewed-acts.ts';

const contactOf = ({ same, fullName, email, phone }: ApplicationDraft['billingContact']): string =>
  same ? 'the applicant' : [fullName, email, phone].filter(Boolean).join(', ');

/** Rows of which something is known. */
const items = (rows: [string, string][]) => rows.filter(([, value]) => value !== '').map(([key, value]) => ({ key, value }));

/** An application for membership: its form, similar members, and its history. */
export function ApplicationRequest({ request, onPassed }: { request: StaffApplicationDetail; onPassed: (how: Passed) => void }) {
  const { applicationId, state, form } = request;
  const refusal = useRefusal(applications.approveApplication);
  const { deciding, consequence, review, ask, approve, refuse } = useDecisions(request, onPassed);
  const isOpen = canMove(applicationLife.refuse, state);
  const acts = reviewedActs({
    canAsk: canMove(applicationLife.ask, state),
    canReview: canMove(applicationLife.review, state),
    reader: 'the applicant',
    approve: {
      label: `Approve the new account ${request.accountName}`,
      consequence,
      body: applications.approveApplication.body,
      busy: approve.busy,
      send: note => approve.send({ applicationId, body: { note } }),
    },
    refuse: {
      consequence: 'No account is created.',
      body: applications.refuseApplication.body,
      busy: refuse.busy,
      send: reason => refuse.send({ applicationId, body: { reason } }),
    },
    ask: {
      consequence: 'The applicant can change the application until the question is answered.',
      body: applications.askAboutApplication.body,
      busy: ask.busy,
      send: question => ask.send({ applicationId, body: { question } }),
    },
    review: { busy: review.busy, send: () => review.send({ applicationId }) },
  });
  return (
    <CaseLayout
      acts={isOpen ? acts : []}
      refusal={refusal}
      overtaken={deciding.overtaken}
      about={<span>{consequence}</span>}
      facts={
        <>
          {!isOpen && request.resolvedAt && <Outcome words={state} by={request.resolvedBy} at={request.resolvedAt} note={request.note} />}
          {request.alike.length > 0 && isOpen && <Similar alike={request.alike} />}
          {isOpen && <CaseChecks checks={factsOfApplication(request)} saidOf={({ checkId }) => saidInApplication(checkId, form)} />}
          <ApplicationFacts request={request} />
        </>
      }
      conversation={request.events.length > 0 && <Events events={request.events} />}
      beside={
        <>
          <Part title="The applicant">
            <KeyValueList
              align="left"
              items={items([
                ['Name', request.applicantName],
                ['E-mail', request.applicantEmail],
                ['Position', form.position],
                ['Telephone', form.contactPhone],
              ])}
            />
          </Part>
          <CaseDocuments papers={request.papers} />
        </>
      }
    />
  );
}

const saidInApplication = (checkId: string, { orgName, registrationNumber, abuseEmail }: ApplicationDraft): string =>
  checkId === 'alike' ? orgName : checkId === 'number' ? registrationNumber : checkId === 'abuse' ? abuseEmail : '';

function Events({ events }: { events: StaffApplicationDetail['events'] }) {
  return (
    <Part title="Conversation and history">
      <ul className={styles.people}>
        {events.map(({ kind, at, by, words }) => (
          <li key={kind + at}>
            {eventWords[kind] ?? kind} {by && <span className="strong">{by}</span>}{' '}
            <span className="quiet small">
              <DateText value={at} />
            </span>
            {words && <Quote words={words} />}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The organisation, and what it asks for. */
function ApplicationFacts({ request }: { request: StaffApplicationDetail }) {
  const { form } = request;
  const facts: [string, string][] = [
    ['Legal name', form.orgName],
    ['Economy', economyWords(form.economy || null)],
    ['Registration number', form.registrationNumber],
    ['Organisation type', form.organisationType],
    ['Business', form.business],
    ['Trading name', form.tradingName],
    ['Website', form.website],
    ['Address', [...addressLinesOf(form.postalAddress), form.city, form.region, form.postcode].filter(Boolean).join(', ')],
    ['Telephone', form.phone],
    ['Abuse contact', form.abuseEmail],
  ];
  const wanted: [string, string][] = [
    ['Account name', request.accountName],
    ['Membership', form.membership === 'member' ? 'Member' : 'Non-member'],
    ['Number resources', request.resources.map(kind => poolNames[kind]).join(', ') || 'None'],
    ['Billing contact', contactOf(form.billingContact)],
    ['Technical contact', contactOf(form.technicalContact)],
    ['Billing e-mail', form.billingEmail],
    ['Purchase order', form.poNumber],
    ['Tax number', form.taxId],
  ];
  return (
    <>
      <Part title="The organisation">
        <KeyValueList align="left" items={items(facts)} />
      </Part>
      <Part title="Requested">
        <KeyValueList
          align="left"
          items={[
            ...items(wanted),
            ...(request.referredBy ? [{ key: 'Referred by', value: <AccountLink accountName={request.referredBy.accountName} /> }] : []),
          ]}
        />
        {form.networkPlan && <Quote words={form.networkPlan} />}
      </Part>
    </>
  );
}

function Similar({ alike }: { alike: StaffApplicationDetail['alike'] }) {
  return (
    <Part title="Similar">
      <Banner kind="warning">This organisation may already be registered:</Banner>
      <ul className={styles.people}>
        {alike.map(({ kind, name, applicationId: other, orgName }) => (
          <li key={name}>
            {kind === 'account' ? <AccountLink accountName={name} /> : <Link href={`/desk/requests/applications-${other}`}>{name}</Link>}{' '}
            <span className="quiet small">{orgName}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function useDecisions({ reference, accountName, applicantName }: StaffApplicationDetail, onPassed: (how: Passed) => void) {
  const deciding = useDeciding(applications.getStaffApplication, onPassed);
  const after = (act: Said, words: string, passed?: Passed) => ({
    act: () => act,
    done: (row: StaffApplicationDetail) => deciding.done(row, words, passed),
    failed: deciding.failed,
  });
  const consequence = `The account ${accountName} is created immediately with status new and ${applicantName} as its corporate contact.`;
  const review = useDecision(
    applications.reviewApplication,
    after({ name: `Take ${reference} into review` }, `${reference} is in review.`),
  );
  const ask = useDecision(
    applications.askAboutApplication,
    after({ name: `Ask about ${reference}` }, `${reference}: ${applicantName} was asked by e-mail.`, 'asked'),
  );
  const approve = useDecision(
    applications.approveApplication,
    after({ name: `Approve ${reference}`, effect: consequence }, `Approved. ${accountName} is created with status new.`, 'decided'),
  );
  const refuse = useDecision(
    applications.refuseApplication,
    after({ name: `Reject ${reference}` }, `${reference} rejected. ${applicantName} gets an e-mail.`, 'decided'),
  );
  return { deciding, consequence, review, ask, approve, refuse };
}
