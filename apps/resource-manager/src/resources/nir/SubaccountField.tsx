import { useAccount, useSteadyAnswer } from '@portal/app-kit';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';

/** @property delegations how many it holds, where that is known */
export type ChosenSubaccount = { subaccountId: string; name: string; delegations?: number };

/** The initial list of the field, to be loaded before it is drawn. */
export const firstSubaccounts = (account: string) => ({ account, query: { q: '', status: 'open' as const, limit: 20 } });

/** A field that finds open sub-accounts by name or organisation. */
export function SubaccountField({
  label,
  chosen,
  onChoose,
  id,
  error,
  except,
}: {
  label: string;
  chosen: ChosenSubaccount | null;
  onChoose: (chosen: ChosenSubaccount | null) => void;
  id?: string;
  error?: string | undefined;
  /** One that can't be chosen here. */
  except?: string;
}) {
  const { accountName: account } = useAccount();
  const [text, setText] = useState(chosen?.name ?? '');
  const q = chosen?.name === text ? '' : text.trim().slice(0, 100);
  const { answer } = useSteadyAnswer(nirSubaccounts.listSubaccounts, { account, query: { q, status: 'open', limit: 20 } });
  return (
    <ComboBox
      label={label}
      searched
      mono
      placeholder="Name or organisation"
      value={text}
      items={answer.rows
        .filter(({ subaccountId }) => subaccountId !== except)
        .map(({ subaccountId, name, entity }) => ({ id: subaccountId, text: name, note: entity }))}
      onChange={(value, item) => {
        setText(value);
        const known = answer.rows.find(row => (item ? row.subaccountId === item.id : row.name === value.trim().toUpperCase()));
        onChoose(known ? { subaccountId: known.subaccountId, name: known.name, delegations: known.delegations } : null);
      }}
      {...(id && { id })}
      {...(error && { error })}
    />
  );
}
