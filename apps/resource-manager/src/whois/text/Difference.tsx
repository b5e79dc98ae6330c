import { compareObjects, type LineChange, parseObject, type RpslAttribute } from '@portal/rpsl';
import { classNames, Segmented, useNarrow } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import styles from './Difference.module.css';

type Row = { before: string | null; after: string | null; change: 'kept' | 'changed' | 'removed' | 'added' };

/** Whether the server wrote a line: the time of the change is no change of the person’s. */
const isAutomatic = (line: string | undefined): boolean => /^last-modified:/i.test(line ?? '');

const lines = (attribute: RpslAttribute | null): string[] =>
  attribute ? `${attribute.written}:${attribute.raw}`.replace(/\r?\n$/, '').split(/\r?\n/) : [];

/** Line by line; without an object on one side all lines of the other are added or removed. */
function rowsOf(before: string | null, after: string | null): Row[] {
  const [old, now] = [before === null ? null : parseObject(before).object, after === null ? null : parseObject(after).object];
  if (old && now) return compareObjects(old, now).flatMap(pairs);
  const whole = (text: string | null): string[] =>
    (text ?? '')
      .trimEnd()
      .split('\n')
      .filter(line => text !== null && line !== '');
  return [
    ...whole(before).map((line): Row => ({ before: line, after: null, change: 'removed' })),
    ...whole(after).map((line): Row => ({ before: null, after: line, change: 'added' })),
  ];
}

function pairs({ change, before, after }: LineChange): Row[] {
  const [left, right] = [lines(before), lines(after)];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    change: change === 'changed' && isAutomatic(right[at]) ? 'kept' : change,
    before: left[at] ?? null,
    after: right[at] ?? null,
  }));
}

/** Returns the number of changed lines, without attributes the server writes. */
export const countChanges = (before: string | null, after: string | null): number =>
  rowsOf(before, after).filter(row => row.change !== 'kept' && !isAutomatic(row.after ?? row.before ?? undefined)).length;

/** Returns the bounds of the differing part of two texts. */
function part(text: string, other: string | null): [number, number] {
  if (other === null) return [0, text.length];
  const most = Math.min(text.length, other.length);
  let head = 0;
  while (head < most && text[head] === other[head]) head++;
  let tail = 0;
  while (tail < most - head && text.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return [head, text.length - tail];
}

function Line({
  text,
  other,
  kind,
  whole,
}: {
  text: string;
  other: string | null;
  kind: 'kept' | 'del' | 'ins';
  whole?: boolean;
}): ReactNode {
  const colon = /^\*?[\w-]+:\s*/.exec(text)?.[0].length ?? 0;
  const name = <span className={styles.name}>{text.slice(0, colon)}</span>;
  if (kind === 'kept')
    return (
      <>
        {name}
        {text.slice(colon)}
      </>
    );
  // In a completely new or deleted object nothing is highlighted.
  const [from, to] = whole ? [colon, colon] : part(text, other);
  const start = Math.max(colon, from);
  const Tag = kind;
  return (
    <Tag className={styles.change}>
      {name}
      {text.slice(colon, start)}
      {to > start && <em>{text.slice(start, to)}</em>}
      {text.slice(Math.max(start, to))}
    </Tag>
  );
}

type Props = {
  before: string | null;
  after: string | null;
  label?: string;
  /** Without room for two columns, or if they aren't needed. */
  unified?: boolean;
};

/** The changes of an object: both texts side by side, or one above the other. */
export function Difference({ before, after, label = 'Difference', unified = false }: Props) {
  const narrow = useNarrow();
  const [view, setView] = useState<'beside' | 'unified'>('beside');
  const rows = rowsOf(before, after);
  const hasChoice = !narrow && !unified && before !== null && after !== null;
  const isAdjacent = hasChoice && view === 'beside';
  return (
    <div className={styles.difference}>
      {hasChoice && (
        <div className={styles.tools}>
          <Segmented
            label="Diff view"
            options={[
              { value: 'beside', label: 'Side by side' },
              { value: 'unified', label: 'Unified' },
            ]}
            value={view}
            onChange={setView}
          />
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys */}
      <section className={styles.scroll} aria-label={label} tabIndex={0}>
        {isAdjacent ? <SideBySide rows={rows} /> : <Unified rows={rows} whole={before === null || after === null} />}
      </section>
    </div>
  );
}

function SideBySide({ rows }: { rows: readonly Row[] }) {
  let [left, right] = [0, 0];
  return (
    <table className={styles.table}>
      <thead className="vh">
        <tr>
          <th scope="col">Line before</th>
          <th scope="col">Before</th>
          <th scope="col">Line after</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ before, after, change }, at) => {
          if (before !== null) left++;
          if (after !== null) right++;
          const kept = change === 'kept';
          return (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other identity, and the list is made anew
            <tr key={at}>
              <td className={styles.number}>{before !== null && left}</td>
              <td className={classNames(before === null ? styles.gap : !kept && styles.del)}>
                {before !== null && <Line text={before} other={after} kind={kept ? 'kept' : 'del'} />}
              </td>
              <td className={classNames(styles.number, styles.half)}>{after !== null && right}</td>
              <td className={classNames(after === null ? styles.gap : !kept && styles.ins)}>
                {after !== null && <Line text={after} other={before} kind={kept ? 'kept' : 'ins'} />}
                {kept && <Automatic before={before} after={after} />}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Beside a line that differs and is no change of the person’s. */
const Automatic = ({ before, after }: Pick<Row, 'before' | 'after'>) =>
  before !== after && <span className={styles.automatic}> set automatically</span>;

type Sided = { kind: 'kept' | 'del' | 'ins'; text: string; other: string | null };

function Unified({ rows, whole }: { rows: readonly Row[]; whole: boolean }) {
  const all = rows.flatMap(({ before, after, change }): Sided[] =>
    change === 'kept'
      ? [{ kind: 'kept', text: after ?? before ?? '', other: before }]
      : [
          ...(before === null ? [] : [{ kind: 'del' as const, text: before, other: after }]),
          ...(after === null ? [] : [{ kind: 'ins' as const, text: after, other: before }]),
        ],
  );
  return (
    <table className={styles.table}>
      <thead className="vh">
        <tr>
          <th scope="col">Change</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ kind, text, other }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <tr key={at} className={kind === 'kept' ? undefined : styles[kind]}>
            <td className={styles.sign}>{kind === 'del' ? '−' : kind === 'ins' ? '+' : ''}</td>
            <td>
              <Line text={text} other={other} kind={kind} whole={whole} />
              {kind === 'kept' && <Automatic before={other} after={text} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
