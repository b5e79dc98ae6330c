import { useAccount } from '@portal/app-kit';
import { invoiceDay, invoiceMark, isOpenInvoice, money } from '@portal/app-kit/words/billing-words';
import { type Invoice, isOfTerm } from '@portal/contract/billing/billing';
import { Button, ButtonRow, DateText, KeyValueList, SideDialog, Stack, StateMark } from '@portal/ui';
import { type ReactNode, useId } from 'react';
import styles from './InvoiceDrawer.module.css';
import { SaveEInvoice } from './SaveEInvoice.tsx';
import { InvoiceDocuments } from './InvoiceDocuments.tsx';
import { SendDocument } from './SendDocument.tsx';
import { SendRemittance } from './SendRemittance.tsx';

/** One invoice in full, over the page from the right: its lines, its sums and its days. */
export function InvoiceDrawer({
  invoice,
  pdf,
  hasEInvoice,
  onClose,
}: {
  invoice: Invoice;
  pdf: ReactNode;
  /** It and its credit notes are also there as UBL. */
  hasEInvoice: boolean;
  onClose: () => void;
}) {
  const id = useId();
  const { asStaff } = useAccount();
  const { number, orgName, issuedOn, dueOn, paidOn, extendedUntil, periodFrom, periodTo, poNumber } = invoice;
  const mark = invoiceMark(invoice);
  const day = (value: string) => <DateText value={value} shape="date" format={invoiceDay} />;
  return (
    <SideDialog side="right" open onClose={onClose} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{number}</h2>
        <Button variant="quiet" size="s" icon="close" aria-label="Close" onClick={onClose} />
      </header>
      <div className={styles.body}>
        <Stack gap={16}>
          <div className={styles.state}>
            <StateMark state={mark.state}>{mark.words}</StateMark>
            <ButtonRow>
              {pdf}
              {hasEInvoice && !asStaff && <SaveEInvoice number={number} words="E-invoice (XML)" />}
            </ButtonRow>
          </div>
          <KeyValueList
            items={[
              { key: 'Bill to', value: orgName },
              ...(!isOfTerm(invoice)
                ? []
                : [
                    {
                      key: 'Term',
                      value: (
                        <>
                          {day(periodFrom)} to {day(periodTo)}
                        </>
                      ),
                    },
                  ]),
              { key: 'Issued', value: day(issuedOn) },
              { key: 'Due', value: day(dueOn) },
              ...(extendedUntil ? [{ key: 'Extended until', value: day(extendedUntil) }] : []),
              ...(paidOn ? [{ key: 'Paid on', value: day(paidOn) }] : []),
              ...(poNumber ? [{ key: 'PO number', value: poNumber }] : []),
            ]}
          />
          <Lines invoice={invoice} />
          <InvoiceDocuments invoice={invoice} hasEInvoice={hasEInvoice} />
          {!asStaff && (
            <div className={styles.acts}>
              <SendDocument invoice={invoice} />
              {isOpenInvoice(invoice) && <SendRemittance number={number} />}
            </div>
          )}
        </Stack>
      </div>
    </SideDialog>
  );
}

/** The lines and sums of an invoice. */
function Lines({ invoice }: { invoice: Invoice }) {
  const { currency, lines } = invoice;
  const sums = [
    ['Subtotal', invoice.subtotal],
    ['Tax', invoice.tax],
    ['Total', invoice.total],
    ['Paid', invoice.paid],
    ...(invoice.credited === '0.00' ? [] : [['Credited', invoice.credited] as const]),
    ['To pay', invoice.balance],
  ] as const;
  return (
    <table className={styles.lines}>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">{currency}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.description}>
            <td>
              {line.description}
              {line.quantity !== 1 && (
                <span className="quiet small">
                  {' '}
                  {line.quantity} × {money('', line.unitPrice).trim()}
                </span>
              )}
            </td>
            <td className="num">{money('', line.amount).trim()}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([label, amount]) => (
          <tr key={label} data-strong={label === 'To pay' || label === 'Total' || undefined}>
            <th scope="row">{label}</th>
            <td className="num">{money('', amount).trim()}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}
