import { Form } from '@portal/app-kit/form/Form';
import { noCall, useForm } from '@portal/app-kit/form/use-form';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import { Button, ButtonRow, type ButtonProps, Checkbox, Field, LinkButton, TextInput } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import styles from './DatedChangeActs.module.css';
import { useSecondPerson } from './use-second-person.ts';

type Reads = Parameters<typeof useSecondPerson>[0]['refresh'];

/** Takes back one’s own request to confirm a prepared change. @param refresh reads that show the change */
export function TakeBack({ proposal, refresh }: { proposal: Proposal; refresh: Reads }) {
  const second = useSecondPerson({ refresh, kept: 'Taken back. It stays prepared.' });
  return (
    <Button busy={second.busy} onClick={() => second.onWithdraw(proposal)}>
      Take back the request
    </Button>
  );
}

type Act = Pick<ButtonProps, 'refusal' | 'busy' | 'onClick'>;

/** The person who prepared a change asks a second one, or discards it. @param ask the words of the first button */
export const AskSecond = ({ ask, asking, discarding }: { ask: string; asking: Act; discarding: Act }) => (
  <div className={styles.acts}>
    <Button variant="commit" refusalIn="note" {...asking}>
      {ask}
    </Button>
    <ButtonRow>
      <Button refusalIn="note" {...discarding}>
        Discard
      </Button>
    </ButtonRow>
  </div>
);

/** Writes a mail to the person who prepared a change, with its address. */
export const AskByMail = ({ name, email, subject, href }: { name: string; email: string; subject: string; href: string }) => (
  <LinkButton
    variant="quiet"
    href={`mailto:${email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${location.origin}${href}`)}`}
  >
    Ask {name.split(' ')[0]}
  </LinkButton>
);

type Props = {
  proposal: Proposal;
  refresh: Reads;
  /** Whether a confirmed change is withdrawn, and not a prepared one confirmed. */
  isWithdrawal: boolean;
  /** The notice once a change is confirmed. */
  confirmed: string;
  /** The box to tick before, and why nothing is confirmed without it. */
  looked: string;
  first: string;
  /** The words of the button. */
  act: string;
  /** More to do, beside sending it back. */
  more?: ReactNode;
  /** Called once it is confirmed. */
  onApplied?: () => void;
};

/** The second person of a change of the policy or the brand confirms what they compared, or sends it back with a note. */
export function ConfirmChange({ proposal, refresh, isWithdrawal, confirmed, looked, first, act, more, onApplied }: Props) {
  const [hasLooked, setLooked] = useState(false);
  const [sending, setSending] = useState(false);
  const second = useSecondPerson({
    refresh,
    approved: isWithdrawal ? 'Withdrawn. The values stay as they are.' : confirmed,
    kept: isWithdrawal ? 'The change stays confirmed.' : 'Sent back. It stays prepared.',
    ...(onApplied && { onApplied }),
  });
  const form = useForm(
    proposals.rejectProposal.body,
    { note: '' },
    { name: 'send-back', change: { ...noCall, isPending: second.busy }, send: ({ note }) => second.onReject(proposal, note) },
  );
  const { tooNew, needsRole } = proposal;
  const refusal =
    needsRole !== null
      ? { reason: `Someone else confirms it: with the permission ${needsRole}` }
      : tooNew !== null
        ? { reason: `${tooNew.givenBy} gave a role to one of you two a short time ago, and so stands on both sides` }
        : hasLooked
          ? undefined
          : { reason: first };
  if (sending)
    return (
      <Form form={form} label="Send back" onClose={() => setSending(false)}>
        <Field label="Note" optional help={`${proposal.proposedBy} sees this.`} {...form.field('note')}>
          <TextInput {...form.input('note')} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="danger" busy={second.busy}>
            Send back
          </Button>
          <Button onClick={() => setSending(false)}>Go back</Button>
        </ButtonRow>
      </Form>
    );
  return (
    <div className={styles.acts}>
      <Checkbox checked={hasLooked} onChange={({ target }) => setLooked(target.checked)}>
        {looked}
      </Checkbox>
      <Button variant="commit" busy={second.busy} refusal={refusal} refusalIn="note" onClick={() => second.onApprove(proposal)}>
        {act}
      </Button>
      <ButtonRow>
        <Button onClick={() => setSending(true)}>Send back</Button>
        {more}
      </ButtonRow>
    </div>
  );
}
