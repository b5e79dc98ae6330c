import { useAccount } from '@portal/app-kit';
import { invoiceDay, isOpenInvoice } from '@portal/app-kit/words/billing-words';
import type { AccountBilling, BillingStep } from '@portal/contract/billing/billing';
import { monthsInWords } from '@portal/contract/days';
import { DateText, Link, Sheet } from '@portal/ui';
import styles from './UnpaidConsequences.module.css';

/** Describes what a suspension does to ROAs. @param days until they are withdrawn; null: they stay */
function withdrawalWords(days: number | null): string {
  if (days === null) return 'Requests, transfers and votes stop.';
  if (days === 0) return 'Requests, transfers and votes stop, and its ROAs are no longer published until the invoice is paid.';
  return `Requests, transfers and votes stop. After ${days === 1 ? 'a day' : `${days} days`} its ROAs are no longer published until the invoice is paid.`;
}

/** Describes what each step means for the member, without steps that don't affect it. */
const effectsOf = ({ rpkiSuspensionDays }: AccountBilling): Partial<Record<BillingStep, string>> => ({
  suspension: `The account is suspended, and every contact gets a reminder. ${withdrawalWords(rpkiSuspensionDays)} Whois objects${rpkiSuspensionDays === null ? ', reverse DNS and RPKI' : ' and reverse DNS'} stay as they are.`,
  'second-reminder': 'Every contact gets a second reminder.',
  'closing-warning': 'Every contact is warned that the account closes.',
});

/** Consequences of an unpaid renewal with their days. */
export function UnpaidConsequences({ answer }: { answer: AccountBilling }) {
  const { ahead, lost, invoices, reactivationMonths } = answer;
  const { accountName, asStaff } = useAccount();
  const effects = effectsOf(answer);
  const steps = ahead.filter(({ step }) => step === 'closing' || effects[step] !== undefined);
  if (steps.length === 0) return null;
  const unpaid = invoices.find(isOpenInvoice);
  const suspension = steps.find(({ step }) => step === 'suspension');
  return (
    <Sheet title="If the renewal isn’t paid">
      <ol className={styles.steps}>
        {unpaid && suspension && unpaid.dueOn < suspension.day && (
          <li>
            <DateText value={unpaid.dueOn} shape="day" format={invoiceDay} />
            <span>{unpaid.number} is due. Afterwards the account can’t vote in elections until it’s paid.</span>
          </li>
        )}
        {steps.map(({ step, day }) => (
          <li key={step}>
            <DateText value={day} shape="date" format={invoiceDay} />
            <span>
              {effects[step] ?? (
                <>
                  <b>{accountName} closes.</b>{' '}
                  {lost.length === 0 ? 'Its membership ends.' : `Its membership ends, and it loses ${listOf(lost)}.`}
                  {reactivationMonths > 0 && ` It can be reactivated within ${monthsInWords(reactivationMonths)} for a fee.`}
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {!asStaff && unpaid && (
        <p className={styles.more}>
          <Link href={`/contact/billing/rt-tickets?${new URLSearchParams({ new: '1', about: unpaid.number })}`}>Ask for more time</Link>
        </p>
      )}
    </Sheet>
  );
}

const listOf = (parts: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
