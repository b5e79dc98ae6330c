import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { rpki } from '@portal/contract/rpki/rpki';
import { longestSetupFile, rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import { Button, ButtonRow } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';
import { readTextFiles } from '../../shell/text-file.ts';

const kinds = {
  child: { name: 'child_request.xml', act: 'Connect', help: 'Your certificate authority makes it: in Krill under Parents, Add parent.' },
  publisher: {
    name: 'publisher_request.xml',
    act: 'Let it publish here',
    help: 'Your certificate authority makes it: in Krill under Repository.',
  },
} as const;

/** The call's field with the file: its problems are shown where it was chosen. */
const fields = { child: 'childRequest', publisher: 'publisherRequest' } as const;

/** Takes one of the set-up files with which a certificate authority introduces itself (RFC 8183). */
export function SetupFile({ kind, onClose }: { kind: keyof typeof kinds; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { name, act, help } = kinds[kind];
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const done = (text: string) => ({
    showsErrors: true as const,
    refresh: [rpkiSelfHosted.getSelfHosted, rpki.listHistory],
    onProposed: onClose,
    onDone: () => {
      notify({ text });
      onClose();
    },
  });
  const connect = useChange(rpkiSelfHosted.connect, done('Your certificate authority is connected. Give it parent_response.xml now.'));
  const publish = useChange(
    rpkiSelfHosted.publishHere,
    done('Your certificate authority may publish here. Give it repository_response.xml now.'),
  );
  const refusals = { child: useRefusal(rpkiSelfHosted.connect), publisher: useRefusal(rpkiSelfHosted.publishHere) };
  const change = kind === 'child' ? connect : publish;
  const form = useForm(
    kind === 'child' ? rpkiSelfHosted.connect.body : rpkiSelfHosted.publishHere.body,
    { file: '' },
    {
      name: `setup-${kind}`,
      toBody: ({ file: text }) => ({ [fields[kind]]: text }),
      fieldAt: place => (place === fields[kind] ? 'file' : place),
      check: ({ file: text }) => ({ file: problem ?? (text === '' ? `Choose ${name} first` : undefined) }),
      change,
      send: (_, { file: text }) =>
        kind === 'child'
          ? connect.mutate({ account, body: { childRequest: text } })
          : publish.mutate({ account, body: { publisherRequest: text } }),
    },
  );
  const { id, error } = form.field('file');
  const choose = async (files: readonly File[]): Promise<void> => {
    connect.reset();
    publish.reset();
    const [first] = files;
    if (!first) return;
    const read = first.size > longestSetupFile ? { refusal: `${first.name} is too large for ${name}.` } : await readTextFiles([first]);
    setChosen('text' in read ? first.name : null);
    form.set({ file: 'text' in read ? read.text : '' });
    setProblem('text' in read ? null : read.refusal);
  };
  return (
    <Form form={form} label="Set-up file">
      <FileField
        id={id}
        label={name}
        help={help}
        accept=".xml,application/xml,text/xml"
        most={1}
        error={problem ?? error ?? null}
        files={chosen === null ? [] : [{ key: 'file', name: chosen, size: '', state: 'sent', share: 1 }]}
        onChoose={files => void choose(files)}
        onRemove={() => {
          setChosen(null);
          form.set({ file: '' });
        }}
      />
      <ButtonRow>
        <Button type="submit" variant="commit" busy={form.busy} refusal={refusals[kind]} refusalIn="note">
          {act}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </ButtonRow>
    </Form>
  );
}
