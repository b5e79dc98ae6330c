import { Page, useAnswer, useSession } from '@portal/app-kit';
import { type CastVote, proxies } from '@portal/contract/elections/proxies';
import { type AttendeeVote, voting } from '@portal/contract/elections/voting';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Icon, Link, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { MemberOnly, useShownPage } from './MemberOnly.tsx';

/** `/voting/history`: in which elections the account voted, when, and through which contact or proxy; and in which the person voted as an attendee. */
export default function VotingHistoryPage() {
  const { account } = useSession();
  const { rows } = useAnswer(voting.listAttendeeVotes, {});
  if (!account && rows.length === 0) return <MemberOnly title={pages.votingHistory.title}>{null}</MemberOnly>;
  return (
    <Page
      title={pages.votingHistory.title}
      sub="Elections you voted in, when, and who cast the votes. The portal doesn’t know what was voted for."
    >
      <Stack gap={16}>
        {account && <MemberVotes key={account.accountName} account={account.accountName} />}
        {rows.length > 0 && <AttendeeVotes rows={rows} />}
      </Stack>
    </Page>
  );
}

type Result = Pick<CastVote, 'isVoid' | 'resultsUrl' | 'title'>;
const state = ({ isVoid }: Result) =>
  isVoid ? <StateMark state="closed">Void, voting was repeated</StateMark> : <StateMark state="valid">Counted</StateMark>;
const results = ({ resultsUrl, title }: Result) =>
  resultsUrl && (
    <Link href={resultsUrl} target="_blank">
      Results<span className="vh"> of {title}, in a new window</span> <Icon name="external" />
    </Link>
  );

/** Votes of a person as an attendee: one in each election. */
function AttendeeVotes({ rows }: { rows: readonly AttendeeVote[] }) {
  const table = useShownPage(rows);
  return (
    <Sheet title="Your votes as an attendee" flush>
      <DataTable
        caption="Votes as an attendee, newest first"
        columns={attendeeColumns}
        rowId={({ electionId, castAt }) => `${electionId} ${castAt}`}
        {...table}
        empty={null}
      />
    </Sheet>
  );
}

const attendeeColumns: Column<AttendeeVote>[] = [
  { id: 'election', label: 'Election', card: 'key', fixed: true, wrap: true, cell: ({ title }) => title },
  { id: 'at', label: 'Cast', fixed: true, cell: ({ castAt }) => <DateText value={castAt} /> },
  { id: 'state', label: 'State', fixed: true, card: 'state', cell: state },
  { id: 'results', label: 'Results', fixed: true, cell: results },
];

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
        {castAs === 'proxy' && <span className="quiet">, proxy</span>}
      </>
    ),
    text: ({ voterName }) => voterName,
  },
  { id: 'at', label: 'Cast', fixed: true, cell: ({ castAt }) => <DateText value={castAt} /> },
  { id: 'state', label: 'State', fixed: true, card: 'state', cell: state },
  { id: 'results', label: 'Results', fixed: true, cell: results },
];

function MemberVotes({ account }: { account: string }) {
  const { rows } = useAnswer(proxies.listVotes, { account });
  const table = useShownPage(rows);
  return (
    <Sheet title={`Votes of ${account}`} flush>
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
  );
}
