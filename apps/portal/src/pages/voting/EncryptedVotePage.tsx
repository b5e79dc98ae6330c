import { Page } from '@portal/app-kit';
import type { ElectionWindow, MemberElection } from '@portal/contract/elections/voting';
import { later } from '@portal/app-kit/page/later';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Icon, LinkButton } from '@portal/ui';

const VoterBallot = later(() => import('./encrypted-parts.ts'), 'VoterBallot');

/** The vote of an account on encrypted ballots. Its parts are loaded when such an election is opened. */
export function EncryptedVotePage({ account, election, window }: { account: string; election: MemberElection; window: ElectionWindow }) {
  return (
    <Page
      title={pages.castVote.title}
      heading={election.title}
      sub={`${window.words}. Your ballot is encrypted before it leaves this device, and anyone can check the count.`}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.castVote.title }]} />}
      actions={
        <LinkButton href={`/elections/${election.electionId}`} target="_blank">
          Public page <Icon name="external" />
        </LinkButton>
      }
    >
      <VoterBallot account={account} election={election} window={window} />
    </Page>
  );
}
