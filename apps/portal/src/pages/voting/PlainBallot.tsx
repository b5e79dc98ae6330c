import { Page, useChange, useDateFormat, useRefusal } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { ballots } from '@portal/contract/elections/ballots';
import { electionKinds } from '@portal/contract/elections/elections';
import { type ElectionWindow, type VotingElection, voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import {
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Grid,
  Icon,
  KeyValueList,
  Link,
  LinkButton,
  Refusal,
  Sheet,
  Stack,
  Steps,
} from '@portal/ui';
import type { ReactNode } from 'react';
import { hoursApart } from './voting-words.ts';
import { useOpenBallot, WayToBallot } from './WayToBallot.tsx';
import { WhyNotVote } from './WhyNotVote.tsx';

/** Below what one came for, and dear to draw: it follows. */
const WhoKnowsWhat = optionalPart(() => import('./WhoKnowsWhat.tsx'), 'WhoKnowsWhat');

/** Each step of a plain ballot; the second and third are in the voting system. */
const ballotSteps = ['Open the ballot', 'Choose and review', 'Receipt'];

const WayToResults = ({ href }: { href: string }) => (
  <ButtonRow>
    <LinkButton href={href} target="_blank">
      Results <Icon name="external" />
    </LinkButton>
  </ButtonRow>
);

const OtherVoters = ({ names }: { names: string }) => (
  <>
    <bdi>{names}</bdi>. The first ballot counts for all of you.
  </>
);

/** The page of one voter in one election of plain ballots: confirmation of the vote, the link to the ballot, or why there is none. */
export function PlainBallot({
  election,
  window,
  voter,
  votes,
  cast,
  opened,
  why,
  others = '',
  children,
}: {
  election: VotingElection;
  window: ElectionWindow;
  voter: string;
  votes: string;
  /** Says that the vote is cast. */
  cast: ReactNode;
  /** The ballot was opened on this page. */
  opened: boolean;
  /** Explains the number of votes; null where each voter has one. */
  why?: ReactNode;
  /** Names of those who can cast the same votes. */
  others?: string;
  /** Link to the ballot. */
  children: ReactNode;
}) {
  const { eligibility, words, closesAt, state } = window;
  const proxyUrl = election.windows.find(({ kind }) => kind === 'proxy-appoint')?.eligibility?.url;
  const isOver = state === 'closed' && election.state !== 'cancelled';
  const isOfficialOwn = hoursApart([window], election.timeZone, useDateFormat().timeZone) === 0;
  const isAside = !isOver && Boolean(why || (!cast && proxyUrl));
  return (
    <Page
      title={pages.castVote.title}
      heading={election.title}
      sub={words}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.castVote.title }]} />}
      actions={!isOver && <Steps steps={ballotSteps} current={cast ? ballotSteps.length : opened ? 1 : 0} label="Steps of the vote" />}
    >
      <Grid columns={isAside ? 'split-wide' : 1}>
        <Stack gap={16}>
          {isOver && (
            <Refusal
              title="Voting is over"
              rule={election.resultsUrl ? 'The result is published.' : 'The result is published once all voting of this election is over.'}
            />
          )}
          {cast || (!isOver && (eligibility?.reason === null ? children : eligibility && <WhyNotVote eligibility={eligibility} />))}
          {election.resultsUrl && <WayToResults href={election.resultsUrl} />}
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
                ...(isOver || isOfficialOwn ? [] : [{ key: 'In your time', value: <DateText value={closesAt} shape="day-time" /> }]),
                { key: 'Official time', value: election.timeZone },
                ...(election.candidatesUrl
                  ? [
                      {
                        key: electionKinds[election.kind].seats ? 'Candidates' : 'Answers',
                        value: (
                          <Link href={election.candidatesUrl} target={election.candidatesUrl.startsWith('/voting/') ? undefined : '_blank'}>
                            {electionKinds[election.kind].seats ? 'All candidates' : 'Wording and answers'}
                          </Link>
                        ),
                      },
                    ]
                  : []),
                ...(others === '' || isOver ? [] : [{ key: 'Can vote too', value: <OtherVoters names={others} /> }]),
                { key: 'Final', value: 'A vote can’t be changed or withdrawn once it is submitted.' },
              ]}
            />
          </Sheet>
          {!isOver && <WhoKnowsWhat votes={votes} host={window.host} />}
        </Stack>
        {isAside && (
          <Stack gap={16}>
            {why}
            {!cast && proxyUrl && (
              <Sheet title="Appoint a proxy instead">
                <Stack gap={12}>
                  <p>Another person then casts all votes of {voter}. Your organisation no longer votes directly in this election.</p>
                  <ButtonRow>
                    <LinkButton href={proxyUrl}>Appoint a proxy</LinkButton>
                  </ButtonRow>
                </Stack>
              </Sheet>
            )}
          </Stack>
        )}
      </Grid>
    </Page>
  );
}

/** Opens the ballot of an account, in a window of its own. */
export function OpenAsMember({
  account,
  electionId,
  host,
  onOpen,
}: {
  account: string;
  electionId: string;
  host: string | null;
  onOpen: () => void;
}) {
  const refusal = useRefusal(ballots.openBallot);
  const show = useOpenBallot(host);
  const open = useChange(ballots.openBallot, {
    refresh: [voting.getMemberVoting],
    onDone(answer) {
      show(answer);
      onOpen();
    },
  });
  return (
    <WayToBallot host={host} opened={open.data} note="Meanwhile no proxy can be appointed.">
      <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ account, electionId })}>
        Open the ballot
      </Button>
    </WayToBallot>
  );
}

/** Opens the ballot of a person who attends. */
export function OpenAsAttendee({ electionId, host, onOpen }: { electionId: string; host: string | null; onOpen: () => void }) {
  const refusal = useRefusal(ballots.openAttendeeBallot);
  const show = useOpenBallot(host);
  const open = useChange(ballots.openAttendeeBallot, {
    refresh: [voting.getAttendeeVoting],
    onDone(answer) {
      show(answer);
      onOpen();
    },
  });
  return (
    <WayToBallot host={host} opened={open.data}>
      <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ electionId })}>
        Open the ballot
      </Button>
    </WayToBallot>
  );
}
