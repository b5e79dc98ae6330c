import { reading, useKit, useRefusal } from '@portal/app-kit';
import { contacts } from '@portal/contract/contacts';
import { type RegistryRequest, registryRequests } from '@portal/contract/registry-requests';
import { Button, DateText, KeyValueList, Link, Panel, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './ContactRequestPanel.module.css';
import type { Decision } from './DecisionDialog.tsx';
import { askedWords, beforeAndAfter, whyNotApprove } from './request-words.ts';
import { ResultMark } from './ResultMark.tsx';

/** One request: what changes, for whom, who asked and why, who speaks for the member today, and the decision or its buttons. */
export function ContactRequestPanel({
  request,
  onDecide,
  onClose,
}: {
  request: RegistryRequest;
  onDecide: (decision: Decision) => void;
  onClose: () => void;
}) {
  const refusal = useRefusal(registryRequests.approveRegistryRequest);
  const { contact, accountName, orgName, status, reason, requestedBy, requestedAt } = request;
  const why = whyNotApprove(request);
  const { before, after } = beforeAndAfter(request);
  const waits = status === 'PENDING';
  return (
    <Panel
      title={contact.name}
      sub={`${askedWords(request)}, ${accountName}`}
      actions={<ResultMark status={status} />}
      onClose={onClose}
      footer={
        waits && (
          <>
            <Button variant="primary" refusal={refusal ?? (why === null ? null : { reason: why })} onClick={() => onDecide('approve')}>
              Approve
            </Button>
            <Button refusal={refusal} refusalIn="note" onClick={() => onDecide('refuse')}>
              Refuse
            </Button>
          </>
        )
      }
    >
      {!waits && <Outcome request={request} />}
      <section className={styles.part}>
        <h3>{waits ? 'What changes' : 'What was asked for'}</h3>
        {waits ? (
          <div className={styles.change}>
            <del>
              <span className="vh">before: </span>
              {before}
            </del>
            <ins>
              <span className="vh">after: </span>
              {after}
            </ins>
          </div>
        ) : (
          <p>{askedWords(request)}.</p>
        )}
        <p className="quiet small">
          {requestedBy} asked on <DateText value={requestedAt} />.
        </p>
        {reason === '' ? <p className="quiet small">They gave no reason.</p> : <blockquote className={styles.quote}>{reason}</blockquote>}
      </section>
      <section className={styles.part}>
        <h3>The contact</h3>
        <KeyValueList
          align="left"
          items={[
            { key: 'E-mail', value: contact.email },
            { key: 'Telephone', value: contact.phone || 'not recorded' },
            { key: 'Position', value: contact.position || 'not recorded' },
          ]}
        />
      </section>
      <section className={styles.part}>
        <h3>The account</h3>
        <p>
          <Link href={`/${encodeURIComponent(accountName)}/index.html`}>{accountName}</Link>, {orgName.replace(/\.$/, '')},{' '}
          {request.accountStatus}.
        </p>
        <CorporateContacts request={request} />
      </section>
    </Panel>
  );
}

function Outcome({ request: { status, resolvedBy, resolvedAt, note } }: { request: RegistryRequest }) {
  return (
    <section className={styles.part}>
      <h3>The decision</h3>
      <p>
        {status === 'WITHDRAWN' ? 'Withdrawn' : status === 'APPROVED' ? 'Approved' : 'Refused'}
        {resolvedBy && ` by ${resolvedBy}`}
        {resolvedAt && (
          <>
            {' '}
            on <DateText value={resolvedAt} />
          </>
        )}
        . {status !== 'WITHDRAWN' && 'The member was told by e-mail.'}
      </p>
      {note && <blockquote className={styles.quote}>{note}</blockquote>}
    </section>
  );
}

/** Who speaks for the member today. */
function CorporateContacts({ request: { accountName, contact, otherCorporateContacts } }: { request: RegistryRequest }) {
  const { call } = useKit();
  const { data, error } = useQuery(
    reading(call, contacts.listContacts, { account: accountName, query: { type: 'corporate', status: 'ACTIVE', limit: 500 } }),
  );
  if (error) return <p className="small quiet">{others(otherCorporateContacts)} Their names could not be read.</p>;
  if (!data) return <SkeletonLines lines={2} label="Reading the corporate contacts" />;
  if (data.rows.length === 0) return <p>It has no corporate contact today.</p>;
  return (
    <>
      <p className="quiet small">Corporate contacts today:</p>
      <ul className={styles.people}>
        {data.rows.map(row => (
          <li key={row.contactId}>
            {row.fullName} <span className="quiet small">{row.contactId === contact.contactId ? 'whom this is about' : row.email}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const others = (count: number): string =>
  `${count === 0 ? 'No other corporate contact' : count === 1 ? 'One other corporate contact' : `${count} other corporate contacts`} with a login.`;
