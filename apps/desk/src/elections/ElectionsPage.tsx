import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { electionKinds, elections, type StaffElection } from '@portal/contract/elections/elections';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, LinkButton, Row, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useMay } from '../shell/use-may.ts';
import { stateMarks } from './election-words.ts';

const ElectionView = later(() => import('./ElectionView.tsx'), 'ElectionView');
const ElectionForm = later(() => import('./ElectionForm.tsx'), 'ElectionForm');
const Conferences = later(() => import('./Conferences.tsx'), 'Conferences');

/** Elections and who attends conferences: a list, one election, its form, the conferences, as the address says. */
export default function ElectionsPage() {
  const may = useMay();
  const address = useAddress();
  const election = address.get('election');
  if (address.get('view') === 'conferences') return <Conferences />;
  // Who only reads is shown the list.
  const isNew = election === 'new';
  if (isNew && may(elections.addElection)) return <ElectionForm />;
  if (election !== null && !isNew) return <ElectionView key={election} electionId={election} />;
  return <ElectionList />;
}

const columns: Column<StaffElection>[] = [
  {
    id: 'title',
    label: 'Election',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ electionId, title }) => <Link href={`${pages.deskElections.path}?election=${electionId}`}>{title}</Link>,
    text: ({ title }) => title,
  },
  { id: 'kind', label: 'Kind', fixed: true, wrap: true, card: 'wide', cell: ({ kind }) => electionKinds[kind].label },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={stateMarks[state].state}>{stateMarks[state].words}</StateMark>,
    text: ({ state }) => stateMarks[state].words,
  },
  {
    id: 'closes',
    label: 'Ends',
    fixed: true,
    cell: ({ windows }) => {
      const last = windows.map(({ closesAt }) => closesAt).reduce((a, b) => (a > b ? a : b), '');
      return last === '' ? <span className="quiet">no timetable</span> : <DateText value={last} shape="date" />;
    },
  },
];

function ElectionList() {
  const may = useMay();
  const address = useAddress();
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(elections.listElections, { query });
  return (
    <Page
      title={pages.deskElections.title}
      sub="Members see an election once it’s published. They vote on the registry’s own ballots or in another voting system."
      actions={
        <Row wrap>
          {may(elections.addElection) && (
            <LinkButton href={`${pages.deskElections.path}?election=new`} variant="primary" icon="plus">
              New election
            </LinkButton>
          )}
          <LinkButton href={`${pages.deskElections.path}?view=conferences`}>Conferences and attendance</LinkButton>
        </Row>
      }
    >
      <Sheet flush aria-label="Elections">
        <DataTable
          caption="Elections, newest first"
          columns={columns}
          rows={answer.rows}
          rowId={({ electionId }) => electionId}
          {...table}
          total={answer.total}
          loading={stale}
          onOpen={({ electionId }) => address.go(`${pages.deskElections.path}?election=${electionId}`)}
          empty={
            <EmptyState title="No elections yet" picture={false}>
              A new election is a draft until you publish it.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
