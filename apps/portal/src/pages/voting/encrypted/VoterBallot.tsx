import { useAnswer, useChange } from '@portal/app-kit';
import { tabStorage } from '@portal/app-kit/auth/stored-user';
import { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import { type ElectionWindow, type MemberElection, voting } from '@portal/contract/elections/voting';
import { Banner, DateText, Refusal, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { WhyNotVote } from '../WhyNotVote.tsx';
import { BallotLookup } from './BallotLookup.tsx';
import type { SentBallot } from './ballot-tasks.ts';
import { BallotSteps } from './BallotSteps.tsx';
import type { CastBallot } from './cast-ballot.ts';
import { Tracker } from './Tracker.tsx';

type Given = { account: string; election: MemberElection; window: ElectionWindow };

const placeOf = (account: string, electionId: string): string => `ballot-tracker ${account} ${electionId}`;

/** The ballot of an account: four steps while it can vote, then its receipt, and from the opening of the vote on the look-up of a tracker. */
export function VoterBallot({ account, election, window }: Given) {
  const { electionId, state, voted } = election;
  const [cast, setCast] = useState<CastBallot | null>(null);
  // Kept in this tab before the ballot is sent: an answer that is lost leaves the voter with the tracker.
  const kept = tabStorage()?.getItem(placeOf(account, electionId)) ?? null;
  const keep = (tracker: string): void => tabStorage()?.setItem(placeOf(account, electionId), tracker);
  const isOpen = window.state === 'open' && state === 'published';
  if (state === 'cancelled')
    return (
      <Banner kind="warning" title="This election is cancelled.">
        {election.cancelReason}
      </Banner>
    );
  if (cast || (isOpen && !voted && window.eligibility?.reason === null))
    return <OpenBallot account={account} election={election} cast={cast} onSend={keep} onCast={setCast} />;
  return (
    <Stack gap={16}>
      {voted ? (
        <Voted account={account} voted={voted} tracker={kept} />
      ) : window.state === 'closed' ? (
        <Refusal
          title="Voting is over"
          rule={
            election.resultsUrl
              ? 'The result is on the public page.'
              : 'The sums are being decrypted. The result is then on the public page.'
          }
        />
      ) : window.eligibility?.reason === 'NOT_OPEN' ? (
        <Refusal
          title="Voting hasn’t opened yet"
          rule={`${window.words}. You vote here, with the voting code of ${account}.`}
          help="The credential authority of the election sends the code by e-mail to those who vote for the account."
        />
      ) : window.eligibility && window.eligibility.reason !== null ? (
        <WhyNotVote eligibility={window.eligibility} />
      ) : null}
      {window.state !== 'not-yet-open' && <BallotLookup electionId={electionId} known={kept} />}
    </Stack>
  );
}

function Voted({ account, voted, tracker }: { account: string; voted: NonNullable<MemberElection['voted']>; tracker: string | null }) {
  return (
    <>
      <Banner kind="success" title={`The votes of ${account} are cast.`}>
        {voted.by} cast them on <DateText value={voted.at} />. They can’t be changed or withdrawn.
      </Banner>
      {tracker !== null && (
        <Sheet title="Your tracker" meta="Kept in this tab when you cast the ballot">
          <Tracker tracker={tracker} />
        </Sheet>
      )}
    </>
  );
}

function OpenBallot({
  account,
  election,
  onCast,
  ...steps
}: Omit<Given, 'window'> & { cast: CastBallot | null; onSend: (tracker: string) => void; onCast: (cast: CastBallot) => void }) {
  const { electionId } = election;
  const form = useAnswer(ballotCasting.getBallotForm, { account, electionId });
  const casting = useChange(ballotCasting.castBallot, { refresh: [voting.getMemberVoting], showsErrors: true, onDone: onCast });
  const send = { ...casting, mutate: (body: SentBallot) => casting.mutate({ account, electionId, body }) };
  return <BallotSteps account={account} election={election} form={form} casting={send} {...steps} />;
}
