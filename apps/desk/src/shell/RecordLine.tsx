import { type AnyEndpoint, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { type BankLine, bankStatements } from '@portal/contract/billing/bank-statements';
import { Checkbox, Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Lines of an invoice number and an amount, apart by a space. */
const partsOf = (text: string): { invoiceNumber: string; amount: string }[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => {
      const [invoiceNumber = '', amount = ''] = line.split(/\s+/);
      return { invoiceNumber: invoiceNumber.toUpperCase(), amount };
    });

/** Records a transfer for the invoices it pays. */
export function RecordLine({
  line,
  parts,
  onClose,
  alsoRefresh = [],
}: {
  line: BankLine;
  parts: string;
  onClose: () => void;
  /** Further reads that the page shows. */
  alsoRefresh?: readonly AnyEndpoint[];
}) {
  const { bankLineId, amount, currency } = line;
  const { notify } = useKit();
  const record = useChange(bankStatements.recordBankLine, {
    refresh: [bankStatements.listBankLines, ...alsoRefresh],
    showsErrors: true,
    onProposed: onClose,
    onDone: ({ payments }) => {
      notify({ text: `Recorded for ${payments.map(({ invoiceNumber }) => invoiceNumber).join(', ')}. Members get their receipts.` });
      onClose();
    },
  });
  // The parts that look like a recorded transfer: confirmed once, for as long as they are not changed.
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const form = useForm(
    bankStatements.recordBankLine.body,
    { parts, isAnother: false, isEarly: false },
    {
      name: 'bank-line',
      ifEmpty: { parts: 'Enter an invoice number and an amount, such as INV-2026-000001 2137.32' },
      change: record,
      toBody: ({ parts: text, isAnother, isEarly }) => ({
        parts: partsOf(text),
        ...(isAnother && { isAnother }),
        ...(isEarly && { isEarly }),
      }),
      send: body => record.mutate({ bankLineId, body }),
    },
  );
  const [earlyFor, setEarlyFor] = useState<string | null>(null);
  if (record.error?.code === 'PAYMENT_EARLY' && earlyFor !== form.values.parts) setEarlyFor(form.values.parts);
  if (record.error?.code === 'PAYMENT_ALIKE' && askedFor !== form.values.parts) setAskedFor(form.values.parts);
  return (
    <Dialog open onClose={onClose} title={`Record ${money(currency, amount)}`}>
      <ActForm form={form} act="Record the payment" onClose={onClose}>
        <Field
          label="Invoices"
          help={`One line for each: its number and amount. Together they are ${money(currency, amount)}. Overpayment becomes account credit.`}
          {...form.field('parts')}
        >
          <TextArea mono rows={3} {...form.input('parts')} />
        </Field>
        {earlyFor !== null && (
          <Checkbox checked={form.values.isEarly} onChange={event => form.set({ isEarly: event.target.checked })}>
            The money came before the invoice was issued.
          </Checkbox>
        )}
        {askedFor !== null && (
          <Checkbox checked={form.values.isAnother} onChange={event => form.set({ isAnother: event.target.checked })}>
            This is another transfer. I compared both with the bank statement.
          </Checkbox>
        )}
      </ActForm>
    </Dialog>
  );
}
