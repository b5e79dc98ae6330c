import { money } from '@portal/app-kit/words/billing-words';
import { type BankLine, bankStatements } from '@portal/contract/billing/bank-statements';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

/** Undoes the match of a transfer: its payments are reversed, and it waits again. */
export function UndoMatch({ line: { bankLineId, amount, currency, payments }, onClose }: { line: BankLine; onClose: () => void }) {
  const numbers = payments.map(({ invoiceNumber }) => invoiceNumber);
  return (
    <ReasonDialog
      endpoint={bankStatements.undoBankLine}
      params={{ bankLineId }}
      body={bankStatements.undoBankLine.body}
      name="undo-match"
      title={`Undo the match of ${money(currency, amount)}`}
      act="Undo the match"
      ifEmpty="Say why. The accounts read it."
      done="The transfer waits to be matched again. The accounts get an e-mail."
      refresh={[bankStatements.listBankLines]}
      onClose={onClose}
    >
      <p className="small">
        {numbers.join(', ')} {numbers.length === 1 ? 'becomes' : 'become'} due again in 14 days, and no account is suspended or closed for{' '}
        {numbers.length === 1 ? 'it' : 'them'} before then. The payments stay in the books, with reversals dated today.
      </p>
    </ReasonDialog>
  );
}
