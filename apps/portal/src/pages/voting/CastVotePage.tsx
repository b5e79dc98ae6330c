import { Page, reading, useAccount, useChange, useKit, useRefusal, useSession } from '@portal/app-kit';
import { ballots } from '@portal/contract/elections/ballots';
import { electionKinds } from '@portal/contract/elections/elections';
import { type MemberElection, voting } from '@portal/contract/elections/voting';
import { SECOND_MS } from '@portal/contract/days';
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
import { useElectionId } from './election-id.ts';
import { WhyNotVote } from './WhyNotVote.tsx';

const title = pages.castVote.title;
/** While the ballot is open elsewhere, the page looks so often whether the vote arrived. */
const againMs = 10 * SECOND_MS;

/** `/voting/{electionId}/cast`: what is voted on, with how many votes, and the way to the ballot. */
export default function CastVotePage() {
  const { account } = useSession();
  if (!account)
    return (
      <Page title={title}>
        <Refusal title="You can’t vote here" rule="Only members vote here." help="Attendees find their way to the ballot under Voting." />
      </Page>
    );
  return <Ballot key={account.accountName} />;
}

function Ballot() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const electionId = useElectionId();
  const { data } = useSuspenseQuery({ ...reading(call, voting.getMemberVoting, { account }), refetchInterval: againMs });
  const election = data.elections.find(each => each.electionId === electionId);
  const window = election?.windows.find(({ kind }) => kind === 'MEMBER_VOTE');
  const breadcrumb = <Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />;
  if (!election || !window)
    return (
      <Page title={title} breadcrumb={breadcrumb}>
        <Sheet flush>
          <EmptyState title="Election not found" picture={false} action={<LinkButton href={pages.voting.path}>View elections</LinkButton>}>
            Members don’t vote in this election, or it ended long ago.
          </EmptyState>
        </Sheet>
      </Page>
    );
  const { votes, kind, voted, timeZone } = election;
  return (
    <Page title={title} heading={election.title} sub={window.words} breadcrumb={breadcrumb}>
      <Stack gap={16}>
        {voted ? (
          <Banner kind="success" title={`The votes of ${account} are cast.`}>
            {voted.by} cast them on <DateText value={voted.at} />. They can’t be changed or withdrawn.
          </Banner>
        ) : window.eligibility?.reason === null ? (
          <Open account={account} election={election} />
        ) : (
          window.eligibility && <WhyNotVote eligibility={window.eligibility} />
        )}
        <Sheet title="Before you vote">
          <KeyValueList
            align="left"
            items={[
              { key: 'You vote for', value: account },
              { key: 'Votes', value: votes === null ? 'none' : `${votes} per ${electionKinds[kind].per}, on one ballot` },
              { key: 'Voting closes', value: <DateText value={window.closesAt} format={{ timeZone, hourCycle: 'h23' }} /> },
              { key: 'Official time', value: timeZone },
              { key: 'Final', value: 'A vote can’t be changed or withdrawn once it is submitted.' },
              { key: 'Secret', value: 'You choose in the voting system. The portal learns that you voted, never for what.' },
            ]}
          />
        </Sheet>
      </Stack>
    </Page>
  );
}

function Open({ account, election: { electionId, windows } }: { account: string; election: MemberElection }) {
  const refusal = useRefusal(ballots.openBallot);
  const host = windows.find(({ kind }) => kind === 'MEMBER_VOTE')?.host;
  const open = useChange(ballots.openBallot, {
    refresh: [voting.getMemberVoting],
    // Opened inside of the press, or the browser keeps it shut; what it opened is not known, because the window gets no way back here.
    onDone: ({ url }) => void window.open(url, '_blank', 'noopener'),
  });
  return (
    <Sheet title="Your ballot">
      <Stack gap={12}>
        <p>
          The ballot opens in the {host ? `voting system ${host}` : 'ballot program of the registry'}, in a new window. This page notices
          when you have voted.
        </p>
        <ButtonRow>
          <Button variant="primary" busy={open.isPending} refusal={refusal} onClick={() => open.mutate({ account, electionId })}>
            Open the ballot
          </Button>
          {open.data && (
            <LinkButton href={open.data.url} target="_blank" rel="noopener">
              No new window? Open it here <Icon name="external" />
            </LinkButton>
          )}
        </ButtonRow>
        {open.data && (
          <output className="small quiet">
            The ballot is open until <DateText value={open.data.expiresAt} />. Open it again after that. Meanwhile no proxy can be
            appointed.
          </output>
        )}
      </Stack>
    </Sheet>
  );
}
