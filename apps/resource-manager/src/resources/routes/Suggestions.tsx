import { read, reading, useAccount, useAnswer, useKit } from '@portal/app-kit';
import { maxRoutesAtOnce, type RouteChanges } from '@portal/contract/routes/routes';
import { type RouteSuggestion, routeSuggestions, type SuggestionKind } from '@portal/contract/routes/suggestions';
import { printAsNumber } from '@portal/number-resources';
import { Button, classNames, DateText, EmptyState, formatCount, Link, LinkButton, ResourceName, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { ChangeReview, noChanges } from './ChangeReview.tsx';
import styles from './Routes.module.css';
import { kindOf, nameOf, routesPath, type StateWords } from './route-words.ts';

const kindWords: Record<SuggestionKind, Pick<StateWords, 'state' | 'word'> & { act: string }> = {
  add: { state: 'pending', word: 'Add a ROA', act: 'Review' },
  disallowing: { state: 'warning', word: 'Disallows only', act: 'Review' },
  'too-permissive': { state: 'warning', word: 'Too permissive', act: 'Review' },
  redundant: { state: 'info', word: 'Redundant', act: 'Review' },
  stale: { state: 'info', word: 'Not seen', act: 'Review' },
};

const columns: Column<RouteSuggestion>[] = [
  {
    id: 'kind',
    label: 'Suggestion',
    cell: ({ kind }) => <StateMark state={kindWords[kind].state}>{kindWords[kind].word}</StateMark>,
    text: ({ kind }) => kindWords[kind].word,
    card: 'state',
  },
  {
    id: 'prefix',
    label: 'Prefix',
    cell: ({ prefix }) => <ResourceName kind={kindOf(prefix)} text={prefix} strong />,
    text: ({ prefix }) => prefix,
    fixed: true,
    card: 'key',
  },
  {
    id: 'asn',
    label: 'Origin',
    cell: ({ asn }) => <ResourceName kind="asn" text={printAsNumber(asn)} />,
    text: ({ asn }) => printAsNumber(asn),
  },
  { id: 'maxLength', label: 'Max length', cell: ({ maxLength }) => <span className="mono">/{maxLength}</span> },
  {
    id: 'peers',
    label: 'Seen by',
    cell: ({ peers }) => (peers === null ? <span className="quiet">–</span> : formatCount(peers)),
    align: 'end',
  },
  { id: 'why', label: 'Why', cell: ({ why }) => why, wrap: true, card: 'wide' },
];

const rowName = (row: RouteSuggestion): string => `${row.kind} ${nameOf(row)}`;

/** All of them in one change. */
const together = (rows: readonly RouteSuggestion[]): RouteChanges => ({
  ...noChanges,
  add: rows.flatMap(({ changes }) => changes?.add ?? []),
  change: rows.flatMap(({ changes }) => changes?.change ?? []),
  remove: rows.flatMap(({ changes }) => changes?.remove ?? []),
});

/** Suggested improvements, checked by what collectors see. Each suggestion is reviewed with its effect before it is saved. */
export function Suggestions() {
  const { accountName: account } = useAccount();
  return (
    <FirstRead reads={[read(routeSuggestions.listSuggestions, { account })]} fallback={<TableSkeleton />}>
      <Found />
    </FirstRead>
  );
}

/** Suggestions that the page of routes shows below its list. */
const SHOWN = 3;

/** The effect of some suggestions and their saving; nothing while none is reviewed. @param onSaved follows a save */
function Reviewed({ changes, onEnd, onSaved }: { changes: RouteChanges | null; onEnd: () => void; onSaved?: () => void }) {
  if (changes === null) return null;
  return (
    <ChangeReview
      key={JSON.stringify(changes)}
      changes={changes}
      alsoRefresh={[routeSuggestions.listSuggestions]}
      onSaved={() => {
        onEnd();
        onSaved?.();
      }}
      onCancel={onEnd}
    />
  );
}

/** The first suggestions below the list of routes, each reviewed in place; empty until they are read, and without any. */
export function FirstSuggestions() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, routeSuggestions.listSuggestions, { account }));
  const [reviewed, setReviewed] = useState<RouteChanges | null>(null);
  if (!data || data.rows.length === 0) return null;
  return (
    <Stack gap={16}>
      <Reviewed changes={reviewed} onEnd={() => setReviewed(null)} />
      <Sheet
        flush
        title="Suggestions"
        meta="From what route collectors see"
        actions={<Link href={`${routesPath}?view=suggestions`}>All {formatCount(data.total)}</Link>}
      >
        <ul className={classNames(styles.list, styles.flush)}>
          {data.rows.slice(0, SHOWN).map(row => (
            <li key={rowName(row)}>
              <ResourceName kind={kindOf(row.prefix)} text={row.prefix} strong />
              <ResourceName kind="asn" text={printAsNumber(row.asn)} />
              <StateMark state={kindWords[row.kind].state} plain>
                {kindWords[row.kind].word}
              </StateMark>
              <span className={classNames(styles.grow, 'quiet')}>{row.why}</span>
              <Act row={row} onReview={setReviewed} />
            </li>
          ))}
        </ul>
      </Sheet>
    </Stack>
  );
}

