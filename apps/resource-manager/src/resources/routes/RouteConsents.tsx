import { reading, useAccount, useChange, useKit } from '@portal/app-kit';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { Badge, type BadgeKind, Button, DateText, Disclosure, EmptyState, Field, Row, Sheet, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routeReads } from './ChangeReview.tsx';
import styles from './Routes.module.css';

const marks: Record<WhoisConsent['state'], { word: string; kind: BadgeKind }> = {
  waiting: { word: 'Waiting', kind: 'pending' },
  accepted: { word: 'Approved and saved', kind: 'valid' },
  failed: { word: 'Approved, not saved', kind: 'invalid' },
  refused: { word: 'Rejected', kind: 'invalid' },
  withdrawn: { word: 'Withdrawn', kind: 'neutral' },
  expired: { word: 'No answer', kind: 'neutral' },
};
const refresh = [whoisConsents.listConsents, ...routeReads];
const isOfRoutes = ({ objects }: WhoisConsent): boolean => objects.every(name => /^route6? /.test(name));

/** Requests for consent to routes: those the account can answer, and those it sent. */
export function RouteConsents() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, whoisConsents.listConsents, { account }));
  if (!data) return null;
  const [toAnswer, asked] = [data.toAnswer.filter(isOfRoutes), data.asked.filter(isOfRoutes)];
  return (
    <>
      <Sheet title="For your approval" meta="Without an answer, nothing changes" flush>
        {toAnswer.length === 0 ? (
          <EmptyState title="No open requests">Requests of other members for routes from your AS numbers appear here.</EmptyState>
        ) : (
          <ul className={`${styles.list} ${styles.flush}`} aria-label="For your approval">
            {toAnswer.map(each => (
              <Asked key={each.consentId} consent={each} />
            ))}
          </ul>
        )}
      </Sheet>
      {asked.length > 0 && (
        <Sheet title="Sent by you" flush>
          <ul className={`${styles.list} ${styles.flush}`} aria-label="Sent by you">
            {asked.map(each => (
              <Own key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
    </>
  );
}

const Names = ({ consent: { objects, text } }: { consent: WhoisConsent }) => (
  <Disclosure summary={<span className="mono">{objects.length === 1 ? objects[0] : `${objects[0]} and ${objects.length - 1} more`}</span>}>
    <pre className={styles.object}>{text}</pre>
  </Disclosure>
);

function Asked({ consent }: { consent: WhoisConsent }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [rejects, setRejects] = useState(false);
  const [reason, setReason] = useState('');
  const answer = useChange(whoisConsents.answerConsent, {
    refresh,
    onDone({ consent: { state, reason: why } }) {
      setRejects(false);
      notify({
        text: state === 'accepted' ? 'Approved and saved.' : state === 'refused' ? 'Rejected. No changes were made.' : `Not saved: ${why}`,
      });
    },
  });
  const send = (agree: boolean) =>
    answer.mutate({ account, consentId: String(consent.consentId), body: { agree, reason: agree ? '' : reason } });
  return (
    <li>
      <div className={styles.grow}>
        <Names consent={consent} />
        <p className="small">
          {consent.askedBy} of <span className="mono">{consent.accountName}</span> asks until{' '}
          <DateText value={consent.dueAt} shape="date" />. {consent.why}.
        </p>
      </div>
      <Row gap={8} wrap>
        <Button variant="commit" size="s" busy={answer.isPending && !rejects} onClick={() => send(true)}>
          Approve
        </Button>
        <Button size="s" onClick={() => setRejects(true)}>
          Reject
        </Button>
      </Row>
      {rejects && (
        <Dialog open onClose={() => setRejects(false)} title="Reject this request">
          <Stack gap={16}>
            <Field label="Reason" optional help={`${consent.askedBy} reads it.`}>
              <TextInput value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
            </Field>
            <Row gap={8}>
              <Button variant="danger" busy={answer.isPending} onClick={() => send(false)}>
                Reject request
              </Button>
              <Button onClick={() => setRejects(false)}>Cancel</Button>
            </Row>
          </Stack>
        </Dialog>
      )}
    </li>
  );
}

function Own({ consent }: { consent: WhoisConsent }) {
  const { accountName: account } = useAccount();
  const withdraw = useChange(whoisConsents.withdrawConsent, { refresh });
  const { word, kind } = marks[consent.state];
  return (
    <li>
      <div className={styles.grow}>
        <Names consent={consent} />
        <p className="small">
          <Badge kind={kind}>{word}</Badge> <span className="mono">{consent.maintainers.join(' or ')}</span>
          {consent.state === 'waiting' ? (
            <>
              , until <DateText value={consent.dueAt} shape="date" />
            </>
          ) : (
            consent.reason !== '' && `: ${consent.reason}`
          )}
        </p>
      </div>
      {consent.state === 'waiting' && (
        <Button size="s" busy={withdraw.isPending} onClick={() => withdraw.mutate({ account, consentId: String(consent.consentId) })}>
          Withdraw
        </Button>
      )}
    </li>
  );
}
