import { Page, useAnswer, useChange, useKit, usePlace, useRefusal, WhyNot } from '@portal/app-kit';
import { ballots as plainBallots } from '@portal/contract/elections/ballots';
import { type ProxyVote, proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import { findPage, pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Button, DateText, EmptyState, Icon, LinkButton, Refusal, Stack } from '@portal/ui';
import { useState } from 'react';
import { useOpenBallot, WayToBallot } from '../WayToBallot.tsx';
import { BallotLookup } from './BallotLookup.tsx';
import { BallotSteps } from './BallotSteps.tsx';
import type { SentBallot } from './ballot-tasks.ts';
import type { CastBallot } from './cast-ballot.ts';

/** `/voting/proxy-votes/{proxyId}`: the ballot of an account, cast by its proxy, who signs in. */
export function ProxyBallot() {
  const { product } = useKit().environment;
  const { proxyId } = findPage(usePlace().path, product).params as { proxyId: string };
  const { rows } = useAnswer(proxyVotes.listProxyVotes, {});
  const vote = rows.find(each => each.proxyId === proxyId);
  if (!vote)
    return (
      <Page title={pages.proxyVote.title} breadcrumb={<Way />}>
        <EmptyState title="No such appointment">
          You aren’t the proxy here with the e-mail address of this login. Sign in with the address that the account entered.
        </EmptyState>
      </Page>
    );
  const { accountName, orgName, title, electionId, words, ballots, host } = vote;
  const isEncrypted = ballots === 'encrypted';
  return (
    <Page
      title={pages.proxyVote.title}
      heading={title}
      sub={`As the proxy of ${orgName} (${accountName}). ${words}.${isEncrypted ? ' The ballot is encrypted before it leaves this device.' : ''}`}
      breadcrumb={<Way />}
      actions={
        host === null && (
          <LinkButton href={`/${isEncrypted ? 'elections' : 'ballots'}/${electionId}`} target="_blank">
            Public page <Icon name="external" />
          </LinkButton>
        )
      }
    >
      <Vote vote={vote} />
    </Page>
  );
}

const Way = () => <Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.proxyVote.title }]} />;

function Vote({ vote }: { vote: ProxyVote }) {
  const { state, window, words, accountName, electionId, votes, votedAt, cancelReason, endReason, ballots } = vote;
  const isEncrypted = ballots === 'encrypted';
  const [cast, setCast] = useState<CastBallot | null>(null);
  if (cancelReason !== null)
    return (
      <Banner kind="warning" title="This election is cancelled.">
        {cancelReason}
      </Banner>
    );
  if (cast || (state === 'active' && window === 'open' && vote.hasSecondFactor))
    return isEncrypted ? <Steps vote={vote} cast={cast} onCast={setCast} /> : <PlainBallot vote={vote} />;
  return (
    <Stack gap={16}>
      {votedAt !== null ? (
        <Banner kind="success" title={`The votes of ${accountName} are cast.`}>
          You cast {votes === 1 ? 'one vote' : `${votes ?? 0} votes`} on <DateText value={votedAt} />. That can’t be changed or withdrawn.
        </Banner>
      ) : state === 'revoked' || state === 'voided' ? (
        <Refusal
          title={`You aren’t the proxy of ${accountName} any more`}
          rule={`The appointment was ${state}.`}
          help={endReason || undefined}
        />
      ) : window === 'not-yet-open' ? (
        <Refusal
          title="Voting of proxies hasn’t opened yet"
          rule={`${words}. You vote here, signed in with a second factor${isEncrypted ? `, with the voting code of ${accountName}` : ''}.`}
          help={
            isEncrypted
              ? 'The credential authority of the election sends you the code by e-mail once proxies can’t be appointed or revoked any more.'
              : undefined
          }
        />
      ) : window === 'closed' ? (
        <Refusal title="Voting is over" rule="The votes weren’t cast." />
      ) : (
        <WhyNot
          title="You can’t vote here yet"
          refusal={{ rule: 'second-factor', sentence: 'Proxies vote with two-factor authentication', permission: null }}
        />
      )}
      {isEncrypted && window !== 'not-yet-open' && <BallotLookup electionId={electionId} />}
    </Stack>
  );
}

function PlainBallot({ vote: { proxyId, accountName, host } }: { vote: ProxyVote }) {
  const show = useOpenBallot(host);
  const refusal = useRefusal(plainBallots.openProxyBallot);
  const open = useChange(plainBallots.openProxyBallot, { refresh: [proxyVotes.listProxyVotes], onDone: show });
  return (
    <WayToBallot host={host} opened={open.data} note={`A vote is final: the votes of ${accountName} are cast once.`}>
      <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ proxyId })}>
        Open the ballot
      </Button>
    </WayToBallot>
  );
}

function Steps({ vote, cast, onCast }: { vote: ProxyVote; cast: CastBallot | null; onCast: (cast: CastBallot) => void }) {
  const { proxyId, accountName } = vote;
  const form = useAnswer(proxyVotes.getProxyBallotForm, { proxyId });
  const casting = useChange(proxyVotes.castProxyBallot, { refresh: [proxyVotes.listProxyVotes], showsErrors: true, onDone: onCast });
  const send = { ...casting, mutate: (body: SentBallot) => casting.mutate({ proxyId, body }) };
  return <BallotSteps account={accountName} election={vote} form={form} casting={send} cast={cast} onSend={() => undefined} isProxy />;
}
