import type { TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import { Button, ButtonRow, CopyButton, Disclosure, Stack } from '@portal/ui';
import { useState } from 'react';
import { FileText } from './FileText.tsx';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import type { TrusteeView } from './TrusteeView.ts';
import styles from './ByTool.module.css';

/** The command of `belenios-tool` for a step, and the file that it takes besides the key. */
function commandOf(step: TrusteeStep, { threshold, number }: Pick<TrusteeView, 'threshold' | 'number'>): string {
  const together = 'belenios-tool setup generate-trustee-key-threshold --group BELENIOS-2048';
  return {
    key: 'belenios-tool setup generate-trustee-key --group BELENIOS-2048',
    certificate: `${together} --step 1`,
    polynomial: `${together} --step 3 --certs certs.jsons --key KEY.key --threshold ${threshold ?? ''} > message.json`,
    share: `${together} --step 5 --certs certs.jsons --key KEY.key < input.json > message.json`,
    decryption:
      threshold === null
        ? `belenios-tool election decrypt --privkey KEY.privkey --trustee-id ${number} | head -1 > message.json`
        : `belenios-tool election decrypt-threshold --key KEY.key --decryption-key share.dkey --trustee-id ${number} | head -1 > message.json`,
  }[step];
}

/** The same step with `belenios-tool`, offline: its command, the files that it takes, and the message that it makes. */
export function ByTool({
  step,
  view,
  busy,
  onSend,
}: {
  step: TrusteeStep;
  view: TrusteeView;
  busy: boolean;
  onSend: (message: string) => void;
}) {
  const [message, setMessage] = useState<string | null>(null);
  const command = commandOf(step, view);
  const { certificates, input, share } = view;
  const files = [
    ...(certificates && step !== 'certificate' ? [{ name: 'certs.jsons', text: `${certificates.join('\n')}\n` }] : []),
    ...(input !== null && step === 'share' ? [{ name: 'input.json', text: `${input}\n` }] : []),
    ...(share !== null && step === 'decryption'
      ? [{ name: 'share.dkey', text: (JSON.parse(share) as { private_key: string }).private_key }]
      : []),
  ];
  return (
    <Disclosure summary="Use belenios-tool instead">
      <Stack gap={12}>
        <p className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </p>
        {files.length > 0 && (
          <ButtonRow>
            {files.map(({ name, text }) => (
              <Button key={name} size="s" icon="download" onClick={() => saveTextFile(name, text)}>
                {name}
              </Button>
            ))}
          </ButtonRow>
        )}
        <FileText
          label="The public file that it made"
          help={step === 'certificate' ? 'It ends with .cert' : step === 'key' ? 'It ends with .pubkey' : 'message.json'}
          accept=".cert,.pubkey,.json,.jsons,.partial"
          onRead={setMessage}
        />
        <ButtonRow>
          <Button busy={busy} refusal={message === null ? { reason: 'Choose the file first' } : null} onClick={() => onSend(message!)}>
            Send the file
          </Button>
        </ButtonRow>
      </Stack>
    </Disclosure>
  );
}
