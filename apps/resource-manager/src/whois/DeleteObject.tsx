import { useAccount, useAddress, useChange, useKit } from '@portal/app-kit';
import { whois, type WhoisObject, type WhoisOutcome } from '@portal/contract/whois';
import { Button, Field, Row, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/Dialog';
import { Suspense, useState } from 'react';
import { changedReads } from './ObjectEditor.tsx';
import { hrefOfObject } from './object-address.ts';
import { ProblemList } from './ProblemList.tsx';
import { ReferenceList } from './ReferenceList.tsx';

/** Asks before an object is deleted: what refers to it, and why it goes. */
export function DeleteObject({ stored, onClose }: { stored: WhoisObject; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<WhoisOutcome | null>(null);
  const remove = useChange(whois.submitUpdates, {
    refresh: changedReads,
    onDone: ({ outcomes }) => {
      const [outcome] = outcomes;
      if (outcome?.state !== 'ok') return setRefused(outcome ?? null);
      notify({ text: `${outcome.class} ${outcome.shown} is deleted.` });
      address.go(hrefOfObject(outcome.class, outcome.shown, { view: 'history', saved: String(outcome.afterVersion) }));
    },
  });
  const { class: name, key, shown, text, version, references } = stored;
  const update = { operation: 'delete' as const, text, reason, expectedVersion: version, of: { class: name, key } };
  return (
    <Dialog open onClose={onClose} title={`Delete ${name} ${shown}?`} role="alertdialog">
      <Stack gap={16}>
        {references > 0 ? (
          <Suspense fallback={null}>
            <Referring stored={stored} />
          </Suspense>
        ) : (
          <>
            <p>It is gone from whois, IRR and RDAP at once. Its versions stay in the history, from which it can be made again.</p>
            {name.startsWith('route') && name !== 'route-set' && (
              <p className="small muted">A ROA for this prefix stays as it is: it is no part of the route object.</p>
            )}
            <Field label="Reason" optional help="Whoever follows the object reads it.">
              <TextInput value={reason} maxLength={500} onChange={event => setReason(event.target.value)} />
            </Field>
          </>
        )}
        {refused && (
          <div role="alert">
            <ProblemList findings={refused.problems} label="What stands against it" />
          </div>
        )}
        <Row gap={8} wrap>
          <Button
            variant="danger"
            busy={remove.isPending}
            refusal={references > 0 ? { reason: `${references === 1 ? 'One object refers' : `${references} objects refer`} to it` } : null}
            refusalIn="note"
            onClick={() => remove.mutate({ account, body: { updates: [update] } })}
          >
            Delete object
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </Row>
      </Stack>
    </Dialog>
  );
}

function Referring({ stored: { class: name, key, shown, references } }: { stored: WhoisObject }) {
  return (
    <>
      <p>
        {references === 1 ? 'One object refers' : `${references} objects refer`} to {shown}. Change {references === 1 ? 'it' : 'these'}{' '}
        first:
      </p>
      <ReferenceList objectClass={name} objectKey={key} />
    </>
  );
}
