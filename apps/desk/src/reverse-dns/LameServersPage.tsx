import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { pages } from '@portal/contract/pages';
import { type LameServer, type LameStep, lameServers, lameSteps } from '@portal/contract/reverse-dns/lame-servers';
import { Banner, DateText, EmptyState, formatCount, Link, Select, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';

const steps: Record<LameStep, { word: string; mark: 'pending' | 'warning' | 'invalid' | 'valid' }> = {
  seen: { word: 'Seen', mark: 'pending' },
  notified: { word: 'Contacts notified', mark: 'warning' },
  disabled: { word: 'Left out of the zone', mark: 'invalid' },
  answers: { word: 'Answers again', mark: 'valid' },
};
const next: Record<LameStep, string> = { seen: 'Notified on', notified: 'Left out on', disabled: 'Reminded on', answers: '' };
const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" />;

const columns: Column<LameServer>[] = [
  {
    id: 'server',
    label: 'Name server',
    card: 'key',
    fixed: true,
    look: 'mono',
    wrap: true,
    cell: ({ server }) => server,
  },
  {
    id: 'zone',
    label: 'Zone',
    fixed: true,
    wrap: true,
    cell: ({ zone, prefix, left }) => (
      <>
        <Link href={`/technical/rdnscheck?zone=${encodeURIComponent(zone)}`}>
          <span className="mono">{zone}</span>
        </Link>
        <br />
        <span className="quiet small">
          {prefix ? `${prefix}, ` : ''}
          {left === 0 ? 'no other server answers' : `${left} other ${left === 1 ? 'server answers' : 'servers answer'}`}
        </span>
      </>
    ),
  },
  {
    id: 'account',
    label: 'Account',
    fixed: true,
    cell: ({ accountName }) =>
      accountName === null ? (
        <span className="quiet">None</span>
      ) : (
        <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
      ),
  },
  {
    id: 'step',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ step }) => <StateMark state={steps[step].mark}>{steps[step].word}</StateMark>,
  },
  { id: 'since', label: 'Lame since', fixed: true, cell: ({ since }) => <Day value={since} /> },
  {
    id: 'notified',
    label: 'Notified',
    fixed: true,
    cell: ({ notifiedOn }) => (notifiedOn ? <Day value={notifiedOn} /> : <span className="quiet">Not yet</span>),
  },
  {
    id: 'next',
    label: 'Next step',
    fixed: true,
    wrap: true,
    cell: ({ step, nextOn }) =>
      nextOn ? (
        <>
          {next[step]} <Day value={nextOn} />
        </>
      ) : (
        <span className="quiet">{step === 'answers' ? 'Put back within minutes' : 'None'}</span>
      ),
  },
];

/** /desk/lame-servers: name servers that don't answer for delegated zones, and how far the policy has come with each. */
export default function LameServersPage() {
  const address = useAddress();
  const step = address.oneOf('state', ['all', ...lameSteps]);
  const q = address.get('q') ?? '';
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(lameServers.listLameServers, {
    query: { q, ...(step !== 'all' && { step }), ...query },
  });
  const { counts, policy, waits } = answer;
  return (
    <Page
      title={pages.deskLameServers.title}
      sub={`Contacts are notified after ${policy.detectDays} days${policy.disables ? `; ${policy.notifyDays} days later the server is left out of the zone until it answers` : ''}.`}
    >
      <Stack gap={16}>
        {waits && (
          <Banner kind="warning" title="Notices wait.">
            Most zones seem lame, so the registry itself may be cut off. No one is notified and no server is left out until checks succeed
            again.
          </Banner>
        )}
        <Sheet flush aria-label="Lame name servers">
          <DataTable
            caption="Lame name servers"
            columns={columns}
            rows={answer.rows}
            rowId={({ zone, server }) => `${zone} ${server}`}
            {...table}
            total={answer.total}
            loading={stale}
            tools={
              <>
                <FilterSearch
                  label="Zone, server, prefix or account"
                  value={q}
                  onChange={next => address.set({ q: next.trim() || null, page: null })}
                />
                <Select
                  size="s"
                  aria-label="State"
                  value={step}
                  options={[
                    { value: 'all', label: 'All states' },
                    ...lameSteps.map(value => ({ value, label: `${steps[value].word} (${formatCount(counts[value])})` })),
                  ]}
                  onChange={event => address.set({ state: event.target.value === 'all' ? null : event.target.value, page: null })}
                />
              </>
            }
            empty={
              <EmptyState title={q === '' && step === 'all' ? 'Every name server answers' : 'No name server matches'} picture={false}>
                Servers that don’t answer for a delegated zone appear here after their first failed check.
              </EmptyState>
            }
          />
        </Sheet>
      </Stack>
    </Page>
  );
}
