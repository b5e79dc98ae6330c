import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import {
  Button,
  ButtonRow,
  DateText,
  EmptyState,
  Field,
  KeyValueList,
  Link,
  Sheet,
  Stack,
  type State,
  StateMark,
  TextInput,
} from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { Form } from '../form/Form.tsx';
import { noCall, useForm } from '../form/use-form.ts';

const states: Record<Proposal['state'], { state: State; words: string }> = {
  pending: { state: 'pending', words: 'waits' },
  approved: { state: 'valid', words: 'approved' },
  rejected: { state: 'invalid', words: 'rejected' },
  withdrawn: { state: 'closed', words: 'withdrawn' },
  expired: { state: 'closed', words: 'expired' },
};

type Acts = {
  busy: boolean;
  onApprove: (proposal: Proposal) => void;
  onReject: (proposal: Proposal, note: string) => void;
  onWithdraw: (proposal: Proposal) => void;
};
type Lists = {
  waiting: readonly Proposal[];
  decided: readonly Proposal[];
  /** The full details, above the buttons; null if the labels of the proposal are enough. */
  caseOf?: (proposal: Proposal) => ReactNode;
};

/** Changes that wait for a second person, with their effect, and those decided last. */
export function ProposalList({ waiting, decided, caseOf, ...acts }: Acts & Lists) {
  return (
    <Stack gap={16}>
      {waiting.length === 0 ? (
        <Sheet title="Waiting">
          <EmptyState title="No changes await approval" picture={false}>
            Proposed changes appear here for three days.
          </EmptyState>
        </Sheet>
      ) : (
        waiting.map(proposal => <Waiting key={proposal.proposalId} proposal={proposal} body={caseOf?.(proposal)} {...acts} />)
      )}
      {decided.length > 0 && (
        <Sheet title="Decided">
          <KeyValueList
            align="left"
            items={decided.map(({ proposalId, what, link, accountName, state, proposedBy, decidedBy, decidedAt, note }) => ({
              id: proposalId,
              key: <StateMark state={states[state].state}>{states[state].words}</StateMark>,
              value: (
                <>
                  {link ? <Link href={link}>{what}</Link> : what}
                  {!link && accountName && `, ${accountName}`}. Proposed by {proposedBy}
                  {decidedBy && state !== 'withdrawn' && `, ${states[state].words} by ${decidedBy}`}
                  {decidedAt && (
                    <>
                      {' '}
                      on <DateText value={decidedAt} />
                    </>
                  )}
                  .{note && ` ${note}`}
                </>
              ),
            }))}
          />
        </Sheet>
      )}
    </Stack>
  );
}

function Waiting({ proposal, body, ...acts }: Acts & { proposal: Proposal; body: ReactNode }) {
  const { what, link, accountName, shown, proposedBy, proposedAt, expiresAt, isMine } = proposal;
  return (
    <Sheet title={`${what}${!link && accountName ? `, ${accountName}` : ''}, pending a second person`}>
      <Stack gap={12}>
        <p className="small">
          {isMine ? 'You' : proposedBy} proposed it on <DateText value={proposedAt} />. It waits until <DateText value={expiresAt} />.{' '}
          {link && <Link href={link}>View it in full</Link>}
        </p>
        <KeyValueList align="left" items={shown.map(({ label, value }) => ({ key: label, value }))} />
        {body}
        <div data-proposal="">
          <ProposalActs proposal={proposal} {...acts} />
        </div>
      </Stack>
    </Sheet>
  );
}

/** The buttons of a proposal: approve or reject one of a colleague, withdraw their own. */
export function ProposalActs({ proposal, busy, onApprove, onReject, onWithdraw }: Acts & { proposal: Proposal }) {
  const [rejecting, setRejecting] = useState(false);
  const { proposedBy, isMine, tooNew, needsRole } = proposal;
  const form = useForm(
    proposals.rejectProposal.body,
    { note: '' },
    {
      name: 'rejection',
      change: { ...noCall, isPending: busy },
      send: ({ note }) => onReject(proposal, note),
    },
  );
  if (isMine)
    return (
      <ButtonRow>
        <Button busy={busy} onClick={() => onWithdraw(proposal)}>
          Withdraw
        </Button>
        <span className="quiet small">Another person has to approve it.</span>
      </ButtonRow>
    );
  return rejecting ? (
    <Form form={form} label={`Reject ${proposal.what}`} onClose={() => setRejecting(false)}>
      <Field label="Note" optional help={`${proposedBy} sees this.`} {...form.field('note')}>
        <TextInput {...form.input('note')} />
      </Field>
      <ButtonRow>
        <Button type="submit" variant="danger" busy={busy}>
          Reject
        </Button>
        <Button onClick={() => setRejecting(false)}>Go back</Button>
      </ButtonRow>
    </Form>
  ) : (
    <ButtonRow>
      <Button
        variant="commit"
        busy={busy}
        refusal={
          needsRole === null
            ? tooNew && { reason: <TooNew tooNew={tooNew} proposedBy={proposedBy} /> }
            : { reason: `Someone else approves it: with the permission ${needsRole}, in another role than ${proposedBy}` }
        }
        onClick={() => onApprove(proposal)}
      >
        Approve
      </Button>
      <Button onClick={() => setRejecting(true)}>Reject</Button>
    </ButtonRow>
  );
}

/** Why a colleague is no second person yet: who made the one could make the other. */
function TooNew({ tooNew: { givenBy, from }, proposedBy }: { tooNew: NonNullable<Proposal['tooNew']>; proposedBy: string }) {
  return (
    <>
      {givenBy === proposedBy
        ? `${givenBy} lately gave you the role for this.`
        : `${givenBy} lately gave a role to you or ${proposedBy}, and so stands on both sides.`}{' '}
      You can approve from <DateText value={from} shape="date" />.
    </>
  );
}
