import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whoisReclaims } from '@portal/contract/whois/reclaims';
import type { WhoisObject, WhoisOutcome } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Button, Field, Row, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { changedReads } from '../text/changed-reads.ts';
import { ProblemList } from '../text/ProblemList.tsx';
import { hrefOfObject } from '../text/object-address.ts';

/** Confirms that the holder of numbers takes over someone else's object about them, or deletes it. */
export function ReclaimObject({ stored, onClose }: { stored: WhoisObject; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [refused, setRefused] = useState<WhoisOutcome | null>(null);
  const refusal = useRefusal(whoisReclaims.reclaimObject);
  const reclaim = useChange(whoisReclaims.reclaimObject, {
    refresh: changedReads,
    showsErrors: true,
    onDone({ outcome }) {
      if (outcome.state !== 'ok') return setRefused(outcome);
      notify({
        text: `${outcome.class} ${spacedKey(outcome.shown)} is ${outcome.done === 'delete' ? 'deleted' : 'yours'}. Its maintainers are notified.`,
      });
      address.go(hrefOfObject(outcome.class, outcome.shown, outcome.done === 'delete' ? { view: 'history' } : {}));
    },
  });
  const { class: name, key, shown, version } = stored;
  const bodyOf = (act: 'take-over' | 'delete', reason: string) => ({ class: name, key, act, version, reason });
  const form = useForm(
    whoisReclaims.reclaimObject.body,
    { reason: '' },
    {
      name: 'reclaim',
      toBody: ({ reason }) => bodyOf('take-over', reason),
      change: reclaim,
      send: body => reclaim.mutate({ account, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Reclaim ${name} ${spacedKey(shown)}?`} role="alertdialog">
      <Form form={form} onClose={onClose}>
        <p>
          {account} holds its numbers, and someone else maintains it. Take it over to maintain it with your own maintainer and contacts, or
          delete it. Those who maintain it now are notified.
        </p>
        <Field label="Reason" optional help="Sent to those who maintain it now." {...form.field('reason')}>
          <TextInput {...form.input('reason')} />
        </Field>
        {refused && (
          <div role="alert">
            <ProblemList findings={refused.problems} label="Problems" />
          </div>
        )}
        <Row gap={8} wrap>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            Take over
          </Button>
          <Button
            variant="danger"
            busy={form.busy}
            refusal={refusal}
            onClick={() => reclaim.mutate({ account, body: bodyOf('delete', form.values.reason.trim()) })}
          >
            Delete object
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </Row>
      </Form>
    </Dialog>
  );
}
