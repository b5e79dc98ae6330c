import { type PlanLine, plannedAt } from '@portal/contract/requests/request-form';
import { formatCount } from '@portal/ui';
import styles from './PlanChart.module.css';

/** A size that a plan is held against: its addresses, and whether it is the one asked for. */
export type PlanLimit = { label: string; amount: number; asked: boolean };

const HEIGHT = 108;

/** The addresses of a plan over time, one column for each point, against the sizes that can be asked for. The table of the plan is below it. */
export function PlanChart({
  plan,
  months,
  limits,
}: {
  plan: readonly PlanLine[];
  months: readonly number[];
  limits: readonly PlanLimit[];
}) {
  const sums = months.map((_, place) => plannedAt(plan, place));
  const most = Math.max(1, ...sums, ...limits.map(({ amount }) => amount));
  const share = (amount: number): string => `${(100 * amount) / most}%`;
  const asked = limits.find(limit => limit.asked);
  const words = months.map((month, place) => `${month === 0 ? 'now' : `in ${month} months`} ${formatCount(sums[place]!)}`).join(', ');
  return (
    <div
      className={styles.chart}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
      role="img"
      aria-label={`Addresses needed: ${words}${asked ? `; a ${asked.label} has ${formatCount(asked.amount)}` : ''}`}
      style={{ height: HEIGHT }}
    >
      <div className={styles.names}>
        {limits.map(({ label, amount, asked: isAsked }) => (
          <span key={label} data-asked={isAsked || undefined} style={{ bottom: share(amount) }}>
            {formatCount(amount)} <b className="mono">{label}</b>
          </span>
        ))}
        <span style={{ bottom: 0 }}>0</span>
      </div>
      <div className={styles.bars}>
        {limits.map(({ label, amount, asked: isAsked }) => (
          <i key={label} className={styles.line} data-asked={isAsked || undefined} style={{ bottom: share(amount) }} />
        ))}
        {months.map((month, place) => (
          <div key={month} className={styles.bar}>
            {sums[place]! > 0 && <span style={{ bottom: share(sums[place]!) }}>{formatCount(sums[place]!)}</span>}
            {plan.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names of their own
              <i key={index} data-line={index % 2} style={{ height: share(line.amounts[place] ?? 0) }} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
