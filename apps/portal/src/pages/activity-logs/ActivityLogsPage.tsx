import { isRowId } from '@portal/contract/row-ids';
import { Page, reading, ServiceFailure, useAccount, useAddress, useDownload, useKit, useSession } from '@portal/app-kit';
import type { CallInput } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { activityCategories, type ActivityCategory, activityLog, proofDays } from '@portal/contract/activity-log/activity-log';
import { dayIn, daysAfter, daysBetween } from '@portal/contract/days';
import { Banner, Button, DateText, EmptyState, formatCount, Icon, Link, Segmented, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ActivityFilters, type FilterValues } from './ActivityFilters.tsx';
import styles from './ActivityLogsPage.module.css';
import { type DayCount, DayChart } from './DayChart.tsx';
import { periods, type Span, spansOf } from './period.ts';
import { LineTable } from './LineTable.tsx';

const ActivityDrawer = later(() => import('./ActivityDrawer.tsx'), 'ActivityDrawer');

const pageSize = 50;
/** Interval at which the page checks for news. */
const lookEveryMs = 30_000;

/** The activities of the account: who, what, when, from where, and what changed. */
export default function ActivityLogsPage() {
  const { accountName } = useAccount();
  const { environment } = useSession();
  const { profileUrl, appUrl } = environment;
  // Another provider's page has its own order.
  const historyUrl = profileUrl === `${appUrl}/account` ? `${profileUrl}/history` : profileUrl;
  return (
    <Page
      title="Activity"
      sub={
        <>
          Changes made in {accountName}, including refused attempts. For sign-ins, see <Link href={historyUrl}>your own</Link>.
        </>
      }
    >
      <Log key={accountName} />
    </Page>
  );
}

const filterNames = ['actor', 'category', 'result', 'q'] as const;

/** Reads the days and filters from the address, and converts both for the API. */
function useAsked() {
  const { environment } = useSession();
  const address = useAddress();
  const period = address.oneOf('period', periods);
  // The day on which the page was opened, so that it doesn't change meanwhile.
  const [today] = useState(() => dayIn(environment.registryTimeZone, new Date()));
  const spans = spansOf({ from: address.get('from'), to: address.get('to') }, period, today);
  const category = (Object.keys(activityCategories) as ActivityCategory[]).find(each => each === address.get('category'));
  const result = (['done', 'refused'] as const).find(each => each === address.get('result'));
  const actor = address.get('actor') ?? '';
  const q = (address.get('q') ?? '').slice(0, 100);
  const values: FilterValues = { actor, category: category ?? '', result: result ?? '', q };
  const filters = {
    ...(category && { category }),
    ...(result && { result }),
    ...(/^(person|staff|system|helper|[0-9a-f-]{36})$/.test(actor) && { actor }),
    ...(q && { q }),
  };
  return { address, period, today, spans, values, filters, filtered: filterNames.some(name => address.get(name)) };
}

type Listed = CallInput<typeof activityLog.listActivities>;

/** The lines of the list, loaded a page at a time on demand. */
function useLines(account: string, query: Listed['query']) {
  const { call } = useKit();
  return useInfiniteQuery({
    queryKey: [activityLog.listActivities.id, account, query],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, client }) =>
      client.fetchQuery({
        ...reading(call, activityLog.listActivities, {
          account,
          query: { ...query, limit: pageSize, ...(pageParam !== null && { before: pageParam }) },
        }),
        staleTime: 0,
      }),
    getNextPageParam: page => (page.older ? (page.lines.at(-1)?.activityId ?? null) : null),
    placeholderData: keepPreviousData,
  });
}

