import { formatCount } from '@portal/ui';
import { type BillingStep, billingSteps } from '@portal/contract/billing/billing';
import { type MembershipPlan, planDays } from '@portal/contract/billing/memberships';
import { daysBetween } from '@portal/contract/days';
import styles from './Memberships.module.css';

/** Days that one column stands for. */
const WEEK = 7;
const weeks = Math.ceil((planDays + 1) / WEEK);

/** The number of accounts that take each step in each week: the deeper the colour, the more. */
export function ClockPicture({ plan: { today, counts, holidays } }: { plan: MembershipPlan }) {
  const steps = (Object.keys(billingSteps) as BillingStep[]).filter(each => counts.some(({ step }) => step === each));
  if (steps.length === 0) return <p className="quiet">No term ends in this time.</p>;
  const of = (step: BillingStep, week: number): number =>
    counts
      .filter(count => count.step === step && Math.floor(daysBetween(today, count.day) / WEEK) === week)
      .reduce((sum, { accounts }) => sum + accounts, 0);
  const named = new Map<number, string[]>();
  for (const { day, name } of holidays) {
    const week = Math.floor(daysBetween(today, day) / WEEK);
    if (week < weeks) named.set(week, [...(named.get(week) ?? []), name]);
  }
  const most = Math.max(...steps.flatMap(step => Array.from({ length: weeks }, (_, week) => of(step, week))));
  return (
    <div className={styles.scroll}>
      <table className={styles.picture}>
        <thead>
          <tr>
            <th scope="col">Accounts each week</th>
            {Array.from({ length: weeks }, (_, week) => (
              <th key={week} scope="col">
                <span className={week % 2 === 1 ? 'vh' : undefined}>{weekWords(today, week)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {named.size > 0 && (
            <tr>
              <th scope="row">Holidays</th>
              {Array.from({ length: weeks }, (_, week) => (
                <td key={week} className={styles.holiday} title={named.get(week)?.join(', ')}>
                  {named.has(week) && (
                    <>
                      <span aria-hidden="true">{named.get(week)!.length}</span>
                      <span className="vh">{named.get(week)!.join(', ')}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          )}
          {steps.map(step => (
            <tr key={step} data-harm={step === 'suspension' || step === 'closing' || undefined}>
              <th scope="row">{billingSteps[step]}</th>
              {Array.from({ length: weeks }, (_, week) => {
                const count = of(step, week);
                return (
                  <td key={week} style={count > 0 ? { ['--deep' as string]: `${Math.round(18 + (count / most) * 52)}%` } : undefined}>
                    {count > 0 ? formatCount(count) : ''}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function weekWords(today: string, week: number): string {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + week * WEEK);
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(date).replace('Sept', 'Sep');
}
