import { FailureBanner, useAccount, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whois } from '@portal/contract/whois/whois';
import { Button, DateText, Field, Row, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { CodeAct, CodeProblem } from './MailedCode.tsx';

const refresh = [whois.listMaintainers, whois.listObjects, whois.complete, whois.listIrts];

/** Links an existing maintainer: a code is mailed to its upd-to addresses, and entered here, typed or through the link in the mail. */
export function LinkMaintainer({ given, onClose }: { given: { maintainer: string; code: string }; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
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
  const form = useForm(
    whois.linkMaintainer.body,
    { maintainer: given.maintainer, code: given.code },
    {
      name: 'link',
      check: ({ code }) => ({ ...(code.trim() === '' && { code: 'Enter the code from the e-mail' }) }),
      ifEmpty: { maintainer: 'Enter the maintainer, such as MAINT-AU-EXAMPLE' },
      change: link,
      send: body => link.mutate({ account, body }),
    },
  );
  const name = form.values.maintainer.trim().toUpperCase();
  return (
    <Dialog open onClose={onClose} title="Link a maintainer">
      <Form form={form} onClose={onClose}>
        <p className="small muted">
          We e-mail a code to its upd-to addresses, valid for one day. Enter it here, or open the link in the e-mail while signed in.
        </p>
        <FailureBanner failure={ask.error} />
        <CodeProblem wrong={link.data?.linked === false} meaning="After five wrong codes, request a new one." />
        <Field label="Maintainer" {...form.field('maintainer')}>
          <TextInput mono spellCheck={false} {...form.input('maintainer')} />
        </Field>
        <Row gap={8} wrap>
          <Button
            icon="mail"
            busy={ask.isPending}
            refusal={name === '' ? { reason: 'Enter the maintainer, such as MAINT-AU-EXAMPLE' } : null}
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
        <CodeAct field={form.field('code')} input={form.input('code')} act="Link maintainer" busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
