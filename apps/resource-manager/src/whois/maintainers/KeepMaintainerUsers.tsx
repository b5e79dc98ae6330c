import { useAccount, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import { whois } from '@portal/contract/whois/whois';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { CodeAct, CodeProblem } from './MailedCode.tsx';

/** Keeps the last users of a maintainer, through the link in the mail that announced their removal. */
export function KeepMaintainerUsers({ maintainer, code: given, onClose }: { maintainer: string; code: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const keep = useChange(whoisMaintainerUsers.keepMaintainerUsers, {
    refresh: [whois.listMaintainers],
    showsErrors: true,
    onDone: ({ kept }) => {
      if (!kept) return;
      notify({ text: `The users of ${maintainer} stay.` });
      onClose();
    },
  });
  const form = useForm(
    whoisMaintainerUsers.keepMaintainerUsers.body,
    { code: given },
    {
      name: 'keep-users',
      ifEmpty: { code: 'Enter the code from the e-mail' },
      change: keep,
      send: body => keep.mutate({ account, maintainer, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Keep users of ${maintainer}?`}>
      <Form form={form} onClose={onClose}>
        <p className="small muted">They’re due to be removed. Enter the code from the e-mail to keep them.</p>
        <CodeProblem wrong={keep.data?.kept === false} meaning="After five wrong codes, it stops working." />
        <CodeAct field={form.field('code')} input={form.input('code')} act="Keep users" busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
