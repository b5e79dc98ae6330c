import { FailureBanner, reading, useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { Button, formatCount, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { originWords } from './roa-words.ts';
import styles from './RevokeCertificate.module.css';

/** ROAs that the dialog names; of more, their number. */
const named = 8;

/** Revokes the certificate after showing what that removes and asking for the number of ROAs. */
export function RevokeCertificate({ status }: { status: RpkiStatus }) {
  const address = useAddress();
  const refusal = useRefusal(rpki.revoke);
  return (
    <Sheet
      title="Turn RPKI off"
      actions={
        <Button size="s" variant="danger" refusal={refusal} refusalIn="note" onClick={() => address.set({ act: 'revoke' })}>
          Revoke the certificate
        </Button>
      }
    >
      <p>
        Revoking withdraws the certificate and deletes its keys{lostWords(status.counts.roas)} and the providers you stated. Validators then
        call your announcements “not found”. This can’t be undone, but you can enable RPKI again and add the ROAs anew.
      </p>
      {address.get('act') === 'revoke' && <RevokeDialog onClose={() => address.set({ act: null })} />}
    </Sheet>
  );
}

/** “, all 4 ROAs”, “, the ROA”, or nothing. */
const lostWords = (roas: number): string => (roas === 0 ? '' : roas === 1 ? ', the ROA' : `, all ${formatCount(roas)} ROAs`);

function RevokeDialog({ onClose }: { onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { call, notify } = useKit();
  const { data } = useQuery({ ...reading(call, rpki.previewRevocation, { account }), staleTime: 0 });
  const revoke = useChange(rpki.revoke, {
    showsErrors: true,
    refresh: [rpki.getStatus, rpki.listRoas, rpki.listHistory, rpki.previewRevocation],
    onProposed: onClose,
    onDone: () => {
      onClose();
      notify({ text: `The certificate of ${account} is revoked. Validators lose its ROAs within the hour.` });
    },
  });
  const roas = data?.roas ?? [];
  const count = roas.length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Revoke the certificate?"
      act={count === 0 ? 'Revoke' : `Revoke, and delete ${formatCount(count)} ${count === 1 ? 'ROA' : 'ROAs'}`}
      kind="danger"
      busy={revoke.isPending || !data}
      {...(count > 0 && { typed: { label: 'Type the number of ROAs to confirm', text: String(count) } })}
      onAct={() => data && revoke.mutate({ account, body: { version: data.version, removing: count } })}
      error={<FailureBanner failure={revoke.error} />}
    >
      {!data ? (
        <SkeletonRows rows={3} label="Loading what would be removed" />
      ) : (
        <Stack gap={12}>
          <p>
            Every validator in the world stops finding these within about an hour. Announcements that are valid today become “not found”,
            and some networks prefer others’ announcements then.
          </p>
          {count > 0 && (
            <ul className={styles.gone} aria-label="ROAs that are deleted">
              {roas.slice(0, named).map(({ roaId, prefix, asn, maxLength }) => (
                <li key={roaId}>
                  <s>
                    {prefix} {originWords(asn)}, max /{maxLength}
                  </s>
                </li>
              ))}
              {count > named && <li>and {formatCount(count - named)} more</li>}
            </ul>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
