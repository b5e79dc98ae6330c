import { Page, reading, useAddress, useKit, useSession } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { later } from '@portal/app-kit/page/later';
import { SECOND_MS } from '@portal/contract/days';
import { electionKinds } from '@portal/contract/elections/elections';
import { voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, DateText, EmptyState, LinkButton, Refusal, Sheet, Stack } from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EncryptedVotePage } from './EncryptedVotePage.tsx';
import { useElectionId } from './election-id.ts';
import { useOtherVoters } from './other-voters.ts';
import { countVotes } from './voting-words.ts';

/** Below what one came for, and dear to draw: it follows. */
const VoteTiers = optionalPart(() => import('./VoteTiers.tsx'), 'VoteTiers');

/** Plain ballots, and what opens them: an election has the one kind or the other. */
const PlainBallot = later(() => import('./PlainBallot.tsx'), 'PlainBallot');
const OpenAsMember = later(() => import('./PlainBallot.tsx'), 'OpenAsMember');
const OpenAsAttendee = later(() => import('./PlainBallot.tsx'), 'OpenAsAttendee');

const title = pages.castVote.title;
/** The ballot is open elsewhere: its window says when it is cast, an outside system or another person's doesn't. */
const again = { refetchInterval: 10 * SECOND_MS, refetchOnWindowFocus: 'always' } as const;

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
  const [opened, setOpened] = useState(false);
  const others = useOtherVoters(account);
  const { data } = useSuspenseQuery({ ...reading(call, voting.getMemberVoting, { account }), ...again });
  const election = data.elections.find(each => each.electionId === electionId);
  const window = election?.windows.find(({ kind }) => kind === 'member-vote');
  if (!election || !window) return <NotFound>Members don’t vote in this election, or it ended long ago.</NotFound>;
  if (election.ballots === 'encrypted') return <EncryptedVotePage account={account} election={election} window={window} />;
  const { votes, kind, voted } = election;
  const { weight, tiers } = data;
  const byHoldings = electionKinds[kind].memberVotes === 'tier' && votes !== null && !weight.nir;
  return (
    <PlainBallot
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
      opened={opened}
      others={others}
      why={
        byHoldings && (
          <Sheet title={`Why ${countVotes(votes)}`}>
            <Stack gap={12}>
              <p className="small">
                Each {electionKinds[kind].seats ? 'candidate you choose' : electionKinds[kind].per} gets all of them.
                {election.frozen && ' They were fixed when voting opened.'}
                {votes !== weight.votes && weight.votes !== null && ` What you hold today would give ${countVotes(weight.votes)}.`}
              </p>
              <VoteTiers tiers={tiers} weight={weight} />
            </Stack>
          </Sheet>
        )
      }
    >
      <OpenAsMember account={account} electionId={electionId} host={window.host} onOpen={() => setOpened(true)} />
    </PlainBallot>
  );
}

function AttendeeBallot() {
  const { call } = useKit();
  const { person } = useSession();
  const electionId = useElectionId();
  const [opened, setOpened] = useState(false);
  const { data } = useSuspenseQuery({ ...reading(call, voting.getAttendeeVoting, {}), ...again });
  const election = data.elections.find(each => each.electionId === electionId);
  const window = election?.windows.find(({ kind }) => kind === 'attendee-vote');
  if (!election || !window) return <NotFound>Attendees don’t vote in this election, or it ended long ago.</NotFound>;
  return (
    <PlainBallot
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
      opened={opened}
    >
      <OpenAsAttendee electionId={electionId} host={window.host} onOpen={() => setOpened(true)} />
    </PlainBallot>
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
