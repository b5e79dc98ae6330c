import type { PlannedAnnouncement, PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { containsRange, coverRange, parseRange, printPrefix } from '@portal/number-resources';
import { DateText, formatCount, Sheet, StateMark } from '@portal/ui';
import type { CSSProperties, ReactNode } from 'react';
import { gettingWorse } from './plan-check.ts';
import styles from './RoutingSteps.module.css';

const stateWords = { valid: 'Valid', invalid: 'Invalid', 'not-found': 'Not found' } as const;

/** The objects that follow the ledger, each kind on one line. */
const followers: readonly { title: string; what: PlannedEffect['what']; after: string }[] = [
  { title: 'ROAs', what: 'roa', after: 'Same publication' },
  { title: 'Routes in whois', what: 'route', after: 'Same change' },
  { title: 'Reverse zones', what: 'reverse', after: 'Served within seconds' },
];

/** Why the validity of announcements isn’t shown: of AS numbers, and of what another registry holds, the announcements aren’t looked up. */
function whyNoValidity({ moves }: TransferPlan, isIncoming: boolean): string {
  if (moves.every(name => name.startsWith('AS'))) return 'AS numbers move: who may announce which addresses stays as it is.';
  if (isIncoming) return 'Validity isn’t shown for space that another registry holds: its ROAs are published there until completion.';
  return 'No table of BGP says what is announced, so validity isn’t shown.';
}

/**
 * Says when ROAs, routes and zones move, and what validators make of each announcement at every step. Nothing changes before completion, and ledger, ROAs and whois change together, so an announcement has
 * two states: before and after. @param steps names of the steps before completion @param isIncoming from another registry
 */
export function RoutingSteps({ plan, steps, isIncoming = false }: { plan: TransferPlan; steps: readonly string[]; isIncoming?: boolean }) {
  const { announcements, effects } = plan;
  if (plan.moves.length === 0) return null;
  const worse = gettingWorse(plan);
  const columns = [...steps, 'Completion', 'Afterwards'];
  const kinds = followers.flatMap(each => {
    const own = effects.filter(({ what }) => what === each.what);
    return own.length === 0 ? [] : [{ ...each, own }];
  });
  return (
    <Sheet
      title={worse.length === 0 && announcements.rows.length > 0 ? 'No gap' : 'Routing, step by step'}
      meta="When ROAs, routes and zones move, and the validity of each announcement"
      actions={
        worse.length > 0 ? (
          <StateMark state="warning" plain>
            {worse.length === 1 ? '1 announcement gets worse' : `${formatCount(worse.length)} announcements get worse`}
          </StateMark>
        ) : undefined
      }
      footer={
        announcements.collectedAt === null ? (
          whyNoValidity(plan, isIncoming)
        ) : (
          <>
            <span>
              Announcements as collectors saw them on <DateText value={announcements.collectedAt} />
              {announcements.total > announcements.rows.length &&
                `: ${announcements.rows.length} of ${formatCount(announcements.total)} are listed`}
              .
            </span>
          </>
        )
      }
    >
      <table className={styles.steps} aria-label="Validity by step" style={{ '--columns': columns.length } as CSSProperties}>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Announcement or object</span>
            </th>
            {columns.map((column, index) => (
              <th scope="col" key={column} data-done={column === 'Completion' || undefined}>
                <b>{index + 1}</b> {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {announcements.rows.map(row => (
            <Line key={`${row.prefix} ${row.asn}`} columns={columns} row={row} kept={keptIn(plan, row)} />
          ))}
        </tbody>
        {kinds.length > 0 && (
          <tbody className={styles.objects}>
            {kinds.map(({ title, own, after }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td colSpan={steps.length}>Unchanged</td>
                <td>{changesOf(own)}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        )}
      </table>
      {announcements.rows.length > 0 && (
        <p className={styles.legend}>
          {(['valid', 'not-found', 'invalid'] as const).map(state => (
            <span key={state}>
              <i data-state={state} aria-hidden="true" /> {stateWords[state]}
            </span>
          ))}
        </p>
      )}
    </Sheet>
  );
}

/** Returns what stays of an announced prefix of which a part moves. */
function keptIn({ keeps }: TransferPlan, { prefix, moves }: PlannedAnnouncement): string[] {
  const announced = parseRange(prefix);
  return moves
    ? keeps
        .filter(each => !each.startsWith('AS'))
        .map(parseRange)
        .filter(range => containsRange(announced, range))
        .flatMap(coverRange)
        .map(printPrefix)
    : [];
}

function Line({ columns, row, kept }: { columns: readonly string[]; row: PlannedAnnouncement; kept: readonly string[] }): ReactNode {
  const { prefix, asn, peers, before, after, moves } = row;
  return (
    <tr data-moves={moves || undefined}>
      <th scope="row">
        <span className="mono">{prefix}</span> <span className="mono quiet">AS{asn}</span>
        <span className={styles.aside}>
          {kept.length > 0 ? 'splits' : moves ? 'moves' : 'stays'}, seen by {formatCount(peers)} {peers === 1 ? 'peer' : 'peers'}
          {kept.length > 0 && (
            <>
              . <span className="mono">{kept.slice(0, 4).join(', ')}</span>
              {kept.length > 4 && ` and ${formatCount(kept.length - 4)} more`} {kept.length === 1 ? 'stays' : 'stay'}
            </>
          )}
        </span>
      </th>
      {columns.map((column, index) => {
        const isAfter = index >= columns.length - 2;
        const state = isAfter ? after : before;
        const isFirst = index === 0 || index === columns.length - 2;
        return (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its text is inside
          <td key={column}>
            <span className={styles.bar} data-state={state}>
              <span className={isFirst ? undefined : 'vh'}>{stateWords[state]}</span>
            </span>
          </td>
        );
      })}
    </tr>
  );
}

/** `2 move, 1 ends`. */
function changesOf(effects: readonly PlannedEffect[]): string {
  const count = (act: PlannedEffect['act']): number => effects.filter(each => each.act === act).length;
  const parts = [
    [count('moves') + count('holds'), 'moves', 'move'],
    [count('changes'), 'changes', 'change'],
    [count('ends'), 'ends', 'end'],
  ] as const;
  return parts
    .flatMap(([number, one, several]) => (number === 0 ? [] : [`${formatCount(number)} ${number === 1 ? one : several}`]))
    .join(', ');
}
