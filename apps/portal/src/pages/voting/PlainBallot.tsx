import { Page, useChange, useRefusal } from '@portal/app-kit';
import { ballots } from '@portal/contract/elections/ballots';
import { type ElectionWindow, type VotingElection, voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, ButtonRow, DateText, Icon, KeyValueList, LinkButton, Refusal, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import { openBallot, WayToBallot } from './WayToBallot.tsx';
import { WhyNotVote } from './WhyNotVote.tsx';

/** The page of one voter in one election of plain ballots: confirmation of the vote, the link to the ballot, or why there is none. */
export function PlainBallot({
  election,
  window,
  voter,
  votes,
  cast,
  children,
}: {
  election: VotingElection;
  window: ElectionWindow;
  voter: string;
  votes: string;
  /** Says that the vote is cast. */
  cast: ReactNode;
  /** Link to the ballot. */
  children: ReactNode;
}) {
  const { eligibility, words, closesAt, state } = window;
  const isOver = state === 'closed' && election.state !== 'cancelled';
  return (
    <Page
      title={pages.castVote.title}
      heading={election.title}
      sub={words}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.castVote.title }]} />}
    >
      <Stack gap={16}>
        {isOver && (
          <Refusal
            title="Voting is over"
            rule={election.resultsUrl ? 'The result is published.' : 'The result is published once all voting of this election is over.'}
          />
        )}
        {cast || (!isOver && (eligibility?.reason === null ? children : eligibility && <WhyNotVote eligibility={eligibility} />))}
        {election.resultsUrl && (
          <ButtonRow>
            <LinkButton href={election.resultsUrl} target="_blank">
              Results <Icon name="external" />
            </LinkButton>
          </ButtonRow>
        )}
        <Sheet title={isOver ? 'About the vote' : 'Before you vote'}>
          <KeyValueList
            align="left"
            items={[
              { key: isOver ? 'Voter' : 'You vote for', value: voter },
              ...(isOver ? [] : [{ key: 'Votes', value: votes }]),
              {
                key: isOver ? 'Voting closed' : 'Voting closes',
                value: <DateText value={closesAt} shape="day-time" format={{ timeZone: election.timeZone, hourCycle: 'h23' }} />,
              },
              { key: 'Official time', value: election.timeZone },
              { key: 'Final', value: 'A vote can’t be changed or withdrawn once it is submitted.' },
              { key: 'Secret', value: 'You choose in the voting system. The portal learns that you voted, never for what.' },
            ]}
          />
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Opens the ballot of an account, in a window of its own. */
export function OpenAsMember({ account, electionId, host }: { account: string; electionId: string; host: string | null }) {
  const refusal = useRefusal(ballots.openBallot);
  const open = useChange(ballots.openBallot, { refresh: [voting.getMemberVoting], onDone: openBallot });
  return (
    <WayToBallot host={host} opened={open.data} note="Meanwhile no proxy can be appointed.">
      <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ account, electionId })}>
        Open the ballot
      </Button>
    </WayToBallot>
  );
}

/** Opens the ballot of a person who attends. */
export function OpenAsAttendee({ electionId, host }: { electionId: string; host: string | null }) {
  const refusal = useRefusal(ballots.openAttendeeBallot);
  const open = useChange(ballots.openAttendeeBallot, { refresh: [voting.getAttendeeVoting], onDone: openBallot });
  return (
    <WayToBallot host={host} opened={open.data}>
      <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ electionId })}>
        Open the ballot
      </Button>
    </WayToBallot>
  );
}
