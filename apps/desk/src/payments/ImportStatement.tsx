import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { bankStatements, largestStatement } from '@portal/contract/billing/bank-statements';
import { fileSize } from '@portal/contract/file-kinds';
import { Field, Select } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';

/** Returns the text of a file: UTF-16 where it says so, UTF-8 where it is that, and Western European otherwise. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Asked where the amounts of a file have two meanings. */
const signs = [
  { value: '', label: 'Choose' },
  { value: '.', label: 'A point: 8.50 is eight and a half' },
  { value: ',', label: 'A comma: 8,50 is eight and a half' },
];

const lines = (count: number): string => (count === 1 ? '1 transfer' : `${count.toLocaleString('en')} transfers`);

/** Imports a bank statement from a file. */
export function ImportStatement({ onClose }: { onClose: () => void }) {
  const { notify } = useKit();
  const send = useChange(bankStatements.importBankStatement, {
    refresh: [bankStatements.listBankLines],
    showsErrors: true,
    onDone: ({ added, known, leftOut }) => {
      notify({
        text: `${added === 0 ? 'No new transfers' : `${lines(added)} imported`}.${known > 0 ? ` ${lines(known)} were known already.` : ''}${leftOut > 0 ? ` ${leftOut.toLocaleString('en')} lines left out: money out, reversed or not booked yet.` : ''}`,
      });
      onClose();
    },
  });
  const [size, setSize] = useState(0);
  const form = useForm(
    bankStatements.importBankStatement.body,
    { content: '', fileName: '', decimal: '' },
    {
      name: 'statement',
      ifEmpty: { content: 'Choose a file' },
      check: () => (size > largestStatement ? { content: 'The file is larger than 10 MB. Export a shorter period' } : {}),
      change: send,
      toBody: ({ content, fileName: name, decimal }) => ({
        content,
        fileName: name,
        ...(decimal !== '' && { decimal: decimal as '.' | ',' }),
      }),
      send: body => send.mutate({ body }),
    },
  );
  const { fileName, decimal } = form.values;
  const isUnclear = decimal !== '' || form.field('decimal').error !== undefined;
  const choose = async (file: File): Promise<void> => {
    setSize(file.size);
    const content = file.size > largestStatement ? ' ' : await textOf(file);
    form.set({ content, fileName: file.name, decimal: '' });
  };
  const { error, id } = form.field('content') as { error?: string; id?: string };
  return (
    <Dialog open onClose={onClose} title="Import a bank statement">
      <ActForm form={form} act="Import" onClose={onClose}>
        <FileField
          {...(id !== undefined && { id })}
          label="Statement"
          help={`CAMT.053 (XML) or CSV with a head line, at most ${fileSize(largestStatement)}. Only incoming transfers are read, each once.`}
          error={error}
          accept=".xml,.csv,.txt,text/csv,text/xml,application/xml"
          most={1}
          files={fileName === '' ? [] : [{ key: fileName, name: fileName, size: fileSize(size), state: 'sent', share: 1 }]}
          onChoose={([file]) => void (file && choose(file))}
          onRemove={() => form.set({ content: '', fileName: '', decimal: '' })}
        />
        {isUnclear && (
          <Field label="Sign before the cents" {...form.field('decimal')}>
            <Select options={signs} {...form.input('decimal')} />
          </Field>
        )}
      </ActForm>
    </Dialog>
  );
}
