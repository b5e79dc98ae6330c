import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { eventCertificates } from '@portal/contract/events/certificates';
import { events } from '@portal/contract/events/events';
import { Button, DateText, Row, Sheet } from '@portal/ui';
import styles from './Events.module.css';

/** Certificates of attendance that are to name the account and await approval; nothing where there are none. */
export function AccountCertificates({ account }: { account: string }) {
  // A person who has not given a second factor sees the rest of the page without being asked for one.
  const hidden = useRefusal(eventCertificates.listAccountCertificates) !== null;
  return hidden ? null : <ToDecide account={account} />;
}

function ToDecide({ account }: { account: string }) {
  const { notify } = useKit();
  const { rows } = useAnswer(eventCertificates.listAccountCertificates, { account });
  const refusal = useRefusal(eventCertificates.decideCertificate);
  const decide = useChange(eventCertificates.decideCertificate, {
    refresh: [eventCertificates.listAccountCertificates, events.listAttendedEvents],
    onDone: ({ fullName, state }) => notify({ text: `The certificate of ${fullName} is ${state === 'issued' ? 'approved' : 'rejected'}.` }),
  });
  const open = rows.filter(({ state }) => state === 'requested');
  if (open.length === 0) return null;
  return (
    <Sheet title="Certificates to approve" meta={`They name ${account}`} flush>
      <ul className={styles.decide}>
        {open.map(({ code, fullName, email, title, requestedAt }) => (
          <li key={code}>
            <span>
              <bdi className="strong">{fullName}</bdi> <span className="quiet">{email}</span>
              <br />
              {title}, <span className="quiet">asked for</span> <DateText value={requestedAt} />
            </span>
            <Row gap={8}>
              <Button
                size="s"
                variant="primary"
                refusal={refusal}
                busy={decide.isPending}
                aria-label={`Approve the certificate of ${fullName}`}
                onClick={() => decide.mutate({ account, code, body: { approve: true } })}
              >
                Approve
              </Button>
              <Button
                size="s"
                refusal={refusal}
                busy={decide.isPending}
                aria-label={`Reject the certificate of ${fullName}`}
                onClick={() => decide.mutate({ account, code, body: { approve: false } })}
              >
                Reject
              </Button>
            </Row>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
