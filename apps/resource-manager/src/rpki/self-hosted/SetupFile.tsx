import { FailureBanner, ServiceFailure, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { rpki } from '@portal/contract/rpki/rpki';
import { longestSetupFile, rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import { Button, ButtonRow, FormColumn } from '@portal/ui';
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
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
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
  const wrong =
    change.error instanceof ServiceFailure ? change.error.errors.find(({ field }) => field === fields[kind])?.message : undefined;
  const choose = async (files: readonly File[]): Promise<void> => {
    connect.reset();
    publish.reset();
    const [first] = files;
    if (!first) return;
    const read = first.size > longestSetupFile ? { refusal: `${first.name} is too large for ${name}.` } : await readTextFiles([first]);
    setFile('text' in read ? { name: first.name, text: read.text } : null);
    setProblem('text' in read ? null : read.refusal);
  };
  const send = () => {
    if (!file) return;
    if (kind === 'child') connect.mutate({ account, body: { childRequest: file.text } });
    else publish.mutate({ account, body: { publisherRequest: file.text } });
  };
  return (
    <FormColumn>
      <FailureBanner failure={wrong === undefined ? change.error : null} />
      <FileField
        label={name}
        help={help}
        accept=".xml,application/xml,text/xml"
        most={1}
        error={problem ?? wrong ?? null}
        files={file ? [{ key: 'file', name: file.name, size: '', state: 'sent', share: 1 }] : []}
        onChoose={files => void choose(files)}
        onRemove={() => setFile(null)}
      />
      <ButtonRow>
        <Button
          variant="commit"
          busy={change.isPending}
          refusal={refusals[kind] ?? (file ? null : { reason: `Choose ${name} first` })}
          refusalIn="note"
          onClick={send}
        >
          {act}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </ButtonRow>
    </FormColumn>
  );
}
