import { useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { authorityProblems, rpkiDesk, type RpkiOverview, type TroubledAuthority } from '@portal/contract/rpki/desk';
import { DateText, Disclosure, EmptyState, formatCount, Link, Select, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { problemWords } from './rpki-words.ts';
import styles from './Rpki.module.css';

const columns: Column<TroubledAuthority>[] = [
  {
    id: 'account',
    label: 'Account',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ accountName, orgName }) => (
      <>
        <Link className={styles.account} href={`/desk/accounts/${encodeURIComponent(accountName)}`}>
          {accountName}
        </Link>
        <br />
        <span className="quiet small">{orgName}</span>
      </>
    ),
  },
  {
    id: 'mode',
    label: 'Authority',
    fixed: true,
    cell: ({ mode }) => (mode === 'hosted' ? 'Hosted' : 'Self-hosted'),
  },
  {
    id: 'problem',
    label: 'State',
    card: 'state',
    fixed: true,
    cell: ({ problem }) => <StateMark state={problemWords[problem].state}>{problemWords[problem].word}</StateMark>,
  },
  {
    id: 'at',
    label: 'When',
    fixed: true,
    cell: ({ problem, at }) => (
      <>
        {problemWords[problem].at} <DateText value={at} />
      </>
    ),
  },
  {
    id: 'advice',
    label: 'What to do',
    fixed: true,
    wrap: true,
    cell: ({ problem, refusals }) => (
      <>
        {problemWords[problem].advice}
        {refusals.length > 0 && (
          <Disclosure summary="What validators say">
            <ul className={styles.refusals}>
              {refusals.map(refusal => (
                <li key={refusal}>{refusal}</li>
              ))}
            </ul>
          </Disclosure>
        )}
      </>
    ),
  },
];

/** Certificate authorities of members: how many are in which state, and those that need attention. */
export function MemberAuthorities({ members }: { members: RpkiOverview['members'] }) {
  const address = useAddress();
  const problem = address.oneOf('problem', ['all', ...authorityProblems]);
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(rpkiDesk.listTroubled, { query: { ...(problem !== 'all' && { problem }), ...query } });
  const states = [
    ['Hosted', members.hosted],
    ['Self-hosted', members.selfHosted],
    ['Suspended', members.suspended],
    ['Key rollover under way', members.rollover],
    ['Need attention', members.attention],
  ] as const;
  return (
    <Sheet title="Member certificate authorities" flush>
      <dl className={styles.states}>
        {states.map(([word, count]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <DataTable
        caption="Certificate authorities that need attention"
        columns={columns}
        rows={answer.rows}
        rowId={({ accountName, mode }) => `${accountName} ${mode}`}
        {...table}
        total={answer.total}
        loading={stale}
        tools={
          members.attention > 0 && (
            <Select
              size="s"
              aria-label="Problem"
              value={problem}
              options={[
                { value: 'all', label: 'All that need attention' },
                ...answer.counts.map(({ problem: value, count }) => ({
                  value,
                  label: `${problemWords[value].word} (${formatCount(count)})`,
                })),
              ]}
              onChange={event => address.set({ problem: event.target.value === 'all' ? null : event.target.value, page: null })}
            />
          )
        }
        empty={
          <EmptyState title="No certificate authority needs attention" picture={false}>
            Authorities appear here when their manifest or certificate ends without a successor, when their changes wait, or when a
            self-hosted one goes silent.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
