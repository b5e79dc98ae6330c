import { ErrorWords, useAccount, useChange, useKit } from '@portal/app-kit';
import { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import { whois } from '@portal/contract/whois/whois';
import { Banner, Button, Field, Row, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Keeps the last users of a maintainer, by the link of the mail that said they are taken off. */
export function KeepUsers({ maintainer, code: given, onClose }: { maintainer: string; code: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [code, setCode] = useState(given);
  const keep = useChange(whoisMaintainerUsers.keepUsers, {
    refresh: [whois.listMaintainers],
    showsErrors: true,
    onDone: ({ kept }) => {
      if (!kept) return;
      notify({ text: `The users of ${maintainer} stay.` });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Keep the users of ${maintainer}?`}>
      <Stack gap={16}>
        <p className="small muted">They were to be taken off. With the code of the mail they stay, and everything is as it was.</p>
        {keep.error && (
          <Banner kind="error" traceId={keep.error.errors[0]?.traceId}>
            <ErrorWords message={keep.error.message} />
          </Banner>
        )}
        {keep.data?.kept === false && (
          <Banner kind="error" title="This is not the code that was mailed.">
            After five wrong ones none counts.
          </Banner>
        )}
        <Field label="Code">
          <TextInput
            mono
            spellCheck={false}
            autoComplete="one-time-code"
            maxLength={40}
            value={code}
            onChange={event => setCode(event.target.value)}
          />
        </Field>
        <Row gap={8} wrap>
          <Button
            variant="primary"
            busy={keep.isPending}
            refusal={code.trim() === '' ? { reason: 'Write the code of the mail' } : null}
            refusalIn="note"
            onClick={() => keep.mutate({ account, maintainer, body: { code } })}
          >
            Keep users
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Row>
      </Stack>
    </Dialog>
  );
}