/** The lines that are asked for, their days, and what has been added since. */
function useLog({ filters, spans: { shown, listed }, today }: ReturnType<typeof useAsked>) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const answers = useQueryClient();
  const lines = useLines(account, { ...filters, ...listed });
  const days = useQuery({
    ...reading(call, activityLog.listDays, { account, query: { ...filters, ...shown } }),
    placeholderData: keepPreviousData,
  });
  const about = useQuery(reading(call, activityLog.getActivityLog, { account }));
  const rows = lines.data?.pages.flatMap(page => page.lines) ?? [];
  const newest = rows.reduce((most, { activityId }) => Math.max(most, activityId), 0);
  const newer = useQuery({
    ...reading(call, activityLog.countNewer, { account, query: { ...filters, from: listed.from, to: listed.to, after: newest } }),
    enabled: lines.isSuccess && !lines.isPlaceholderData && listed.to >= today,
    refetchInterval: lookEveryMs,
    staleTime: 0,
  });
  const added = newer.data && newest > 0 ? newer.data.lines : 0;
  const total = (days.data?.days ?? []).reduce(
    (sum, { day, done, refused }) => (day >= listed.from && day <= listed.to ? sum + done + refused : sum),
    0,
  );
  const failure = lines.error ?? days.error;

  const refresh = () => {
    for (const read of [activityLog.listActivities, activityLog.listDays, activityLog.getActivityLog, activityLog.countNewer])
      void answers.invalidateQueries({ queryKey: [read.id] });
  };
  return { lines, days, about, rows, added, total, failure, refresh };
}

function Log() {
  const { accountName: account } = useAccount();
  const asked = useAsked();
  const { address, period, today, values, filters, filtered } = asked;
  const { listed, chosen } = asked.spans;
  const { lines, days, about, rows, added, total, failure, refresh } = useLog(asked);
  const save = useDownload(activityLog.exportActivities);

  const clear = () => address.set({ actor: null, category: null, result: null, q: null, from: null, to: null });
  const open = address.get('line');
  const place = rows.findIndex(({ activityId }) => String(activityId) === open);
  const show = (activityId: number) => address.set({ line: String(activityId) });
  return (
    <Stack gap={16}>
      <ByDay days={days} />
      {failure && <LogFailure failure={failure} onRetry={refresh} />}
      <Sheet flush aria-label="Lines" footer={<Sealed sealed={about.data?.sealed} days={listed} />}>
        <output className={styles.newer}>
          {added > 0 && (
            <Button size="s" icon="refresh" onClick={refresh}>
              {added === 100 ? '100 or more new lines' : added === 1 ? '1 new line' : `${added} new lines`}
            </Button>
          )}
        </output>
        {failure && rows.length === 0 ? (
          <EmptyState title="Activity couldn’t be loaded" picture={false} />
        ) : (
          <LineTable
            rows={rows}
            total={Math.max(total, rows.length)}
            loading={lines.isPending || lines.isPlaceholderData}
            current={open}
            onOpen={line => show(line.activityId)}
            tools={
              <ActivityFilters
                values={values}
                listed={listed}
                today={today}
                contacts={about.data?.contacts ?? []}
                onChange={change => address.set({ ...change, line: null })}
              />
            }
            exportMenu={
              <ExportButtons what="the activity" save={format => save({ account, query: { ...filters, ...listed, format } })}>
                <Button
                  size="s"
                  variant="quiet"
                  icon="refresh"
                  busy={lines.isRefetching && !lines.isFetchingNextPage}
                  aria-label="Refresh"
                  onClick={refresh}
                />
              </ExportButtons>
            }
            empty={<NoLines filtered={filtered} period={period} chosen={chosen} onClear={clear} />}
          />
        )}
        {lines.hasNextPage && (
          <div className={styles.older}>
            <Button size="s" busy={lines.isFetchingNextPage} onClick={() => void lines.fetchNextPage()}>
              Show older lines
            </Button>
          </div>
        )}
      </Sheet>
      {open !== null && isRowId(open) && (
        <Suspense>
          <ActivityDrawer
            activityId={open}
            newer={place > 0 ? rows[place - 1]?.activityId : undefined}
            older={place >= 0 ? rows[place + 1]?.activityId : undefined}
            onGo={show}
            onClose={() => address.set({ line: null })}
          />
        </Suspense>
      )}
    </Stack>
  );
}

