import { FailureBanner, useAccount, useChange } from '@portal/app-kit';
import { type ApiKey, apiKeys } from '@portal/contract/api-keys/api-keys';
import { Button, ButtonRow, Field, Select, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { NewSecret } from './NewSecret.tsx';

const overlaps = [
  ['0', 'Not at all: it stops immediately'],
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '7 days'],
] as const;

/** Gives a key a new secret, and shows it. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const [hours, setHours] = useState('24');
  const rotate = useChange(apiKeys.rotateApiKey, { showsErrors: true, refresh: [apiKeys.listApiKeys] });
  return (
    <Dialog open onClose={onClose} title={rotate.data ? `New secret of ${apiKey.label}` : `Rotate ${apiKey.label}`}>
      {rotate.data ? (
        <Stack gap={16}>
          <NewSecret {...rotate.data} />
          <ButtonRow>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </ButtonRow>
        </Stack>
      ) : (
        <Stack gap={16}>
          <FailureBanner failure={rotate.error} />
          <p>The key gets a new secret. Label, scopes and expiry stay as they are.</p>
          <Field label="Keep the old secret working for" help="Long enough to give your programs the new one.">
            <Select value={hours} onChange={event => setHours(event.target.value)}>
              {overlaps.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <ButtonRow>
            <Button
              variant="commit"
              busy={rotate.isPending}
              onClick={() => rotate.mutate({ account, apiKeyId: apiKey.apiKeyId, body: { overlapHours: Number(hours) } })}
            >
              Rotate key
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Stack>
      )}
    </Dialog>
  );
}
