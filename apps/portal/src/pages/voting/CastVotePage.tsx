import { Page, reading, useAddress, useChange, useKit, useRefusal, useSession } from '@portal/app-kit';
import { SECOND_MS } from '@portal/contract/days';
import { ballots } from '@portal/contract/elections/ballots';
import { electionKinds } from '@portal/contract/elections/elections';
import { type ElectionWindow, type MemberElection, type VotingElection, voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  EmptyState,
  Icon,
  KeyValueList,
  LinkButton,
  Refusal,
  Sheet,
  Stack,
} from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useElectionId } from './election-id.ts';
import { EncryptedVotePage } from './EncryptedVotePage.tsx';
import { openBallot, WayToBallot } from './WayToBallot.tsx';
import { WhyNotVote } from './WhyNotVote.tsx';

const title = pages.castVote.title;
/** Polling interval for the vote while the ballot is open elsewhere. */
const againMs = 10 * SECOND_MS;

/** `/voting/{electionId}/cast`: the subject, the number of votes, and the link to the ballot; with `?as=attendee` for the person. */
export default function CastVotePage() {
  const { account } = useSession();
  if (useAddress().get('as') === 'attendee') return <AttendeeBallot />;
  if (!account)
    return (
      <Page title={title}>
        <Refusal title="You can’t vote here" rule="Only members vote here." help="Attendees open their ballot under Voting." />
      </Page>
    );
  return <MemberBallot key={account.accountName} account={account.accountName} />;
}

function MemberBallot({ account }: { account: string }) {
  const { call } = useKit();
  const electionId = useElectionId();
  const { data } = useSuspenseQuery({ ...reading(call, voting.getMemberVoting, { account }), refetchInterval: againMs });
  const election = data.elections.find(each => each.electionId === electionId);
  const window = election?.windows.find(({ kind }) => kind === 'member-vote');
  if (!election || !window) return <NotFound>Members don’t vote in this election, or it ended long ago.</NotFound>;
  if (election.ballots === 'encrypted') return <EncryptedVotePage account={account} election={election} window={window} />;
  const { votes, kind, voted } = election;
  return (
    <BallotPage
      election={election}
      window={window}
      voter={account}
      votes={votes === null ? 'none' : `${votes} per ${electionKinds[kind].per}, on one ballot`}
      cast={
        voted && (
          <Banner kind="success" title={`The votes of ${account} are cast.`}>
            {voted.by} cast them on <DateText value={voted.at} />. They can’t be changed or withdrawn.
          </Banner>
        )
      }
    >
      <OpenAsMember account={account} election={election} host={window.host} />
    </BallotPage>
  );
}

function AttendeeBallot() {
  const { call } = useKit();
  const { person } = useSession();
  const electionId = useElectionId();
  const { data } = useSuspenseQuery({ ...reading(call, voting.getAttendeeVoting, {}), refetchInterval: againMs });
  const election = data.elections.find(each => each.electionId === electionId);
  const window = election?.windows.find(({ kind }) => kind === 'attendee-vote');
  if (!election || !window) return <NotFound>Attendees don’t vote in this election, or it ended long ago.</NotFound>;
  return (
    <BallotPage
      election={election}
      window={window}
      voter={`${person.fullName}, as an attendee`}
      votes="1"
      cast={
        window.eligibility?.reason === 'ALREADY_VOTED' && (
          <Banner kind="success" title="Your vote is cast.">
            It can’t be changed or withdrawn.
          </Banner>
        )
      }
    >
      <OpenAsAttendee electionId={electionId} host={window.host} />
    </BallotPage>
  );
}

const breadcrumb = <Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />;

function NotFound({ children }: { children: string }) {
  return (
    <Page title={title} breadcrumb={breadcrumb}>
      <Sheet flush>
        <EmptyState title="Election not found" picture={false} action={<LinkButton href={pages.voting.path}>View elections</LinkButton>}>
          {children}
        </EmptyState>
      </Sheet>
    </Page>
  );
}

/** The page of one voter in one election: confirmation of the vote, the link to the ballot, or why there is none. */
function BallotPage({
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
    <Page title={title} heading={election.title} sub={words} breadcrumb={breadcrumb}>
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

function OpenAsMember({ account, election: { electionId }, host }: { account: string; election: MemberElection; host: string | null }) {
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

function OpenAsAttendee({ electionId, host }: { electionId: string; host: string | null }) {
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
