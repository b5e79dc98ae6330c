import { type AnyEndpoint, useChange } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { type BankLine, bankStatements } from '@portal/contract/billing/bank-statements';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Sets a transfer aside that pays no invoice. */
export function SetAside({
  line,
  onClose,
  alsoRefresh = [],
}: {
  line: BankLine;
  onClose: () => void;
  /** Further reads that the page shows. */
  alsoRefresh?: readonly AnyEndpoint[];
}) {
  const { bankLineId, amount, currency, recordedFor } = line;
  const act = useChange(bankStatements.setAsideBankLine, {
    refresh: [bankStatements.listBankLines, ...alsoRefresh],
    showsErrors: true,
    onDone: onClose,
  });
  const form = useForm(
    bankStatements.setAsideBankLine.body,
    { reason: recordedFor === null ? '' : `Recorded by hand for ${recordedFor}` },
    {
      name: 'set-aside',
      ifEmpty: { reason: 'Enter a reason, such as: sent back to the bank' },
      change: act,
      send: body => act.mutate({ bankLineId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Set ${money(currency, amount)} aside`}>
      <ActForm form={form} act="Set aside" onClose={onClose}>
        <p className="small">No payment is recorded. You can match it after all later.</p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
