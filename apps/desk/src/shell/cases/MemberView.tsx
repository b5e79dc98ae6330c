import { FailureBanner, reading, useChange, useKit, useRefusal } from '@portal/app-kit';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { documents } from '@portal/contract/documents/documents';
import { requestDesk } from '@portal/contract/requests/desk';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { staff } from '@portal/contract/staff/staff';
import { Button, DateText, KeyValueList, Segmented, SideDialog, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../use-may.ts';
import styles from './Case.module.css';
import { CaseEvents } from './CaseEvents.tsx';
import { checkMarks } from './check-marks.ts';
import { useOpenCase } from './open-case.ts';

const moveWords = { you: 'Yours', registry: 'The registry’s', 'other-party': 'The other party’s', none: 'None' } as const;

/** The case as the member sees it, beside what staff see: of requests and transfers here, of others in the portal during a visit, which the member’s log shows. */
export function MemberView({ accountName, open, onClose }: { accountName: string; open: boolean; onClose: () => void }) {
  const { named } = useOpenCase();
  const isRequest = named.kind === 'resources' || named.kind === 'transfers';
  return (
    <SideDialog side="right" open={open} onClose={onClose} aria-label="As the member sees it">
      <div className={styles.member}>
        <header>
          <h2>As the member sees it</h2>
          <Button variant="quiet" icon="close" aria-label="Close" onClick={onClose} />
        </header>
        {isRequest ? <RequestOfParty requestId={named.caseId} accountName={accountName} /> : null}
        <Visit accountName={accountName} />
      </div>
    </SideDialog>
  );
}

/** A visit shows the whole portal of the member, read-only. */
function Visit({ accountName }: { accountName: string }) {
  const may = useMay();
  const refusal = useRefusal(staff.startVisit);
  const start = useChange(staff.startVisit, {
    // The portal is a separate document.
    onDone: ({ account }) => window.location.assign(`/${encodeURIComponent(account.accountName)}/index.html`),
  });
  if (!may(staff.startVisit)) return null;
  return (
    <Stack gap={8}>
      <p className="small quiet">
        A visit shows all pages of {accountName} read-only for half an hour. The member’s activity log shows it.
      </p>
      <div>
        <Button icon="user" busy={start.isPending} refusal={refusal} onClick={() => start.mutate({ accountName })}>
          View the portal as the member
        </Button>
      </div>
    </Stack>
  );
}

function RequestOfParty({ requestId, accountName }: { requestId: string; accountName: string }) {
  const { call } = useKit();
  const staffs = useQuery(reading(call, requestDesk.getStaffRequest, { requestId })).data;
  const [party, setParty] = useState(accountName);
  const { data, error } = useQuery(reading(call, requestDesk.getRequestOfParty, { requestId, accountName: party }));
  const parties = [accountName, ...(staffs?.recipientName ? [staffs.recipientName] : [])];
  return (
    <Stack gap={12}>
      {parties.length > 1 && (
        <Segmented label="Party" value={party} options={parties.map(value => ({ value, label: value }))} onChange={setParty} />
      )}
      {error ? (
        <FailureBanner failure={error} />
      ) : data === undefined ? (
        <SkeletonLines lines={6} label="Loading the member’s view" />
      ) : (
        <OfParty request={data} />
      )}
    </Stack>
  );
}

function OfParty({ request }: { request: ResourceRequestDetail }) {
  const { reference, asked, state, nextMove, place, expiresAt, question, checks, papers, events } = request;
  return (
    <Stack gap={12}>
      <h3>
        {reference}: {asked}
      </h3>
      <KeyValueList
        align="left"
        items={[
          { key: 'State', value: state.replaceAll('-', ' ') },
          { key: 'Next move', value: moveWords[nextMove] },
          ...(place === null ? [] : [{ key: 'Place in the queue', value: String(place) }]),
          ...(expiresAt === null ? [] : [{ key: 'Expires', value: <DateText value={expiresAt} shape="day" /> }]),
        ]}
      />
      {question && (
        <div>
          <b>The registry asks</b>
          <Quote words={question} />
        </div>
      )}
      {checks.length > 0 && (
        <ul className={styles.lines}>
          {checks.map(({ checkId, fact, known, state: mark }) => (
            <li key={checkId}>
              <span>
                {fact}
                <span className={styles.source}>{known}</span>
              </span>
              <StateMark plain state={checkMarks[mark]} />
            </li>
          ))}
        </ul>
      )}
      {papers.length > 0 && <DocumentList papers={papers} opens={documents.openStaffDocument} inputOf={documentId => ({ documentId })} />}
      <CaseEvents events={events} hasTwoParties={false} label="Conversation of the member" />
    </Stack>
  );
}
