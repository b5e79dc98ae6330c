import { initialsOf } from '@portal/app-kit/words/initials';
import { DAY_MS } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { deskKindNames, type DeskRequest, deskKinds } from '@portal/contract/staff/desk';
import { classNames, formatCount, KindMark, Link, Select } from '@portal/ui';
import { caseLink } from '../shell/case-link.ts';
import styles from '../shell/cases/Case.module.css';
import { Key } from '../shell/cases/Key.tsx';
import { proposedWords, secondWords } from '../shell/cases/second-words.ts';
import { isSameRequest, resourceAsked } from './queue-words.ts';
import { railAxisOf } from './rail-axis.ts';
import type { CaseQueue } from './use-case-queue.ts';

/** An age in whole days, as the rail shows it. */
const ageOf = ({ requestedAt }: DeskRequest, now: number): string => {
  const days = Math.floor((now - Date.parse(requestedAt)) / DAY_MS);
  return days < 1 ? 'today' : `${formatCount(days)} d`;
};

/** The axis of time beside cases, from the oldest to now, with a line from each age to its case. The list says the same in words. */
function Axis({ rows, now }: { rows: readonly DeskRequest[]; now: number }) {
  const axis = railAxisOf(rows.map(({ requestedAt }) => (now - Date.parse(requestedAt)) / DAY_MS));
  if (!axis) return null;
  const { height, cases, names } = axis;
  return (
    <svg className={styles.railAxis} viewBox={`0 0 48 ${height}`} aria-hidden="true">
      <path className={styles.railTime} d={`M32 ${cases[0]!.row}V${cases.at(-1)!.row}`} />
      {names.map(({ at, words }) => (
        <text key={words} x="24" y={at + 4} textAnchor="end">
          {words}
        </text>
      ))}
      {names.map(({ at, words }) => (
        <path key={words} className={styles.railTime} d={`M28 ${at}h4`} />
      ))}
      {cases.map(({ at, row }, index) => (
        <path key={row} data-late={rows[index]!.late || undefined} d={`M32 ${at}h3L44 ${row}h4`} />
      ))}
    </svg>
  );
}

/** The mark of what a case asks for, as everywhere; an empty square for other cases. The list's titles say the same in words. */
function Mark({ row }: { row: DeskRequest }) {
  const resource = resourceAsked(row);
  return resource ? <KindMark kind={resource} /> : <span className={styles.railMark} aria-hidden="true" />;
}

/** Who has a case, in a word: whoever approved it first where it waits for a second person. */
const whoseOf = ({ second, handler }: DeskRequest): string =>
  second
    ? second.mayConfirm
      ? 'to confirm'
      : `by ${second.isMine ? 'you' : initialsOf(second.proposedBy)}`
    : handler
      ? initialsOf(handler)
      : 'free';
const titleOf = ({ asked, second }: DeskRequest): string => (second ? `${asked}. ${proposedWords(second)}. ${secondWords(second)}` : asked);

/** A choice with the number of its cases. */
const named = (label: string, count: number | undefined): string => (count === undefined ? label : `${label} (${formatCount(count)})`);

/** The queue beside a case: what waits for the registry by age, then what waits for a second person who is not the reader, then what waits for members. */
export function CaseRail({ queue, open, now }: { queue: CaseQueue; open: Pick<DeskRequest, 'kind' | 'requestId'>; now: number }) {
  const { withUs, withOthers, withMember, total, place, search, kind, kinds, onKind } = queue;
  const list = (shown: readonly DeskRequest[]) => (
    <ol>
      {shown.map(row => (
        <li key={`${row.kind}-${row.requestId}`}>
          <Link
            href={caseLink(row) + search}
            className={classNames(styles.railCase, row.late && styles.railLate)}
            aria-current={isSameRequest(row, open) ? 'page' : undefined}
            title={titleOf(row)}
          >
            <b className="mono">
              <Mark row={row} />
              {row.reference ?? (row.kind === 'contacts' ? 'Contact' : deskKinds[row.kind].replace(/s$/, ''))}
            </b>
            <span>{whoseOf(row)}</span>
            <span className={styles.railAccount}>{row.accountName ?? row.orgName}</span>
            <span>
              {ageOf(row, now)}
              {row.late && <span className="vh">, late</span>}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
  return (
    <aside className={styles.rail} aria-label="Queue">
      <header>
        <h2>
          <Link href={pages.deskRequests.path + search}>Queue</Link>
        </h2>
        <span className="quiet small">{place >= 0 ? `${place + 1} of ${formatCount(total)}` : formatCount(total)}</span>
      </header>
      <Select
        size="s"
        aria-label="Kinds of cases in the queue"
        className={styles.railKinds}
        value={kind ?? ''}
        options={[
          { value: '', label: named('All types', kinds?.all) },
          ...deskKindNames
            .filter(each => each === kind || kinds?.[each] !== 0)
            .map(each => ({ value: each, label: named(deskKinds[each], kinds?.[each]) })),
        ]}
        onChange={({ target }) => onKind(target.value)}
      />
      {withUs.length + withOthers.length + withMember.length === 0 && <p className="quiet small">No cases in this queue.</p>}
      <div className={styles.railTimed}>
        <Axis rows={withUs} now={now} />
        {list(withUs)}
      </div>
      {withOthers.length > 0 && (
        <>
          <h3>
            Waiting for a second person <span className="quiet">{formatCount(withOthers.length)}</span>
          </h3>
          {list(withOthers)}
        </>
      )}
      {withMember.length > 0 && (
        <>
          <h3>
            Waiting on the member <span className="quiet">{formatCount(withMember.length)}</span>
          </h3>
          {list(withMember)}
        </>
      )}
      <p className={styles.railKeys}>
        Orange is late. <Key name="j" /> <Key name="k" /> move through the queue, <Key name="u" /> leads back to it, <Key name="?" /> shows
        all keys.
      </p>
    </aside>
  );
}
