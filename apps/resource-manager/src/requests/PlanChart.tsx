import { fullInMonth, type PlanLine, plannedAt } from '@portal/contract/requests/request-form';
import { formatCount } from '@portal/ui';
import styles from './PlanChart.module.css';

/** A size that a plan is held against: its addresses, and whether it is the one asked for. */
export type PlanLimit = { label: string; amount: number; asked: boolean };
type Plan = { plan: readonly PlanLine[]; months: readonly number[]; limits: readonly PlanLimit[] };

const HEIGHT = 108;
const nameOf = (month: number): string => (month === 0 ? 'Now' : `${month} months`);

/** The addresses of a plan over time, one column for each point, against the sizes that can be asked for. The table of the plan is below it. */
export function PlanChart({ plan, months, limits }: Plan) {
  const sums = months.map((_, place) => plannedAt(plan, place));
  const most = Math.max(1, ...sums, ...limits.map(({ amount }) => amount));
  const share = (amount: number): string => `${(100 * amount) / most}%`;
  const asked = limits.find(limit => limit.asked);
  const words = months.map((month, place) => `${month === 0 ? 'now' : `in ${month} months`} ${formatCount(sums[place]!)}`).join(', ');
  return (
    <div>
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
      <div className={styles.times} aria-hidden="true">
        {months.map(month => (
          <span key={month}>{nameOf(month)}</span>
        ))}
      </div>
      <p className={styles.fit}>{fitWords({ plan, months, limits })}</p>
    </div>
  );
}

/** "You reach 236 addresses in 12 months: a /24 has room for 20 more." Or when a size is full. */
function fitWords({ plan, months, limits }: Plan): string {
  const sums = months.map((_, place) => plannedAt(plan, place));
  const most = Math.max(...sums);
  if (most === 0) return 'Enter the addresses you need at each time to see which size fits.';
  const month = months[sums.indexOf(most)]!;
  const amount = `${formatCount(most)} ${most === 1 ? 'address' : 'addresses'}`;
  const needed = month === 0 ? `You need ${amount} now` : `You reach ${amount} in ${month} months`;
  const limit = limits.find(({ asked }) => asked) ?? limits.toSorted((a, b) => a.amount - b.amount).find(each => each.amount >= most);
  if (!limit) return `${needed}, more than any size offered here.`;
  if (limit.amount > most) return `${needed}: a ${limit.label} has room for ${formatCount(limit.amount - most)} more.`;
  const fullMonth = fullInMonth(plan, months, limit.amount);
  const full =
    fullMonth === null
      ? sums[0]! > limit.amount
        ? 'is too small already now'
        : 'is full from the start'
      : `is full in about month ${fullMonth}`;
  return `${needed}: a ${limit.label} ${full}.`;
}
