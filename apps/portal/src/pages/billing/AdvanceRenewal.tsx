import { read, useAccount, useChange, useDownload, useKit, useRead, useRefusal } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { billing } from '@portal/contract/billing/billing';
import { daysAfterThat } from '@portal/contract/billing/billing-calendar';
import { type RenewalQuote, renewals } from '@portal/contract/billing/renewals';
import { Button, ButtonRow, DateText, Sheet, StateMark } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './AdvanceRenewal.module.css';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

export const renewalOf = (account: string) => read(renewals.getRenewal, { account });

/** Quotes for the coming renewal, and its invoice in advance. Shown from the day on which they are available. */
export function AdvanceRenewal({ invoiceDays }: { invoiceDays: number }) {
  const { accountName: account, asStaff } = useAccount();
  const { notify } = useKit();
  const [confirming, setConfirming] = useState(false);
  const answer = useRead(renewalOf(account));
  const refusals = { quote: useRefusal(renewals.askForQuote), invoice: useRefusal(renewals.askForInvoice) };
  const ask = useChange(renewals.askForQuote, {
    refresh: [renewals.getRenewal],
    onDone: ({ quotes }) => notify({ text: `${quotes[0]!.number} is ready.` }),
  });
  const { open, quotes, invoiceAskedOn, termEnd } = answer;
  if (termEnd === null || (!open && quotes.length === 0 && invoiceAskedOn === null)) return null;
  return (
    <Sheet
      title="Before the renewal"
      actions={
        open &&
        !asStaff && (
          <>
            <Button size="s" busy={ask.isPending} refusal={refusals.quote} refusalIn="note" onClick={() => ask.mutate({ account })}>
              Get a quote
            </Button>
            <Button size="s" refusal={refusals.invoice} refusalIn="note" onClick={() => setConfirming(true)}>
              Ask for the invoice now
            </Button>
          </>
        )
      }
    >
      {invoiceAskedOn !== null ? (
        <p className={styles.words}>
          The invoice was asked for on <Day value={invoiceAskedOn} />. It comes within the hour, and by e-mail.
        </p>
      ) : (
        <p className={styles.words}>
          A quote for your purchasing department counts what the account holds today. The invoice comes {daysAfterThat(invoiceDays)} the
          term ends, or now if you ask for it.
        </p>
      )}
      {quotes.length > 0 && (
        <ul className={styles.quotes} aria-label="Renewal quotes">
          {quotes.map(quote => (
            <Quote key={quote.number} quote={quote} />
          ))}
        </ul>
      )}
      {confirming && <AskForInvoice termEnd={termEnd} onClose={() => setConfirming(false)} />}
    </Sheet>
  );
}

function Quote({ quote: { number, issuedOn, validUntil, currency, total, outdated } }: { quote: RenewalQuote }) {
  const { accountName: account, asStaff } = useAccount();
  const save = useDownload(renewals.downloadQuote);
  return (
    <li>
      <span>
        <b>{number}</b> {money(currency, total)}{' '}
        <span className="quiet small">
          of <Day value={issuedOn} />, valid until <Day value={validUntil} />
        </span>
      </span>
      {outdated && <StateMark state="warning">Holdings have changed</StateMark>}
      {!asStaff && (
        <Button size="s" icon="download" aria-label={`Download ${number}`} onClick={() => void save({ account, quoteNumber: number })}>
          PDF
        </Button>
      )}
    </li>
  );
}

function AskForInvoice({ termEnd, onClose }: { termEnd: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const ask = useChange(renewals.askForInvoice, {
    refresh: [renewals.getRenewal, billing.getBilling],
    onDone: () => {
      notify({ text: 'The invoice comes within the hour.' });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Ask for the renewal invoice now?">
      <p>
        It counts what the account holds today. What is returned before <Day value={termEnd} /> no longer lowers it. When it is due stays
        the same. This can’t be undone.
      </p>
      <ButtonRow>
        <Button variant="commit" busy={ask.isPending} onClick={() => ask.mutate({ account })}>
          Ask for the invoice
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </ButtonRow>
    </Dialog>
  );
}
