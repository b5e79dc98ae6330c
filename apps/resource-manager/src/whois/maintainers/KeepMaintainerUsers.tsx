import { useAccount, useChange, useKit } from '@portal/app-kit';
import { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import { whois } from '@portal/contract/whois/whois';
import { Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { CodeAct, CodeProblem } from './MailedCode.tsx';

/** Keeps the last users of a maintainer, through the link in the mail that announced their removal. */
export function KeepMaintainerUsers({ maintainer, code: given, onClose }: { maintainer: string; code: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [code, setCode] = useState(given);
  const keep = useChange(whoisMaintainerUsers.keepMaintainerUsers, {
    refresh: [whois.listMaintainers],
    showsErrors: true,
    onDone: ({ kept }) => {
      if (!kept) return;
      notify({ text: `The users of ${maintainer} stay.` });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Keep users of ${maintainer}?`}>
      <Stack gap={16}>
        <p className="small muted">They’re due to be removed. Enter the code from the e-mail to keep them.</p>
        <CodeProblem failure={keep.error} wrong={keep.data?.kept === false} meaning="After five wrong codes, it stops working." />
        <CodeAct
          code={code}
          onType={setCode}
          act="Keep users"
          busy={keep.isPending}
          onAct={() => keep.mutate({ account, maintainer, body: { code } })}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  );
}
