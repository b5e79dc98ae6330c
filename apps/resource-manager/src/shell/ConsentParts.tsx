import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { Badge, type BadgeKind, Button, DateText, Field, type IconName, Row, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

const marks: Record<WhoisConsent['state'], { word: string; kind: BadgeKind; icon: IconName }> = {
  waiting: { word: 'Waiting', kind: 'pending', icon: 'waiting' },
  accepted: { word: 'Approved and saved', kind: 'valid', icon: 'valid' },
  failed: { word: 'Approved, not saved', kind: 'invalid', icon: 'invalid' },
  refused: { word: 'Rejected', kind: 'invalid', icon: 'invalid' },
  withdrawn: { word: 'Withdrawn', kind: 'neutral', icon: 'minus' },
  expired: { word: 'No answer', kind: 'neutral', icon: 'minus' },
};

type Reads = NonNullable<Parameters<typeof useChange>[1]>['refresh'];
/** A request for consent, and the reads that its answer changes. */
type Props = { consent: WhoisConsent; refresh: NonNullable<Reads> };

/** Who asks for consent, until when, and for what reason. */
export const ConsentRequest = ({ consent: { askedBy, accountName, dueAt, why } }: { consent: WhoisConsent }) => (
  <p className="small">
    {askedBy} of <span className="mono">{accountName}</span> asks, until <DateText value={dueAt} shape="date" />. {why}.
  </p>
);

/** Buttons that approve another party's request, or reject it with a reason. */
export function AnswerConsent({ consent, refresh }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [isRejecting, setRejecting] = useState(false);
  const answer = useChange(whoisConsents.answerConsent, {
    refresh: [whoisConsents.listConsents, ...refresh],
    showsErrors: isRejecting,
    onDone({ consent: { state, reason: why } }) {
      setRejecting(false);
      notify({
        text: state === 'accepted' ? 'Approved and saved.' : state === 'refused' ? 'Rejected. No changes were made.' : `Not saved: ${why}`,
      });
    },
  });
  const input = { account, consentId: String(consent.consentId) };
  const form = useForm(
    whoisConsents.answerConsent.body,
    { reason: '' },
    {
      name: 'consent',
      toBody: ({ reason }) => ({ agree: false, reason }),
      change: answer,
      send: body => answer.mutate({ ...input, body }),
    },
  );
  return (
    <>
      <Row gap={8} wrap>
        <Button
          variant="commit"
          size="s"
          busy={answer.isPending && !isRejecting}
          onClick={() => answer.mutate({ ...input, body: { agree: true, reason: '' } })}
        >
          Approve
        </Button>
        <Button size="s" onClick={() => setRejecting(true)}>
          Reject
        </Button>
      </Row>
      {isRejecting && (
        <Dialog open onClose={() => setRejecting(false)} title="Reject this request">
          <ActForm form={form} act="Reject request" kind="danger" onClose={() => setRejecting(false)}>
            <Field label="Reason" optional help={`${consent.askedBy} reads it.`} {...form.field('reason')}>
              <TextInput {...form.input('reason')} />
            </Field>
          </ActForm>
        </Dialog>
      )}
    </>
  );
}

/** State of a request that the account sent: who was asked and until when, or the answer. */
export function ConsentState({ consent: { state, maintainers, dueAt, decidedAt, reason } }: { consent: WhoisConsent }) {
  const { word, kind, icon } = marks[state];
  return (
    <p className="small">
      <Badge kind={kind} icon={icon}>
        {word}
      </Badge>{' '}
      {state === 'waiting' ? (
        <>
          for <span className="mono">{maintainers.join(' or ')}</span>, until <DateText value={dueAt} shape="date" />
        </>
      ) : (
        decidedAt && <DateText value={decidedAt} shape="date" />
      )}
      {reason !== '' && <>: {reason}</>}
    </p>
  );
}

/** Button that withdraws a request of the account while it waits. */
export function WithdrawConsent({ consent: { consentId, state }, refresh }: Props) {
  const { accountName: account } = useAccount();
  const withdraw = useChange(whoisConsents.withdrawConsent, { refresh: [whoisConsents.listConsents, ...refresh] });
  if (state !== 'waiting') return null;
  return (
    <Button variant="quiet" size="s" busy={withdraw.isPending} onClick={() => withdraw.mutate({ account, consentId: String(consentId) })}>
      Withdraw
    </Button>
  );
}
