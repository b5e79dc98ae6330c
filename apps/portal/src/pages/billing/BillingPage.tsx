import { optionalPart } from '@portal/app-kit/page/later';
import { isDropped } from '@portal/contract/billing/life';
import { Page, type PageReads, read, reading, useAccount, useDownload, useKit, useRead, useSession } from '@portal/app-kit';
import { invoiceDay, isOpenInvoice, money } from '@portal/app-kit/words/billing-words';
import { type AccountBilling, billing } from '@portal/contract/billing/billing';
import { daysInWords, onDayAfter } from '@portal/contract/billing/billing-calendar';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, DateText, Link, LinkButton, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { AdvanceRenewal, renewalOf } from './AdvanceRenewal.tsx';
import styles from './BillingPage.module.css';
import { ComingAmount, OpenAmount, TermSumsAhead } from './NextAmount.tsx';
import { sumsPerTerm, TermSums } from './TermSums.tsx';
import { HowToPay } from './HowToPay.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { PaidOnline } from './PayOnline.tsx';
import { TermTimeline } from './TermTimeline.tsx';

/** At the end of the page, after what one comes for. */
const BillingDetails = optionalPart(() => import('./BillingDetails.tsx'), 'BillingDetails');
const UnpaidConsequences = optionalPart(() => import('./UnpaidConsequences.tsx'), 'UnpaidConsequences');

const billingOf = (account: string) => read(billing.getBilling, { account });
export const reads: PageReads = ({ account }) => [billingOf(account), renewalOf(account)];

/** The invoices of the account, the unpaid amount, and how to pay. For a suspended account too: payment reopens it. */
export default function BillingPage() {
  const { accountName } = useAccount();
  return (
    <Page title={pages.billing.title} sub={<WhenDue account={accountName} />} actions={<Actions />}>
      <Billing key={accountName} />
    </Page>
  );
}

/** The days to pay, once they are known. */
function WhenDue({ account }: { account: string }) {
  const { call } = useKit();
  const { data } = useQuery(reading(call, billing.getBilling, { account }));
  if (!data) return '\u00a0';
  return `Payment is due within ${daysInWords(data.calendar.dueDays)} of the membership expiry date or on receipt of the invoice.`;
}

/** Everything charged and received, as a file, and the way to the other accounts of the person. */
function Actions() {
  const { accountName: account, asStaff } = useAccount();
  const { accounts } = useSession();
  const save = useDownload(billing.exportStatement);
  const savePdf = useDownload(billing.downloadStatement);
  if (asStaff) return null;
  return (
    <ButtonRow>
      {accounts.length > 1 && <LinkButton href={pages.jointBilling.path}>All accounts</LinkButton>}
      <Button icon="download" onClick={() => void savePdf({ account, query: {} })}>
        Statement (PDF)
      </Button>
      <Button icon="download" onClick={() => void save({ account, query: { format: 'csv' } })}>
        Statement (CSV)
      </Button>
    </ButtonRow>
  );
}

function Billing() {
  const { accountName: account, features } = useAccount();
  const answer = useRead(billingOf(account));
  const hasQuotes = features.includes('renewalquote');
  const terms = sumsPerTerm(answer.invoices);
  const open = answer.invoices.filter(isOpenInvoice);
  return (
    <Stack gap={16}>
      {answer.accountStatus === 'suspended' && (
        <Banner kind="warning" title={`${account} is suspended.`}>
          The renewal is unpaid. The account reopens automatically when the full amount arrives.
        </Banner>
      )}
      {answer.feesMissing !== null && (
        <Banner kind="info" title="The fees aren’t announced yet.">
          The registry has announced no fees for terms that begin on{' '}
          <DateText value={answer.feesMissing} shape="date" format={invoiceDay} />. The invoice is issued once it has, with the usual time
          to pay.
        </Banner>
      )}
      <PaidOnline />
      {open.length > 0 ? <OpenAmount answer={answer} open={open} /> : hasQuotes && <ComingAmount answer={answer} />}
      <TermEnd answer={answer} isEstimated={open.length === 0 && hasQuotes} />
      <div className={styles.pictures}>
        <TermTimeline answer={answer} wide={terms.length < 2} />
        {terms.length > 1 && (hasQuotes ? <TermSumsAhead invoices={answer.invoices} /> : <TermSums terms={terms} next={null} />)}
      </div>
      {hasQuotes && <AdvanceRenewal invoiceDays={answer.calendar.invoiceDays} />}
      <Bills account={account} answer={answer} payable={open} />
      <div className={styles.halves}>
        <BillingDetails details={answer.details} />
        <UnpaidConsequences answer={answer} />
      </div>
    </Stack>
  );
}

/** @param isEstimated the page begins with the renewal fee */
function TermEnd({ answer, isEstimated }: { answer: AccountBilling; isEstimated: boolean }) {
  const { today, invoices, expiryDate, renews, credit, currency, refunds, calendar } = answer;
  if (expiryDate === null && credit === '0.00' && refunds.length === 0) return null;
  // The next term begins when its invoice is paid.
  const renewal = invoices.find(
    ({ kind, periodFrom, state }) => kind === 'renewal' && expiryDate !== null && periodFrom > expiryDate && !isDropped(state),
  );
  return (
    <p className={styles.standing}>
      {expiryDate !== null && (
        <>
          The membership term {expiryDate < today ? 'ended' : 'ends'} on <DateText value={expiryDate} shape="date" format={invoiceDay} />
          {renewal
            ? `; it renews for one year when ${renewal.number} is paid.`
            : renews
              ? `; the renewal invoice is issued ${onDayAfter(calendar.invoiceDays)}.`
              : '.'}{' '}
        </>
      )}
      {expiryDate !== null && !renewal && renews && !isEstimated && (
        <>
          <Link href={pages.annualFeeCalculator.path}>Estimate the renewal fee</Link>.{' '}
        </>
      )}
      {credit !== '0.00' && `The account has a credit of ${money(currency, credit)}, used for the next invoice. `}
      {refunds.map(refund => (
        <Fragment key={refund.reference}>
          {money(refund.currency, refund.amount)} of credit was paid back on{' '}
          <DateText value={refund.refundedOn} shape="date" format={invoiceDay} />, reference <bdi>{refund.reference}</bdi>.{' '}
        </Fragment>
      ))}
    </p>
  );
}

type OfBills = { account: string; answer: AccountBilling; payable: AccountBilling['invoices'] };

/** How to pay what can be paid, and all invoices. */
function Bills({ account, answer, payable }: OfBills) {
  return (
    <>
      {payable.length > 0 && <HowToPay answer={answer} open={payable} />}
      <Sheet title="Invoices" meta={answer.invoices.length > 0 && <span>{answer.invoices.length}</span>} flush>
        <InvoiceList
          account={account}
          rows={answer.invoices}
          renews={answer.renews}
          invoiceDays={answer.calendar.invoiceDays}
          eInvoices={answer.eInvoices}
        />
      </Sheet>
    </>
  );
}

/** The bills of a closed account, for its own page, which loads them from here: no other page carries what both show. `children` come first. */
export function BillsOfClosed({ children, ...bills }: OfBills & { children: ReactNode }) {
  return (
    <Stack gap={16}>
      <PaidOnline />
      {children}
      <Bills {...bills} />
    </Stack>
  );
}
