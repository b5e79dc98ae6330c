import { Page, useAnswer } from '@portal/app-kit';
import { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, formatCount, Sheet, Stack, Steps } from '@portal/ui';
import { useElectionId } from '../election-id.ts';
import type { AuthorityView } from './AuthorityView.ts';
import { CodesStep } from './CodesStep.tsx';
import { Progress } from './Progress.tsx';
import { ProxyCodes } from './ProxyCodes.tsx';
import { SentCodes } from './SentCodes.tsx';

const steps = ['Roll', 'Codes', 'Ballot set up', 'Voting'];
const stepOf = ({ roll, sent, setUpAt, isPublished }: AuthorityView): number =>
  isPublished ? 3 : setUpAt !== null ? 3 : sent ? 2 : roll ? 1 : 0;

/** `/voting/{electionId}/duty/authority`: the voting codes of an election, made and mailed by someone who is not of the registry. */
export function AuthorityCeremony() {
  const electionId = useElectionId();
  const view = useAnswer(ballotCredentials.getAuthority, { electionId });
  const { title, roll, sent, setUpAt, proxies, progress } = view;
  return (
    <Page
      title={pages.ballotDuty.title}
      heading={`Credential authority of ${title}`}
      sub="You make a voting code for each account and send it yourself. Only the public part goes to the registry, which therefore can’t add ballots for accounts that don’t vote."
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.ballotDuty.title }]} />}
    >
      <Stack gap={16}>
        <Steps steps={steps} current={stepOf(view)} />
        {roll === null ? (
          <Sheet title="Awaiting the roll">
            <p>The returning officer fixes the roll first: which accounts vote, and with how many votes. We write to you then.</p>
          </Sheet>
        ) : (
          <>
            {sent && <SentCodes electionId={electionId} view={view} sent={sent} />}
            {setUpAt !== null && proxies !== null && <ProxyCodes electionId={electionId} view={view} proxies={proxies} />}
            {setUpAt === null && <CodesStep key={sent?.fingerprint} electionId={electionId} view={view} />}
            <Roll roll={roll} />
          </>
        )}
        <Progress progress={progress} />
      </Stack>
    </Page>
  );
}

function Roll({ roll }: { roll: NonNullable<AuthorityView['roll']> }) {
  const accounts = roll.reduce((sum, each) => sum + each.accounts, 0);
  return (
    <Sheet title="Roll by votes" meta={<span>{formatCount(accounts)} accounts</span>}>
      <table style={{ width: '100%', maxWidth: 360, borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            <th scope="col" style={{ textAlign: 'left' }} className="small quiet">
              Votes of an account
            </th>
            <th scope="col" className="num small quiet">
              Accounts
            </th>
          </tr>
        </thead>
        <tbody>
          {roll.map(({ votes, accounts: count }) => (
            <tr key={votes}>
              <th scope="row" style={{ textAlign: 'left' }}>
                {votes}
              </th>
              <td className="num">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
