/* oxlint-disable jsx-a11y/prefer-tag-over-role -- drawings with numbers in words: no element of HTML is one */
import { useDownload } from '@portal/app-kit';
import { policy, type PolicyChange, type PolicyDesk, type PolicyEffect, type PolicyMet } from '@portal/contract/policy/policy';
import { policyRow, policyValueWords } from '@portal/contract/policy/policy-values';
import { Banner, Button, DateText, EmptyState, formatCount, Link, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import styles from './Policy.module.css';
import { shareWords } from './policy-words.ts';

type Props = { effect: PolicyEffect; desk: PolicyDesk; change: PolicyChange };

/** The effect of a change on what is there now, value by value, an estimate from what is there now. */
export function ChangeEffect({ effect, desk, change }: Props) {
  const save = useDownload(policy.exportPolicyEffect);
  const rows = effect.met.reduce((sum, { rows: listed }) => sum + listed.length, 0);
  return (
    <>
      {effect.moved.length > 0 && (
        <Banner kind="warning" title="Other values were in force when this change was prepared.">
          {effect.moved
            .map(({ name, now }) => `“${policyRow(name).title}” is ${policyValueWords(name, now, desk.currency)} before its day.`)
            .join(' ')}{' '}
          Discard it and prepare it again.
        </Banner>
      )}
      {effect.met.map((met, place) => (
        <Met
          key={met.name}
          met={met}
          effect={effect}
          change={change}
          desk={desk}
          onSave={place === 0 && rows > 0 ? () => void save({ changeId: effect.changeId, query: { format: 'csv' } }) : null}
        />
      ))}
    </>
  );
}

type MetProps = { met: PolicyMet; effect: PolicyEffect; change: PolicyChange; desk: PolicyDesk; onSave: (() => void) | null };

function Met({ met, effect, change, desk, onSave }: MetProps) {
  const { name, sentence, of, all, rows } = met;
  const { before, after } = change.values.find(each => each.name === name)!;
  const stay = all - met.met;
  const share = shareWords(before, after);
  const facts = [
    { number: formatCount(met.met), words: `${met.met === 1 ? `${of} is` : `${plural(of)} are`} affected` },
    { number: formatCount(stay), words: `${stay === 1 ? `${of} stays` : `${plural(of)} stay`} as ${stay === 1 ? 'it is' : 'they are'}` },
    ...(share === null
      ? []
      : [{ number: share, words: `${policyValueWords(name, before, desk.currency)} to ${policyValueWords(name, after, desk.currency)}` }]),
    { number: formatCount(all), words: `${all === 1 ? of : plural(of)} looked at` },
  ];
  return (
    <Sheet
      flush
      title={`Impact of “${policyRow(name).title}”`}
      meta={
        <span>
          Estimated <DateText value={effect.at} />
        </span>
      }
      actions={
        onSave && (
          <Button size="s" icon="download" onClick={onSave}>
            CSV of all
          </Button>
        )
      }
    >
      <div className={styles.met}>
        <p>{sentence}</p>
        <Share all={all} met={met.met} words={`${formatCount(met.met)} of ${formatCount(all)}`} />
      </div>
      <dl className={styles.facts}>
        {facts.map(({ number, words }) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      {rows.length === 0 ? (
        <EmptyState title={met.unseen > 0 ? 'Counted only' : `No ${of} is affected now`} picture={false}>
          {met.unseen > 0 ? 'Your permissions don’t show them one by one.' : 'It takes effect for what comes from that day on.'}
        </EmptyState>
      ) : (
        <>
          <Rows met={met} />
          {met.unseen > 0 && <p className={styles.unseen}>{formatCount(met.unseen)} more that your permissions don’t show.</p>}
        </>
      )}
    </Sheet>
  );
}

const plural = (of: string): string => (of.endsWith('y') ? `${of.slice(0, -1)}ies` : `${of}s`);

/** How many of all are affected, as a bar: what is affected is hatched in the colour of what is proposed. */
function Share({ all, met, words }: { all: number; met: number; words: string }) {
  if (all === 0) return null;
  return (
    <svg className={styles.share} viewBox="0 0 680 18" preserveAspectRatio="none" role="img" aria-label={words}>
      <rect x="0.5" y="0.5" width="679" height="17" data-all />
      {met > 0 && <rect x="0.5" y="0.5" width={Math.max(3, (met / all) * 679)} height="17" data-met />}
    </svg>
  );
}

/** The rows that a change is different for, with the difference drawn. */
function Rows({ met: { rows, of, name } }: { met: PolicyMet }) {
  const numbers = rows.flatMap(row => row.numbers ?? []);
  const most = Math.max(0, ...numbers);
  const hasNumbers = rows.some(({ numbers: two }) => two !== null && two[0] !== two[1]);
  const columns: Column<PolicyMet['rows'][number]>[] = [
    {
      id: 'what',
      label: of.charAt(0).toUpperCase() + of.slice(1),
      fixed: true,
      card: 'key',
      wrap: true,
      text: ({ what }) => what,
      cell: ({ what, detail, link }) => (
        <span className={styles.what}>
          {link ? <Link href={link}>{what}</Link> : what}
          <small>{detail}</small>
        </span>
      ),
    },
    { id: 'before', label: 'Until then', fixed: true, align: 'end', cell: ({ before }) => before },
    {
      id: 'after',
      label: 'From that day',
      fixed: true,
      align: 'end',
      cell: ({ before, after }) => (
        <span className={before === after ? 'quiet' : styles.newWords}>{before === after ? 'same' : after}</span>
      ),
    },
    ...(hasNumbers
      ? [
          {
            id: 'change',
            label: 'Change',
            fixed: true,
            card: 'none' as const,
            cell: ({ numbers: two, before, after }: PolicyMet['rows'][number]) =>
              two && <Dumbbell two={two} most={most} words={`From ${before} to ${after}`} />,
          },
        ]
      : []),
  ];
  return (
    <DataTable
      caption={`Affected by “${policyRow(name).title}”`}
      columns={columns}
      rows={rows}
      rowId={({ what, detail }) => `${what} ${detail}`}
      state={emptyTableState}
    />
  );
}

function Dumbbell({ two: [before, after], most, words }: { two: readonly [number, number]; most: number; words: string }) {
  const x = (value: number): number => 8 + (most === 0 ? 0 : (Math.max(0, value) / most) * 164);
  return (
    <svg className={styles.dumbbell} width="180" height="20" viewBox="0 0 180 20" role="img" aria-label={words}>
      <path d={`M${x(before)} 2V18`} data-edge />
      <path d={`M${x(before)} 10H${x(after)}`} data-change />
      <circle cx={x(before)} cy="10" r="3.5" />
      <circle cx={x(after)} cy="10" r="4" data-change />
    </svg>
  );
}
