import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { proxies } from '@portal/contract/elections/proxies';
import { type Voter, voting } from '@portal/contract/elections/voting';
import { Sheet, Switch } from '@portal/ui';
import styles from './VotingPage.module.css';

/** Who votes for an account: the permission that contacts give each other. */
export function Voters({ account, rows }: { account: string; rows: readonly Voter[] }) {
  const may = rows.filter(({ mayVote }) => mayVote).length;
  return (
    <Sheet title={`People who vote for ${account}`} meta={<span className="small quiet">{may}</span>}>
      <p className="small quiet">
        The first of them to vote decides, for all votes of the account. It holds for all elections until you change it.
      </p>
      <ul className={styles.voters}>
        {rows.map(voter => (
          <VoterRow key={voter.contactId} account={account} voter={voter} />
        ))}
      </ul>
    </Sheet>
  );
}

function VoterRow({ account, voter: { contactId, fullName, contactTypes, mayVote, fixed } }: { account: string; voter: Voter }) {
  const { notify } = useKit();
  const refusal = useRefusal(proxies.setVoter);
  const set = useChange(proxies.setVoter, {
    refresh: [voting.getMemberVoting],
    onDone: (_, { body }) =>
      notify({ text: body.mayVote ? `${fullName} can vote for ${account}.` : `${fullName} can no longer vote for ${account}.` }),
  });
  const reason = fixed ?? refusal?.sentence ?? null;
  return (
    <li>
      <Switch
        checked={mayVote}
        disabled={reason !== null || set.isPending}
        onChange={event => set.mutate({ account, contactId, body: { mayVote: event.target.checked } })}
      >
        <bdi>{fullName}</bdi>
      </Switch>
      <span className="small quiet">
        {contactTypes.join(' and ')} contact{reason && `. ${reason}`}
      </span>
    </li>
  );
}
