import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { whoisReclaims } from '@portal/contract/whois/reclaims';
import type { WhoisObject, WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Button, Field, Row, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { changedReads } from '../editor/changed-reads.ts';
import { ProblemList } from '../editor/ProblemList.tsx';
import { hrefOfObject } from './object-address.ts';

/** Confirms that the holder of numbers takes over someone else's object about them, or deletes it. */
export function ReclaimObject({ stored, onClose }: { stored: WhoisObject; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<WhoisOutcome | null>(null);
  const refusal = useRefusal(whoisReclaims.reclaimObject);
  const reclaim = useChange(whoisReclaims.reclaimObject, {
    refresh: changedReads,
    onDone({ outcome }) {
      if (outcome.state !== 'ok') return setRefused(outcome);
      notify({
        text: `${outcome.class} ${spacedKey(outcome.shown)} is ${outcome.done === 'delete' ? 'deleted' : 'yours'}. Its maintainers are notified.`,
      });
      address.go(hrefOfObject(outcome.class, outcome.shown, outcome.done === 'delete' ? { view: 'history' } : {}));
    },
  });
  const { class: name, key, shown, version } = stored;
  const send = (act: 'take-over' | 'delete') => reclaim.mutate({ account, body: { class: name, key, act, version, reason } });
  return (
    <Dialog open onClose={onClose} title={`Reclaim ${name} ${spacedKey(shown)}?`} role="alertdialog">
      <Stack gap={16}>
        <p>
          {account} holds its numbers, and someone else maintains it. Take it over to maintain it with your own maintainer and contacts, or
          delete it. Those who maintain it now are notified.
        </p>
        <Field label="Reason" optional help="Sent to those who maintain it now.">
          <TextInput value={reason} maxLength={500} onChange={event => setReason(event.target.value)} />
        </Field>
        {refused && (
          <div role="alert">
            <ProblemList findings={refused.problems} label="Problems" />
          </div>
        )}
        <Row gap={8} wrap>
          <Button variant="commit" busy={reclaim.isPending} refusal={refusal} onClick={() => send('take-over')}>
            Take over
          </Button>
          <Button variant="danger" busy={reclaim.isPending} refusal={refusal} onClick={() => send('delete')}>
            Delete object
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
