import { reading, useAccount, useChange, useKit } from '@portal/app-kit';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { Badge, type BadgeKind, Button, DateText, Disclosure, Field, type IconName, Row, Sheet, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ObjectText } from '../objects/ObjectText.tsx';
import { changedReads } from '../editor/changed-reads.ts';
import styles from './Consents.module.css';

const marks: Record<WhoisConsent['state'], { word: string; kind: BadgeKind; icon: IconName }> = {
  waiting: { word: 'Waiting', kind: 'pending', icon: 'waiting' },
  accepted: { word: 'Agreed and saved', kind: 'valid', icon: 'valid' },
  failed: { word: 'Agreed, not saved', kind: 'invalid', icon: 'invalid' },
  refused: { word: 'Refused', kind: 'invalid', icon: 'invalid' },
  withdrawn: { word: 'Withdrawn', kind: 'neutral', icon: 'minus' },
  expired: { word: 'No answer', kind: 'neutral', icon: 'minus' },
};

/** Updates that wait for consent: those the account can answer, and those it sent. Renders nothing without any. */
export function Consents() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, whoisConsents.listConsents, { account }));
  if (!data) return null;
  return (
    <>
      {data.toAnswer.length > 0 && (
        <Sheet title="Waiting for your consent" meta="Without an answer, nothing changes" flush>
          <ul className={styles.list} aria-label="Waiting for your consent">
            {data.toAnswer.map(each => (
              <Asked key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
      {data.asked.length > 0 && (
        <Sheet title="Consent you requested" flush>
          <ul className={styles.list} aria-label="Consent you requested">
            {data.asked.map(each => (
              <Own key={each.consentId} consent={each} />
            ))}
          </ul>
        </Sheet>
      )}
    </>
  );
}

const refresh = [whoisConsents.listConsents, ...changedReads];

/** Another party's update, with the ways to answer. */
function Asked({ consent }: { consent: WhoisConsent }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [refusing, setRefusing] = useState(false);
  const [reason, setReason] = useState('');
  const answer = useChange(whoisConsents.answerConsent, {
    refresh,
    onDone({ consent: { state, reason: why } }) {
      setRefusing(false);
      notify({
        text: state === 'accepted' ? 'Agreed and saved.' : state === 'refused' ? 'Refused. No changes were made.' : `Not saved: ${why}`,
      });
    },
  });
  const send = (agree: boolean) =>
    answer.mutate({ account, consentId: String(consent.consentId), body: { agree, reason: agree ? '' : reason } });
  return (
    <li className={styles.consent}>
      <Named consent={consent}>
        <p className="small">
          {consent.askedBy} of <span className="mono">{consent.accountName}</span> asks, until{' '}
          <DateText value={consent.dueAt} shape="date" />. {consent.why}.
        </p>
      </Named>
      <Row gap={8} wrap>
        <Button variant="commit" size="s" busy={answer.isPending && !refusing} onClick={() => send(true)}>
          Agree
        </Button>
        <Button size="s" onClick={() => setRefusing(true)}>
          Refuse
        </Button>
      </Row>
      {refusing && (
        <Dialog open onClose={() => setRefusing(false)} title="Refuse this update">
          <Stack gap={16}>
            <Field label="Reason" optional help={`${consent.askedBy} reads it.`}>
              <TextInput value={reason} maxLength={500} onChange={event => setReason(event.target.value)} />
            </Field>
            <Row gap={8}>
              <Button variant="danger" busy={answer.isPending} onClick={() => send(false)}>
                Refuse update
              </Button>
              <Button onClick={() => setRefusing(false)}>Cancel</Button>
            </Row>
          </Stack>
        </Dialog>
      )}
    </li>
  );
}

function Own({ consent }: { consent: WhoisConsent }) {
  const { accountName: account } = useAccount();
  const withdraw = useChange(whoisConsents.withdrawConsent, { refresh: [whoisConsents.listConsents] });
  const { word, kind, icon } = marks[consent.state];
  const isWaiting = consent.state === 'waiting';
  return (
    <li className={styles.consent}>
      <Named consent={consent}>
        <p className="small">
          <Badge kind={kind} icon={icon}>
            {word}
          </Badge>{' '}
          {isWaiting ? (
            <>
              for <span className="mono">{consent.maintainers.join(' or ')}</span>, until <DateText value={consent.dueAt} shape="date" />
            </>
          ) : (
            consent.decidedAt && <DateText value={consent.decidedAt} shape="date" />
          )}
          {consent.reason !== '' && <>: {consent.reason}</>}
        </p>
      </Named>
      {isWaiting && (
        <Button
          variant="quiet"
          size="s"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate({ account, consentId: String(consent.consentId) })}
        >
          Withdraw
        </Button>
      )}
    </li>
  );
}

function Named({ consent: { objects, text }, children }: { consent: WhoisConsent; children: ReactNode }) {
  const title = objects.length === 1 ? objects[0] : `${objects.length} objects`;
  return (
    <div className={styles.named}>
      <p className="mono strong">{title}</p>
      {children}
      <Disclosure summary="Pending changes">
        <ObjectText text={text.trimEnd()} label={`Text of ${title}`} />
      </Disclosure>
    </div>
  );
}
