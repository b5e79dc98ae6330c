import { FailureBanner, useAccount, useChange, useKit } from '@portal/app-kit';
import { rpki } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted, type SelfHosted } from '@portal/contract/rpki/self-hosted';
import { formatCount } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';

/** Disconnects a member's own certificate authority after the number of ROA payloads that validators lose is typed. */
export function DisconnectDialog({ authority, onClose }: { authority: NonNullable<SelfHosted['authority']>; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { vrps, publication, handle } = authority;
  const disconnect = useChange(rpkiSelfHosted.disconnect, {
    showsErrors: true,
    refresh: [rpkiSelfHosted.getSelfHosted, rpki.listHistory],
    onProposed: onClose,
    onDone: () => {
      onClose();
      notify({ text: `${handle} is disconnected. Validators lose what it certified within the hour.` });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect ${handle}?`}
      act={vrps === 0 ? 'Disconnect' : `Disconnect, and withdraw ${formatCount(vrps)} ${vrps === 1 ? 'ROA payload' : 'ROA payloads'}`}
      kind="danger"
      busy={disconnect.isPending}
      {...(vrps > 0 && { typed: { label: 'Type the number of ROA payloads to confirm', text: String(vrps) } })}
      onAct={() => disconnect.mutate({ account, body: { removing: vrps } })}
      error={<FailureBanner failure={disconnect.error} />}
    >
      <p>
        Its certificates are revoked{publication && ', and what it publishes here is withdrawn'}. Validators then call the announcements
        that relied on it “not found”, unless hosted RPKI has ROAs for them. To connect it again you exchange the files anew.
      </p>
    </ConfirmDialog>
  );
}
