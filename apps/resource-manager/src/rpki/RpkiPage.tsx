import { Page, useAccount, useAnswer, useKit } from '@portal/app-kit';
import { rpki } from '@portal/contract/rpki/rpki';
import { Badge, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead, read } from '../shell/FirstRead.tsx';
import { AspaList } from './AspaList.tsx';
import { CertifiedResources } from './CertifiedResources.tsx';
import { EnableRpki } from './EnableRpki.tsx';
import { KeyRollover } from './KeyRollover.tsx';
import { PublicationHealth } from './PublicationHealth.tsx';
import { RevokeCertificate } from './RevokeCertificate.tsx';
import { RoaList } from './RoaList.tsx';
import { RpkiHistory } from './RpkiHistory.tsx';
import { usePublishing } from './publishing.ts';

/** RPKI of the account: setting it up, and afterwards certificate, publication, ROAs, keys and history. `?act=` names a dialog that is open. */
export default function RpkiPage() {
  const { accountName: account } = useAccount();
  return (
    <Page title="RPKI" sub="A certificate for your number resources, and the ROAs that say which AS may originate your prefixes.">
      <AccountNote />
      <FirstRead
        reads={[read(rpki.getStatus, { account })]}
        fallback={
          <Sheet flush aria-label="RPKI">
            <SkeletonRows rows={6} label="Loading RPKI" />
          </Sheet>
        }
      >
        <Rpki />
      </FirstRead>
    </Page>
  );
}

function Rpki() {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const status = useAnswer(rpki.getStatus, { account });
  usePublishing(status);
  if (status.mode === 'off') return <EnableRpki status={status} />;
  return (
    <Stack gap={16}>
      <CertifiedResources status={status} />
      <PublicationHealth status={status} />
      <RoaList status={status} />
      <AspaList status={status} />
      <KeyRollover status={status} />
      <RpkiHistory />
      <Sheet
        title="For validators"
        meta={<Badge kind="line">Public</Badge>}
        actions={
          <LinkButton size="s" icon="download" href={`${environment.appUrl}/rpki/registry.tal`} download="registry.tal">
            Trust anchor locator
          </LinkButton>
        }
      >
        <p>
          A relying party needs one file to validate everything this registry certifies: the trust anchor locator (TAL). Point rpki-client,
          Routinator or FORT at it to see what they make of your ROAs.
        </p>
      </Sheet>
      <RevokeCertificate status={status} />
    </Stack>
  );
}