function NoLines({ filtered, period, chosen, onClear }: { filtered: boolean; period: string; chosen: Span | null; onClear: () => void }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  return filtered ? (
    <EmptyState title="No matches" action={<Button onClick={onClear}>Clear the filters</Button>}>
      No activity of {account} on these days matches these filters.
    </EmptyState>
  ) : (
    <EmptyState
      title="No activity"
      action={
        period !== '365' || chosen ? (
          <Button onClick={() => address.set({ period: '365', from: null, to: null })}>Show 12 months</Button>
        ) : undefined
      }
    >
      Every change in {account}, and every refused attempt, appears here with who made it and from where.
    </EmptyState>
  );
}

function LogFailure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  return (
    <Banner
      kind="error"
      traceId={failure instanceof ServiceFailure ? failure.errors[0]?.traceId : null}
      actions={
        <Button size="s" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {failure.message}
    </Banner>
  );
}

/** The chart of days, from which some can be chosen. */
function ByDay({ days }: { days: { data: { days: DayCount[] } | undefined; error: Error | null } }) {
  const { environment } = useKit();
  const {
    address,
    period,
    spans: { shown, chosen },
  } = useAsked();
  return (
    <Sheet
      title="By day"
      meta={
        chosen && (
          <span className="small">
            <DayText day={chosen.from} />
            {chosen.to !== chosen.from && (
              <>
                {' '}
                to <DayText day={chosen.to} />
              </>
            )}{' '}
            <Button size="s" variant="quiet" icon="close" onClick={() => address.set({ from: null, to: null })}>
              All days
            </Button>
          </span>
        )
      }
      actions={
        <Segmented
          label="Period"
          value={period}
          options={[
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
            { value: '365', label: '12 months' },
          ]}
          onChange={next => address.set({ period: next === '30' ? null : next, from: null, to: null })}
        />
      }
    >
      {days.data ? (
        <DayChart
          key={`${shown.from} ${shown.to}`}
          days={days.data.days}
          chosen={chosen}
          timeZone={environment.registryTimeZone}
          onChoose={span => address.set({ from: span?.from ?? null, to: span?.to ?? null, line: null })}
        />
      ) : days.error ? (
        <p className="small quiet">The chart couldn’t be loaded.</p>
      ) : (
        <SkeletonRows rows={1} columns={6} height={120} label="Loading the chart" />
      )}
    </Sheet>
  );
}

const DayText = ({ day }: { day: string }) => <DateText value={day} shape="date" />;

/** The activity up to which the log can't be changed unnoticed. */
function Sealed({ sealed, days }: { sealed: { activityId: number; at: string } | null | undefined; days: Span }) {
  const { accountName: account } = useAccount();
  const save = useDownload(activityLog.exportLogProof);
  // A longer proof would be refused: the newest days that one proof covers are offered, and said before the press.
  const isCut = daysBetween(days.from, days.to) >= proofDays;
  const proven = isCut ? { from: daysAfter(days.to, 1 - proofDays), to: days.to } : days;
  if (sealed === undefined) return <span className="small quiet">Loading the latest seal</span>;
  return (
    <p className={styles.sealed}>
      <Icon name="lock" />
      {sealed ? (
        <span>
          Sealed up to line {formatCount(sealed.activityId)} since <DateText value={sealed.at} />. Each line carries a hash of all lines
          before it, so none can be changed or removed unnoticed. <Link href="/log">How to check</Link>
        </span>
      ) : (
        <span>Not sealed yet. New lines are sealed about every minute.</span>
      )}
      {isCut && (
        <span>
          A proof covers at most {proofDays} days, here from <DayText day={proven.from} />. Choose earlier days for a proof of them.
        </span>
      )}
      <Button size="s" variant="quiet" icon="download" onClick={() => void save({ account, query: proven })}>
        {isCut ? `Proof of the last ${proofDays} days` : 'Proof'}
      </Button>
    </p>
  );
}
