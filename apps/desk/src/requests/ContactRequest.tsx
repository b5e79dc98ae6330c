import { reading, type Act as Said, useKit, useReading, useRefusal } from '@portal/app-kit';
import { registryRequestLife } from '@portal/contract/contacts/life';
import { type RegistryRequest, registryRequests } from '@portal/contract/contacts/registry-requests';
import { canMove } from '@portal/contract/life';
import { desk } from '@portal/contract/staff/desk';
import { DateText, KeyValueList, SkeletonLines } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useQuery } from '@tanstack/react-query';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import { WriteAboutCase } from '../shell/WriteButton.tsx';
import type { Act } from '../shell/cases/Decision.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { CaseChecks } from './CaseChecks.tsx';
import { approveWords, beforeAndAfter, effectWords, whyNotApprove } from './contact-request-words.ts';
import { useDeciding, useDecision } from './deciding.ts';
import { factsOfContact } from './fact-rows.ts';
import { AccountLink, Difference, Outcome, Part } from './Parts.tsx';
import styles from './Request.module.css';

/** A corporate contact to be added, changed or removed: what changes, why, and who speaks for the member today. */
export function ContactRequest({ request, onPassed }: { request: RegistryRequest; onPassed: (how: Passed) => void }) {
  const { requestId, contact, accountName, status } = request;
  const refusal = useRefusal(registryRequests.approveRegistryRequest);
  const deciding = useDeciding(registryRequests.getRegistryRequest, onPassed);
  const after = (act: Said, words: string, passed?: Passed) => ({
    act: () => act,
    done: (row: RegistryRequest) => deciding.done(row, words, passed),
    failed: deciding.failed,
  });
  const approve = useDecision(
    registryRequests.approveRegistryRequest,
    after(
      { name: `Approve the request of ${accountName}`, effect: effectWords(request) },
      `Request of ${accountName} approved. They get an e-mail.`,
      'decided',
    ),
  );
  const refuse = useDecision(
    registryRequests.refuseRegistryRequest,
    after({ name: `Reject the request of ${accountName}` }, `Request of ${accountName} rejected. They get an e-mail.`, 'decided'),
  );
  const acts: Act[] = [
    {
      name: 'approve',
      label: approveWords(request),
      variant: 'commit',
      consequence: effectWords(request),
      words: { label: 'Note', body: registryRequests.approveRegistryRequest.body, field: 'note' },
      why: whyNotApprove(request),
      busy: approve.busy,
      send: note => approve.send({ requestId, body: { note } }),
    },
    {
      name: 'refuse',
      label: 'Reject',
      variant: 'danger',
      consequence: `Everything in ${accountName} stays as it is.`,
      words: {
        label: 'Reason',
        body: registryRequests.refuseRegistryRequest.body,
        field: 'reason',
        needed: 'Enter a reason. The member sees it.',
      },
      busy: refuse.busy,
      send: reason => refuse.send({ requestId, body: { reason } }),
    },
  ];
  const isOpen = canMove(registryRequestLife.approve, status);
  return (
    <CaseLayout
      acts={isOpen ? acts : []}
      refusal={refusal}
      overtaken={deciding.overtaken}
      about={<span>{effectWords(request)}</span>}
      facts={
        <>
          {status !== 'pending' && <Outcome words={status} by={request.resolvedBy} at={request.resolvedAt} note={request.note} />}
          <Part title={status === 'pending' ? 'Changes' : 'Request'}>
            <Difference field={`${contact.name},`} {...beforeAndAfter(request)} />
          </Part>
          {isOpen && <CaseChecks checks={factsOfContact(request)} saidOf={({ checkId }) => (checkId === 'reach' ? contact.name : '')} />}
          <Part title="The contact">
            <KeyValueList
              align="left"
              items={[
                { key: 'Name', value: contact.name },
                { key: 'E-mail', value: contact.email },
                { key: 'Telephone', value: contact.phone || 'not recorded' },
                { key: 'Position', value: contact.position || 'not recorded' },
              ]}
            />
          </Part>
        </>
      }
      conversation={
        <Part title="Conversation">
          <p className="quiet small">
            {request.requestedBy} asked on <DateText value={request.requestedAt} />.
          </p>
          <Quote words={request.reason} none="No reason given." />
          <WriteAboutCase accountName={accountName} about="Your request about a contact" />
        </Part>
      }
      beside={
        <Part title="The account">
          <p>
            <AccountLink accountName={accountName} />, {request.orgName.replace(/\.$/, '')}, {request.accountStatus}.
          </p>
          <CorporateContacts request={request} />
        </Part>
      }
    />
  );
}

/** The present corporate contacts of the member. */
function CorporateContacts({ request: { accountName, contact } }: { request: RegistryRequest }) {
  const { call } = useKit();
  const { data } = useQuery(reading(call, desk.getAccountSheet, { accountName }));
  const isReading = useReading(desk.getAccountSheet);
  if (!data) return isReading ? <SkeletonLines lines={2} label="Loading the corporate contacts" /> : null;
  const corporate = data.contacts.filter(({ contactTypes, status }) => contactTypes.includes('corporate') && status === 'active');
  if (corporate.length === 0) return <p>It has no corporate contact today.</p>;
  return (
    <>
      <p className="quiet small">Corporate contacts today:</p>
      <ul className={styles.people}>
        {corporate.map(row => (
          <li key={row.contactId}>
            {row.fullName} <span className="quiet small">{row.contactId === contact.contactId ? 'this person' : row.email}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
