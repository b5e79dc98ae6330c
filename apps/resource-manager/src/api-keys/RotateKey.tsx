import { useAccount, useChange } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type ApiKey, apiKeys } from '@portal/contract/api-keys/api-keys';
import { Button, ButtonRow, Field, Select, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
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
  const rotate = useChange(apiKeys.rotateApiKey, { showsErrors: true, refresh: [apiKeys.listApiKeys] });
  const form = useForm(
    apiKeys.rotateApiKey.body,
    { overlapHours: '24' },
    {
      name: 'rotation',
      toBody: ({ overlapHours }) => ({ overlapHours: Number(overlapHours) }),
      change: rotate,
      send: body => rotate.mutate({ account, apiKeyId: apiKey.apiKeyId, body }),
    },
  );
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
        <ActForm form={form} act="Rotate key" onClose={onClose}>
          <p>The key gets a new secret. Label, scopes and expiry stay as they are.</p>
          <Field
            label="Keep the old secret working for"
            help="Long enough to give your programs the new one."
            {...form.field('overlapHours')}
          >
            <Select {...form.input('overlapHours')}>
              {overlaps.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
        </ActForm>
      )}
    </Dialog>
  );
}
