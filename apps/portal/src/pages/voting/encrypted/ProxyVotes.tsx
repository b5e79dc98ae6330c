import { useAnswer } from '@portal/app-kit';
import { type ProxyVote, proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import { Badge, DateText, LinkButton, Row, Sheet, Stack, type State, StateMark } from '@portal/ui';

const marks: Record<ProxyVote['state'], { state: State; words: string }> = {
  active: { state: 'valid', words: 'Appointed' },
  used: { state: 'info', words: 'Voted' },
  revoked: { state: 'closed', words: 'Revoked' },
  voided: { state: 'invalid', words: 'Voided' },
  expired: { state: 'closed', words: 'Expired' },
};

/** Accounts that appointed the person as their proxy and what became of it; nothing for others. */
export function ProxyVotes() {
  const { rows } = useAnswer(proxyVotes.listProxyVotes, {});
  if (rows.length === 0) return null;
  return (
    <Sheet title="Your votes as a proxy" meta="Accounts that appointed you with the e-mail address of this login.">
      <Stack gap={12}>
        {rows.map(vote => (
          <Row key={vote.proxyId} wrap gap={12}>
            <LinkButton
              href={`/voting/proxy-votes/${vote.proxyId}`}
              size="s"
              variant={isDue(vote) ? 'primary' : 'default'}
              aria-label={`${vote.accountName} in ${vote.title}`}
            >
              {vote.accountName}
            </LinkButton>
            <span>
              {vote.title}
              <span className="small quiet">
                {' '}
                {vote.votes === null ? '' : vote.votes === 1 ? 'one vote, ' : `${vote.votes} votes, `}appointed by{' '}
                <bdi>{vote.appointedBy}</bdi>, <DateText value={vote.appointedAt} />
              </span>
            </span>
            {isDue(vote) ? (
              <Badge kind="warning">Your turn</Badge>
            ) : (
              <StateMark state={marks[vote.state].state}>{marks[vote.state].words}</StateMark>
            )}
          </Row>
        ))}
      </Stack>
    </Sheet>
  );
}

const isDue = ({ state, window, cancelReason }: ProxyVote): boolean => state === 'active' && window === 'open' && cancelReason === null;
