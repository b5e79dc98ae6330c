import { FailureBanner, read, useAccount, useChange, useRead, useRefusal } from '@portal/app-kit';
import type { BodyInputOf } from '@portal/contract';
import { waitDays, type WaitingDelegation, waitingDelegations } from '@portal/contract/reverse-dns/waiting';
import { Button, DateText, Link, Sheet, Stack, type State, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { hrefOfZone } from './zone-words.ts';

/** Maximum number shown: the number that may wait at the same time. */
export const waitingOf = (account: string) => read(waitingDelegations.listWaiting, { account, query: { offset: 0, limit: 20 } });

const states: Record<WaitingDelegation['state'], { word: string; mark: State }> = {
  waiting: { word: 'Waiting', mark: 'pending' },
  delegated: { word: 'Delegated', mark: 'valid' },
  refused: { word: 'Not delegated', mark: 'invalid' },
  ended: { word: 'Ended', mark: 'not-found' },
  cancelled: { word: 'Cancelled', mark: 'not-found' },
};

/** Offers to delegate once the servers are ready, after a check that found they aren’t. */
export function WaitForServers({
  body,
  onDone,
}: {
  body: BodyInputOf<typeof waitingDelegations.waitForServers>;
  onDone: (waiting: WaitingDelegation) => void;
}) {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(waitingDelegations.waitForServers);
  const wait = useChange(waitingDelegations.waitForServers, { refresh: [waitingDelegations.listWaiting], showsErrors: true, onDone });
  return (
    <Stack gap={8}>
      <p className="small">
        Not ready yet? We can check these servers every hour for {waitDays} days and delegate as soon as a check finds no errors. You get an
        e-mail with the result.
      </p>
      {wait.error && <FailureBanner failure={wait.error} />}
      <div>
        <Button icon="clock" busy={wait.isPending} refusal={refusal} onClick={() => wait.mutate({ account, body })}>
          Keep trying for {waitDays} days
        </Button>
      </div>
    </Stack>
  );
}

/** Delegations that wait for their servers, and the outcome of the latest ones; empty if there are none. */
export function WaitingDelegations() {
  const { accountName: account } = useAccount();
  const { rows } = useRead(waitingOf(account));
  const refusal = useRefusal(waitingDelegations.cancelWaiting);
  const cancel = useChange(waitingDelegations.cancelWaiting, { refresh: [waitingDelegations.listWaiting] });
  if (rows.length === 0) return null;
  return (
    <Sheet title="Waiting for name servers" meta={<span>Checked every hour, delegated when ready</span>} flush>
      <DataTable
        caption="Delegations that wait for their name servers"
        columns={columns}
        rows={rows}
        rowId={row => row.waitingId}
        rowLabel={row => row.zones[0]!}
        state={{ sort: null, hidden: [], order: [], filters: {}, page: 1 }}
        rowActions={row =>
          row.state === 'waiting' ? (
            <Button
              size="s"
              busy={cancel.isPending && cancel.variables?.waitingId === row.waitingId}
              refusal={refusal}
              onClick={() => cancel.mutate({ account, waitingId: row.waitingId })}
            >
              Cancel
            </Button>
          ) : null
        }
      />
    </Sheet>
  );
}

const columns: Column<WaitingDelegation>[] = [
  {
    id: 'zones',
    label: 'Zones',
    cell: ({ zones, state }) => (
      <>
        {state === 'delegated' ? (
          <Link href={hrefOfZone(zones[0]!)} className="mono">
            {zones[0]}
          </Link>
        ) : (
          <span className="mono">{zones[0]}</span>
        )}
        {zones.length > 1 && <span className="quiet"> and {zones.length - 1} more</span>}
      </>
    ),
    text: ({ zones }) => zones.join(' '),
    fixed: true,
  },
  { id: 'servers', label: 'Name servers', cell: ({ servers }) => <span className="mono">{servers.join(', ')}</span>, wrap: true },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => <StateMark state={states[state].mark}>{states[state].word}</StateMark>,
    card: 'state',
  },
  {
    id: 'problem',
    label: 'Last check',
    cell: ({ problem, checkId, checkedAt, state }) =>
      problem === null ? (
        <span className="quiet">{checkedAt === null && state === 'waiting' ? 'First check within minutes' : '–'}</span>
      ) : (
        <>
          {problem} {checkId && <Link href={`/technical/rdnscheck?check=${checkId}`}>Report</Link>}
        </>
      ),
    wrap: true,
  },
  { id: 'until', label: 'Until', cell: ({ until, decidedAt }) => <DateText value={decidedAt ?? until} />, look: 'quiet' },
];
