import { FailureBanner } from '@portal/app-kit';
import { Banner, Button, ButtonRow, Checkbox, formatCount, KeyValueList, Mono, ProgressBar, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { ByTool } from './ByTool.tsx';
import { FileText } from './FileText.tsx';
import type { TrusteeView } from './TrusteeView.ts';
import { useMessage } from './use-message.ts';
import { loadArchive, useProgram } from './use-program.ts';

type Decryption = { message: string; ballots: number; lastHash: string };
/** Ballots whose proofs a browser verifies in about a minute. */
const fewBallots = 100;
const ballotsAMinute = 100;

/** The last step: the archive is verified here, its ballots are added up, and the sums are decrypted with the file of the trustee. */
export function DecryptionStep({ electionId, view }: { electionId: string; view: TrusteeView }) {
  const { uuid, number, certificates, share, ballots } = view;
  const { run, busy, done, problem } = useProgram();
  const [secret, setSecret] = useState<string | null>(null);
  const [withProofs, setWithProofs] = useState(ballots <= fewBallots);
  const [made, setMade] = useState<Decryption | null>(null);
  const { change, send } = useMessage(electionId, 'decryption');
  const decrypt = async () => {
    setMade(
      await run(async (program, onProgress) => {
        const archive = await loadArchive(electionId);
        return program('decrypt', { secret: secret!, archive, uuid, number, certificates, share, withProofs }, onProgress);
      }),
    );
  };
  const minutes = Math.max(1, Math.ceil(ballots / ballotsAMinute));
  return (
    <Sheet title="Decrypt the sums">
      <Stack gap={16}>
        <p>
          The page downloads the archive, checks it from beginning to end, adds the {formatCount(ballots)}{' '}
          {ballots === 1 ? 'ballot' : 'ballots'} up, and decrypts only that. The registry hands over no sums.
        </p>
        <FailureBanner failure={change.error} />
        <FileText
          label="Your key file"
          help="It is read on this device, and not sent."
          accept=".key,.privkey"
          error={problem}
          onRead={setSecret}
        />
        <Checkbox
          checked={withProofs}
          onChange={event => setWithProofs(event.target.checked)}
          help={`About ${minutes === 1 ? 'a minute' : `${minutes} minutes`} here. “belenios-tool election verify” does it faster.`}
        >
          Verify the proofs of every ballot as well
        </Checkbox>
        {busy && (
          <ProgressBar
            label="Verifying"
            done={done?.done ?? 0}
            {...(ballots > 0 && { total: ballots, words: `${formatCount(done?.done ?? 0)} of ${formatCount(ballots)} ballots` })}
          />
        )}
        {made === null ? (
          <ButtonRow>
            <Button
              variant="primary"
              busy={busy}
              refusal={secret === null ? { reason: 'Choose your key file first' } : null}
              onClick={() => void decrypt()}
            >
              Verify and decrypt
            </Button>
          </ButtonRow>
        ) : (
          <>
            <Banner kind="success" title="The archive holds.">
              The decryption is made, and not sent yet.
            </Banner>
            <KeyValueList
              align="left"
              items={[
                { key: 'Ballots', value: formatCount(made.ballots) },
                { key: 'Last hash', value: <Mono nowrap={false}>{made.lastHash}</Mono> },
              ]}
            />
            <ButtonRow>
              <Button variant="commit" busy={change.isPending} onClick={() => send(made.message)}>
                Send the decryption
              </Button>
            </ButtonRow>
          </>
        )}
        <ByTool step="decryption" view={view} busy={change.isPending} onSend={send} />
      </Stack>
    </Sheet>
  );
}
