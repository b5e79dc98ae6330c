import { Page, useAccount, useAnswer } from '@portal/app-kit';
import { type CastVote, proxies } from '@portal/contract/elections/proxies';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Icon, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { MemberOnly, useShownPage } from './MemberOnly.tsx';

/** `/voting/history`: in which elections the account voted, when, and through which contact or proxy. */
export default function VotingHistoryPage() {
  return (
    <MemberOnly title={pages.votingHistory.title}>
      <VotingHistory />
    </MemberOnly>
  );
}

const columns: Column<CastVote>[] = [
  { id: 'election', label: 'Election', card: 'key', fixed: true, wrap: true, cell: ({ title }) => title },
  { id: 'votes', label: 'Votes', fixed: true, align: 'end', cell: ({ votes }) => votes },
  {
    id: 'by',
    label: 'Cast by',
    fixed: true,
    wrap: true,
    cell: ({ voterName, castAs }) => (
      <>
        <bdi>{voterName}</bdi>
        {castAs === 'PROXY' && <span className="quiet">, proxy</span>}
      </>
    ),
    text: ({ voterName }) => voterName,
  },
  { id: 'at', label: 'Cast', fixed: true, cell: ({ castAt }) => <DateText value={castAt} /> },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ isVoid }) =>
      isVoid ? <StateMark state="closed">Void, voting was repeated</StateMark> : <StateMark state="valid">Counted</StateMark>,
  },
  {
    id: 'results',
    label: 'Results',
    fixed: true,
    cell: ({ resultsUrl, title }) =>
      resultsUrl && (
        <Link href={resultsUrl} target="_blank">
          Results<span className="vh"> of {title}, in a new window</span> <Icon name="external" />
        </Link>
      ),
  },
];

function VotingHistory() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(proxies.listVotes, { account });
  const table = useShownPage(rows);
  return (
    <Page
      title={pages.votingHistory.title}
      sub={`That ${account} voted, when, and who cast its votes. What was voted for isn’t known to the portal.`}
    >
      <Sheet flush aria-label="Votes cast">
        <DataTable
          caption="Votes cast, newest first"
          columns={columns}
          rowId={({ electionId, castAt }) => `${electionId} ${castAt}`}
          {...table}
          empty={
            <EmptyState title="No votes yet" picture={false} action={<LinkButton href={pages.voting.path}>View elections</LinkButton>}>
              Elections {account} votes in appear here.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