function Act({ row, onReview }: { row: RouteSuggestion; onReview: (changes: RouteChanges) => void }) {
  return row.changes === null ? (
    <LinkButton size="s" href={`${routesPath}?${new URLSearchParams({ q: row.prefix })}`}>
      Adopt first
    </LinkButton>
  ) : (
    <Button size="s" aria-label={`${kindWords[row.kind].act} ${nameOf(row)}`} onClick={() => onReview(together([row]))}>
      {kindWords[row.kind].act}
    </Button>
  );
}

function Found() {
  const { accountName: account } = useAccount();
  const { rows, total, collectedAt } = useAnswer(routeSuggestions.listSuggestions, { account });
  const [table, setTable] = useState(emptyTableState);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [reviewed, setReviewed] = useState<RouteChanges | null>(null);
  const chosen = rows.filter(row => ticked.has(rowName(row)) && row.changes !== null);
  if (rows.length === 0)
    return (
      <Sheet aria-label="Suggestions">
        <EmptyState title="No suggestions">
          {collectedAt === null
            ? 'Suggestions come from what route collectors see. No BGP table is available yet.'
            : 'Your ROAs fit what route collectors see. New suggestions appear here after each import of a BGP table.'}
        </EmptyState>
      </Sheet>
    );
  return (
    <Stack gap={16}>
      <Reviewed changes={reviewed} onEnd={() => setReviewed(null)} onSaved={() => setTicked(new Set())} />
      <Sheet flush aria-label="Suggestions">
        <DataTable
          caption={`Suggestions for ${account}`}
          columns={columns}
          rows={rows}
          rowId={rowName}
          rowLabel={nameOf}
          state={table}
          onStateChange={setTable}
          countLabel={
            <span>
              {formatCount(total)} {total === 1 ? 'suggestion' : 'suggestions'}
              {collectedAt && (
                <>
                  , from what collectors saw on <DateText value={collectedAt} />
                </>
              )}
            </span>
          }
          showsActions={() => true}
          rowActions={row => <Act row={row} onReview={setReviewed} />}
          selection={{
            selected: ticked,
            onChange: setTicked,
            canSelect: row => row.changes !== null,
            actions: (
              <Button size="s" onClick={() => setReviewed(together(chosen.slice(0, maxRoutesAtOnce)))}>
                Review {formatCount(chosen.length)}
              </Button>
            ),
          }}
        />
      </Sheet>
      <p className="small quiet">
        Collectors don’t see everything, and may see a hijack. Nothing is changed before you review its effect and save it.
      </p>
    </Stack>
  );
}
