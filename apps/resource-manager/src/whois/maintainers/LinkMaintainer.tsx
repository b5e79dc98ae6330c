import { useAccount, useChange, useKit } from '@portal/app-kit';
import { whois } from '@portal/contract/whois/whois';
import { Button, DateText, Field, Row, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { CodeAct, CodeProblem } from './MailedCode.tsx';

const refresh = [whois.listMaintainers, whois.listObjects, whois.complete, whois.listIrts];

/** Links an existing maintainer: a code is mailed to its upd-to addresses, and entered here, typed or through the link in the mail. */
export function LinkMaintainer({ given, onClose }: { given: { maintainer: string; code: string }; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [maintainer, setMaintainer] = useState(given.maintainer);
  const [code, setCode] = useState(given.code);
  const ask = useChange(whois.askToLinkMaintainer, { showsErrors: true });
  const link = useChange(whois.linkMaintainer, {
    refresh,
    showsErrors: true,
    onDone: ({ linked }, { body }) => {
      if (!linked) return;
      notify({ text: `${body.maintainer} is linked to ${account}.` });
      onClose();
    },
  });
  const name = maintainer.trim().toUpperCase();
  const noName = name === '' ? { reason: 'Enter the maintainer, such as MAINT-AU-EXAMPLE' } : null;
  return (
    <Dialog open onClose={onClose} title="Link a maintainer">
      <Stack gap={16}>
        <p className="small muted">
          We e-mail a code to its upd-to addresses, valid for one day. Enter it here, or open the link in the e-mail while signed in.
        </p>
        <CodeProblem
          failure={link.error ?? ask.error}
          wrong={link.data?.linked === false}
          meaning="After five wrong codes, request a new one."
        />
        <Field label="Maintainer">
          <TextInput
            mono
            spellCheck={false}
            autoComplete="off"
            maxLength={80}
            value={maintainer}
            onChange={event => setMaintainer(event.target.value)}
          />
        </Field>
        <Row gap={8} wrap>
          <Button
            icon="mail"
            busy={ask.isPending}
            refusal={noName}
            refusalIn="note"
            onClick={() => ask.mutate({ account, body: { maintainer: name } })}
          >
            Send code
          </Button>
          {ask.data && (
            <output className="small">
              Sent to {ask.data.sentTo === 1 ? 'one address' : `${ask.data.sentTo} addresses`}. Valid until{' '}
              <DateText value={ask.data.dueAt} />.
            </output>
          )}
        </Row>
        <CodeAct
          code={code}
          onType={setCode}
          act="Link maintainer"
          busy={link.isPending}
          refusal={noName}
          onAct={() => link.mutate({ account, body: { maintainer: name, code } })}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  );
}
