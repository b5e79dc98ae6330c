import { Page, useAnswer } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { billingSteps } from '@portal/contract/billing/billing';
import { holdReasons, type MembershipPlan, memberships, planDays } from '@portal/contract/billing/memberships';
import { Banner, Button, DateText, EmptyState, formatCount, Link, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import { ClockPicture } from './ClockPicture.tsx';
import { Holidays } from './Holidays.tsx';
import styles from './Memberships.module.css';
import { ReleaseHold } from './ReleaseHold.tsx';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="day" format={invoiceDay} />;

/** /desk/memberships: what the clock of memberships does in the coming days, and suspensions and closures that wait for staff. */
export default function MembershipsPage() {
  const plan = useAnswer(memberships.getPlan, {});
  return (
    <Page title="Memberships" sub={`What happens in the coming ${planDays} days if nothing more is paid.`}>
      <Stack gap={16}>
        {plan.hold && <Held plan={plan} hold={plan.hold} />}
        <Sheet title={`Coming ${planDays} days`}>
          <ClockPicture plan={plan} />
        </Sheet>
        <Endings plan={plan} />
        <Holidays plan={plan} />
      </Stack>
    </Page>
  );
}

function Held({ plan, hold }: { plan: MembershipPlan; hold: NonNullable<MembershipPlan['hold']> }) {
  const [releasing, setReleasing] = useState(false);
  return (
    <Banner kind="warning" title="Suspensions and closures wait.">
      <p className={styles.held}>
        {holdReasons[hold.reason]}
        {hold.lastRun && (
          <>
            ; it last ran on <Day value={hold.lastRun} />
          </>
        )}
        . They have waited since <Day value={hold.since} />. Reminders and invoices go on. Read the list before you release them.
      </p>
      <Button onClick={() => setReleasing(true)}>Release</Button>
      {releasing && <ReleaseHold plan={plan} holdId={hold.holdId} onClose={() => setReleasing(false)} />}
    </Banner>
  );
}

function Endings({ plan: { endings, endingCount } }: { plan: MembershipPlan }) {
  return (
    <Sheet title="Suspensions and closures" meta={endingCount > 0 && <span>{formatCount(endingCount)}</span>} flush={endingCount > 0}>
      {endingCount === 0 ? (
        <EmptyState title={`No membership ends in the coming ${planDays} days`} picture={false} />
      ) : (
        <table className={styles.endings}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Account</th>
              <th scope="col">Effect</th>
              <th scope="col" className="num">
                Unpaid
              </th>
            </tr>
          </thead>
          <tbody>
            {endings.map(({ accountName, orgName, step, day, invoice, held, waitsFor }) => (
              <tr key={`${accountName} ${step} ${day}`}>
                <td>
                  <Day value={day} />
                </td>
                <td>
                  <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
                  <span className="quiet small"> {orgName}</span>
                </td>
                <td>
                  <StateMark state={held || waitsFor ? 'pending' : step === 'closing' ? 'invalid' : 'warning'}>
                    {step === 'closing' ? billingSteps.closing : 'Account suspended'}
                    {held
                      ? ', waits'
                      : waitsFor === null
                        ? ''
                        : waitsFor.what === 'transfer'
                          ? ', waits for a transfer'
                          : ', waits for a card payment'}
                  </StateMark>
                  {waitsFor !== null && (
                    <span className="quiet small">
                      {' '}
                      until <Day value={waitsFor.until} /> at the latest
                    </span>
                  )}
                </td>
                <td className="num">
                  {invoice ? money(invoice.currency, invoice.balance) : <span className="quiet">Not yet issued</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {endingCount > endings.length && (
        <p className={styles.rest}>
          The first {endings.length} of {formatCount(endingCount)}.
        </p>
      )}
    </Sheet>
  );
}
