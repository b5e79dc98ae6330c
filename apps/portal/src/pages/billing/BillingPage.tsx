import { Page, useAccount, useAnswer, useDownload, useOptionalAnswer } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type AccountBilling, billing } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { type FeatureFlags, shell } from '@portal/contract/shell/shell';
import { Banner, Button, DateText, Link, Sheet, Stack } from '@portal/ui';
import { AdvanceRenewal } from './AdvanceRenewal.tsx';
import { BillingDetails } from './BillingDetails.tsx';
import styles from './BillingPage.module.css';
import { ChargedPerYear, chargedPerYear } from './ChargedPerYear.tsx';
import { IfUnpaid } from './IfUnpaid.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { TermTimeline } from './TermTimeline.tsx';

/** The invoices of the account, what is left to pay, and how. Of a suspended account too: paying opens it again. */
export default function BillingPage() {
  const { accountName } = useAccount();
  return (
    <Page
      title={pages.billing.title}
      sub="Payment is due within 30 days of the membership expiry date or on receipt of the invoice."
      actions={<Statement />}
    >
      <Billing key={accountName} />
    </Page>
  );
}

/** Returns whether the answer says if there are quotes; where it does not, there are none. */
const saysRenewals = (flags: Partial<FeatureFlags>): boolean => typeof flags.renewalquote === 'boolean';

/** Everything charged and received, as a file. */
function Statement() {
  const { accountName: account, asStaff } = useAccount();
  const save = useDownload(billing.exportStatement);
  if (asStaff) return null;
  return (
    <Button icon="download" onClick={() => void save({ account, query: { format: 'csv' } })}>
      Statement (CSV)
    </Button>
  );
}

function Billing() {
  const { accountName: account } = useAccount();
  const answer = useAnswer(billing.getBilling, { account });
  const flags = useOptionalAnswer(shell.getFeatureFlags, {}, saysRenewals);
  const years = chargedPerYear(answer.invoices);
  const open = answer.invoices.filter(({ state }) => state !== 'paid' && state !== 'cancelled');
  return (
    <Stack gap={16}>
      {answer.accountStatus === 'suspended' && (
        <Banner kind="warning" title={`${account} is suspended.`}>
          The renewal is unpaid. The account reopens automatically when the full amount arrives.
        </Banner>
      )}
      <Standing answer={answer} />
      <div className={styles.pictures}>
        <TermTimeline answer={answer} wide={years.length < 2} />
        {years.length > 1 && <ChargedPerYear years={years} />}
      </div>
      {flags?.renewalquote && <AdvanceRenewal />}
      {open.length > 0 && <HowToPay answer={answer} open={open} />}
      <Sheet title="Invoices" meta={answer.invoices.length > 0 && <span>{answer.invoices.length}</span>} flush>
        <InvoiceList account={account} rows={answer.invoices} renews={answer.renews} />
      </Sheet>
      <div className={styles.halves}>
        {answer.details && <BillingDetails details={answer.details} />}
        <IfUnpaid answer={answer} />
      </div>
    </Stack>
  );
}

function Standing({ answer: { today, invoices, expiryDate, renews, credit, currency } }: { answer: AccountBilling }) {
  if (expiryDate === null && credit === '0.00') return null;
  // The next term begins when its invoice is paid.
  const renewal = invoices.find(({ periodFrom, state }) => expiryDate !== null && periodFrom > expiryDate && state !== 'cancelled');
  return (
    <p className={styles.standing}>
      {expiryDate !== null && (
        <>
          The membership term {expiryDate < today ? 'ended' : 'ends'} on <DateText value={expiryDate} shape="date" format={invoiceDay} />
          {renewal
            ? `; it renews for one year when ${renewal.number} is paid.`
            : renews
              ? '; the renewal invoice is issued the day after.'
              : '.'}{' '}
        </>
      )}
      {expiryDate !== null && !renewal && renews && (
        <>
          <Link href={pages.annualFeeCalculator.path}>Estimate the renewal fee</Link>.{' '}
        </>
      )}
      {credit !== '0.00' && `The account has a credit of ${money(currency, credit)}, used for the next invoice.`}
    </p>
  );
}

function HowToPay({ answer, open }: { answer: AccountBilling; open: AccountBilling['invoices'] }) {
  const { accountName } = useAccount();
  return (
    <Sheet title="How to pay">
      <div className={styles.instructions}>
        {answer.paymentInstructions.map(words => (
          <p key={words}>{words}</p>
        ))}
        {open.map(({ number, balance, currency, dueOn }) => (
          <p key={number}>
            <b>
              {money(currency, balance)} for {number}
            </b>
            , due on <DateText value={dueOn} shape="date" format={invoiceDay} />. Reference:{' '}
            <b className={styles.reference}>
              {number} {accountName}
            </b>
          </p>
        ))}
        <p className="quiet small">The full amount must arrive. The payer covers bank charges and withheld taxes.</p>
      </div>
    </Sheet>
  );
}
