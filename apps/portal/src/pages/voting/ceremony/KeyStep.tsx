import { FailureBanner, useSession } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Banner, Button, ButtonRow, Checkbox, CopyButton, Mono, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { ByTool } from './ByTool.tsx';
import type { NewKey } from './ceremony-tasks.ts';
import { FileText } from './FileText.tsx';
import type { TrusteeView } from './TrusteeView.ts';
import { useMessage } from './use-message.ts';
import { useProgram } from './use-program.ts';

/** The name of the file that a trustee keeps, as `belenios-tool` ends it. */
const keyFileName = ({ uuid, threshold }: TrusteeView): string => `trustee-${uuid}.${threshold === null ? 'privkey' : 'key'}`;

/** The first step: the trustee makes a key, keeps its file, and sends the public part. */
export function KeyStep({ electionId, view }: { electionId: string; view: TrusteeView }) {
  const { person } = useSession();
  const { run, busy, problem } = useProgram();
  const [made, setMade] = useState<NewKey | null>(null);
  const [kept, setKept] = useState(false);
  const step = view.threshold === null ? 'key' : 'certificate';
  const { change, send } = useMessage(electionId, step);
  const make = async () => {
    setKept(false);
    const key = await run(program => program('makeKey', { threshold: view.threshold, name: person.fullName }));
    if (!key) return;
    setMade(key);
    saveTextFile(keyFileName(view), key.secret);
  };
  return (
    <Sheet title="Make your key">
      <Stack gap={16}>
        <p>
          The key is made on this device. Its file stays with you, and only its public part is sent. Without the file you can’t help to
          count, and no one can make it again.
        </p>
        {problem && <Banner kind="error">{problem}</Banner>}
        <FailureBanner failure={change.error} />
        {made === null ? (
          <ButtonRow>
            <Button variant="primary" icon="key" busy={busy} onClick={() => void make()}>
              Make my key
            </Button>
          </ButtonRow>
        ) : (
          <Stack gap={12}>
            <p>
              Your browser saved <Mono>{keyFileName(view)}</Mono>. Copy it to two places that only you can open, or write it down:
            </p>
            <p>
              <Mono nowrap={false}>{made.secret}</Mono> <CopyButton text={made.secret} label="Copy the key" />
            </p>
            <Checkbox checked={kept} onChange={event => setKept(event.target.checked)}>
              I have kept the key file
            </Checkbox>
            <ButtonRow>
              <Button
                variant="commit"
                busy={change.isPending}
                refusal={kept ? null : { reason: 'Keep the key file first' }}
                onClick={() => send(made.message)}
              >
                Send the public part
              </Button>
              <Button icon="download" onClick={() => saveTextFile(keyFileName(view), made.secret)}>
                Save the file again
              </Button>
            </ButtonRow>
          </Stack>
        )}
        <ByTool step={step} view={view} busy={change.isPending} onSend={send} />
      </Stack>
    </Sheet>
  );
}

const nextWords = {
  polynomial: {
    title: 'Second message',
    text: 'All trustees have sent their first message. The second divides your part of the key between all of you, so that a key that is lost later does no harm.',
    act: 'Make and send the second message',
  },
  share: {
    title: 'Share',
    text: 'The page checks what the other trustees sent for you, and makes your share of the key. It is sealed for you: the registry stores it, and only your key file opens it.',
    act: 'Check, make and send my share',
  },
} as const;

/** The second and the third step: a message that takes the file of the trustee. */
export function NextMessageStep({ electionId, view, step }: { electionId: string; view: TrusteeView; step: keyof typeof nextWords }) {
  const { run, busy, problem } = useProgram();
  const [secret, setSecret] = useState<string | null>(null);
  const { change, send } = useMessage(electionId, step);
  const { certificates, threshold, input } = view;
  const make = async () => {
    const message = await run(program =>
      step === 'polynomial'
        ? program('makePolynomial', { secret: secret!, certificates: certificates!, threshold: threshold! })
        : program('makeShare', { secret: secret!, certificates: certificates!, input: input! }),
    );
    if (message !== null) send(message);
  };
  const { title, text, act } = nextWords[step];
  return (
    <Sheet title={title}>
      <Stack gap={16}>
        <p>{text}</p>
        <FailureBanner failure={change.error} />
        <FileText label="Your key file" help="It is read on this device, and not sent." accept=".key" error={problem} onRead={setSecret} />
        <ButtonRow>
          <Button
            variant="commit"
            busy={busy || change.isPending}
            refusal={secret === null ? { reason: 'Choose your key file first' } : null}
            onClick={() => void make()}
          >
            {act}
          </Button>
        </ButtonRow>
        <ByTool step={step} view={view} busy={change.isPending} onSend={send} />
      </Stack>
    </Sheet>
  );
}
