import { useAddress } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { type FeeChange, type FeeEffect, STEEP_PERCENT } from '@portal/contract/billing/fee-schedules';
import { Button, EmptyState, formatCount, KindMark, Link, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import styles from './Fees.module.css';
import { percentBetween, percentWords, prefixWords } from './fee-words.ts';

/** Accounts whose bills change most, and one that was looked for. */
export function BilledAccounts({ effect, isStale }: { effect: FeeEffect; isStale: boolean }) {
  const { currency, largest, found, steep, compared } = effect;
  const address = useAddress();
  const [asked, only] = [address.get('account'), address.get('only') === 'steep'];
  const rows = [...(found ? [found] : []), ...largest.filter(({ accountName }) => accountName !== found?.accountName)];
  const title = only ? `Over ${STEEP_PERCENT} % more` : compared ? 'Largest changes' : 'Largest bills';
  return (
    <Sheet
      flush
      title={title}
      meta={
        <span>
          {currency} a year, without tax{only && steep > largest.length && `. ${largest.length} of ${formatCount(steep)}: the file has all`}
        </span>
      }
      actions={
        <>
          {only && (
            <Button size="s" onClick={() => address.set({ only: null })}>
              All accounts
            </Button>
          )}
          <FilterSearch
            label="Account to add"
            value={asked ?? ''}
            onChange={account => address.set({ account: account.trim() === '' ? null : account })}
            className={styles.find}
          />
        </>
      }
    >
      {asked !== null && !found && !isStale && (
        <output className={styles.rest}>
          {asked.toUpperCase()} gets no bill by these fees. Enter the name of an open account, such as{' '}
          {largest[0]?.accountName ?? 'EXAMPLE-AU'}.
        </output>
      )}
      {rows.length === 0 ? (
        <EmptyState title="No bill changes" picture={false}>
          Every account pays what it would have paid by the fees before.
        </EmptyState>
      ) : (
        <DataTable
          caption={title}
          columns={columnsOf(rows)}
          rows={rows}
          rowId={({ accountName }) => accountName}
          rowLook={({ accountName }) => (accountName === found?.accountName ? 'pending' : undefined)}
          state={emptyTableState}
        />
      )}
    </Sheet>
  );
}

function columnsOf(rows: readonly FeeChange[]): Column<FeeChange>[] {
  const percents = rows.map(({ before, after }) => percentBetween(before, after) ?? 0);
  const [least, most] = [Math.min(0, ...percents), Math.max(0, ...percents)];
  return [
    {
      id: 'account',
      label: 'Account',
      fixed: true,
      card: 'key',
      wrap: true,
      text: ({ accountName }) => accountName,
      cell: ({ accountName, economy }) => (
        <span className={styles.account}>
          <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`} className="mono">
            {accountName}
          </Link>
          <small>{economyWords(economy)}</small>
        </span>
      ),
    },
    { id: 'holds', label: 'Holds', fixed: true, cell: row => <Held change={row} /> },
    {
      id: 'before',
      label: 'Before',
      fixed: true,
      align: 'end',
      cell: ({ before }) => (before === null ? 'none' : money('', before).trim()),
    },
    {
      id: 'after',
      label: 'By these fees',
      fixed: true,
      align: 'end',
      cell: ({ after, difference }) => <span className={difference === '0.00' ? 'quiet' : styles.new}>{money('', after).trim()}</span>,
    },
    {
      id: 'change',
      label: 'Change',
      fixed: true,
      align: 'end',
      card: 'state',
      cell: ({ before, after }) => {
        const percent = percentBetween(before, after);
        return percent === null ? 'new' : percentWords(percent);
      },
    },
    {
      id: 'drawn',
      label: `${percentWords(least)} to ${percentWords(most)}`,
      fixed: true,
      card: 'none',
      cell: ({ before, after }) => <Change percent={percentBetween(before, after)} least={least} most={most} />,
    },
  ];
}

/** Holdings that an account is billed for: a block where they are one, or the number of addresses. */
function Held({ change: { ipv4, ipv6, asns } }: { change: FeeChange }) {
  const [has4, has6] = [ipv4 !== '0', Number(ipv6) > 0];
  if (!has4 && !has6)
    return asns === 0 ? (
      <span className="quiet">no addresses</span>
    ) : (
      <span className="nowrap">
        <KindMark kind="asn" /> {formatCount(asns)} AS
      </span>
    );
  return (
    <>
      {has4 && (
        <span className="nowrap">
          <KindMark kind="ipv4" /> {prefixWords(ipv4, 32) ?? formatCount(Number(ipv4))}
        </span>
      )}{' '}
      {has6 && (
        <span className="nowrap">
          <KindMark kind="ipv6" /> {prefixWords(ipv6, 56) ?? `${formatCount(Number(ipv6))} × /56`}
        </span>
      )}
    </>
  );
}

/** From the bill before, in ink, to the one after, in the colour of what is proposed. */
function Change({ percent, least, most }: { percent: number | null; least: number; most: number }) {
  if (percent === null || most === least) return null;
  const x = (value: number): number => 6 + ((value - least) / (most - least)) * 118;
  return (
    <svg className={styles.change} width="130" height="20" viewBox="0 0 130 20" aria-hidden="true">
      <path d={`M${x(0)} 2V18`} data-edge />
      <path d={`M${x(0)} 10H${x(percent)}`} />
      <circle cx={x(0)} cy="10" r="3.5" />
      <circle cx={x(percent)} cy="10" r="4" data-change />
    </svg>
  );
}
