import { useAccount, useDownload } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import type { Invoice } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { Button, DateText } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './InvoiceDrawer.module.css';
import { SaveEInvoice } from './SaveEInvoice.tsx';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

/** Payments of an invoice and amounts taken off it, each with its receipt or credit note as a PDF. */
export function InvoiceDocuments({
  invoice: { currency, payments, creditNotes },
  hasEInvoice,
}: {
  invoice: Invoice;
  hasEInvoice: boolean;
}) {
  const { accountName: account, asStaff } = useAccount();
  const saveReceipt = useDownload(corrections.downloadReceipt);
  const saveNote = useDownload(corrections.downloadCreditNote);
  if (payments.length === 0 && creditNotes.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>Payments and credit notes</h3>
      <ul className={styles.documents}>
        {payments.map(({ receipt, method, amount, receivedOn, reference }) => (
          <Line
            key={receipt}
            name={`receipt ${receipt}`}
            save={asStaff ? null : () => void saveReceipt({ account, receiptNumber: receipt })}
          >
            <b>{money(currency, amount)}</b>{' '}
            {method === 'credit' ? 'from account credit' : method === 'card' ? 'online' : 'by bank transfer'}, <Day value={receivedOn} />
            {method !== 'credit' && (
              <span className="quiet small">
                Reference <bdi>{reference}</bdi>
              </span>
            )}
          </Line>
        ))}
        {creditNotes.map(({ number, total, issuedOn, reason }) => (
          <Line
            key={number}
            name={`credit note ${number}`}
            save={asStaff ? null : () => void saveNote({ account, creditNoteNumber: number })}
            more={hasEInvoice && !asStaff && <SaveEInvoice number={number} words="XML" />}
          >
            <b>{money(currency, total)}</b> credited with {number}, <Day value={issuedOn} />
            <span className="quiet small">
              <bdi>{reason}</bdi>
            </span>
          </Line>
        ))}
      </ul>
    </section>
  );
}

function Line({ name, save, more, children }: { name: string; save: (() => void) | null; more?: ReactNode; children: ReactNode }) {
  return (
    <li>
      <span className={styles.document}>{children}</span>
      {save && (
        <Button size="s" icon="download" aria-label={`PDF of ${name}`} onClick={save}>
          PDF
        </Button>
      )}
      {more}
    </li>
  );
}
