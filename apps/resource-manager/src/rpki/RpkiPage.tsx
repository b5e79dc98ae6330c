import { Term } from '@portal/app-kit/words/Term';
import { optionalPart } from '@portal/app-kit/page/later';
import { Page, type PageReads, read, useAccount, useKit, useRead } from '@portal/app-kit';
import { rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted } from '@portal/contract/rpki/self-hosted';
import { Badge, Grid, Link, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { Suspense } from 'react';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { AspaList, aspasOf } from './AspaList.tsx';
import { CertifiedResources } from './CertifiedResources.tsx';
import { EnableRpki } from './EnableRpki.tsx';
import { KeyRollover } from './KeyRollover.tsx';
import { PublicationHealth } from './PublicationHealth.tsx';
import { usePublishing } from './publishing.ts';
import { RevokeCertificate } from './RevokeCertificate.tsx';
import { RoaList, roasOf } from './RoaList.tsx';
import { historyOf, RpkiHistory } from './RpkiHistory.tsx';
import { SelfHosted } from './self-hosted/SelfHosted.tsx';

const AlertDelivery = optionalPart(() => import('../shell/AlertDelivery.tsx'), 'AlertDelivery');

const statusOf = (account: string) => read(rpki.getStatus, { account });
const selfHostedOf = (account: string) => read(rpkiSelfHosted.getSelfHosted, { account });
/** With the lists of an account that has a certificate: for another one they are short, and after its status they would be a second round. */
export const reads: PageReads = page => {
  const { account } = page;
  return [statusOf(account), selfHostedOf(account), roasOf(page), aspasOf(account), historyOf(account)];
};

/** RPKI of the account: setting it up, and afterwards certificate, publication, ROAs, keys and history. `?act=` names a dialog that is open. */
export default function RpkiPage() {
  const { accountName: account } = useAccount();
  return (
    <Page
      title="RPKI"
      sub={
        <>
          A <Term name="certificate">certificate</Term> for your number resources, and the <Term name="roa">ROAs</Term> that say which AS
          may originate your prefixes.
        </>
      }
    >
      <AccountNote />
      <FirstRead
        reads={[statusOf(account), selfHostedOf(account)]}
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
  const status = useRead(statusOf(account));
  const { authority } = useRead(selfHostedOf(account));
  usePublishing(status);
  if (status.mode === 'off')
    return (
      <Stack gap={16}>
        {authority && <SelfHosted status={status} />}
        <EnableRpki status={status} />
        {!authority && status.held.length > 0 && <SelfHosted status={status} />}
        {authority && <RpkiHistory />}
      </Stack>
    );
  return (
    <Stack gap={16}>
      <Grid columns={status.mode === 'suspended' ? 1 : 2}>
        <CertifiedResources status={status} />
        <Stack gap={16}>
          <PublicationHealth status={status} />
          <KeyRollover status={status} />
        </Stack>
      </Grid>
      <RoaList status={status} />
      <AspaList status={status} />
      {authority && <SelfHosted status={status} />}
      <RpkiHistory />
      <Grid columns={2}>
        <Suspense>
          <AlertDelivery>
            <p className="small">
              <Link href="/resources/routes/index?view=alerts">See and mute alerts</Link>
            </p>
          </AlertDelivery>
        </Suspense>
        {!authority && <SelfHosted status={status} />}
        <ForValidators as0Locator={status.repository.as0Locator} />
        <RevokeCertificate status={status} />
      </Grid>
    </Stack>
  );
}

/** Locators of the registry's trust anchors. */
function ForValidators({ as0Locator }: Pick<RpkiStatus['repository'], 'as0Locator'>) {
  const { environment } = useKit();
  return (
    <Sheet
      title="For validators"
      meta={<Badge kind="line">Public</Badge>}
      actions={
        <>
          {as0Locator !== null && (
            <LinkButton size="s" icon="download" href={as0Locator} download="as0.tal">
              AS0 locator
            </LinkButton>
          )}
          <LinkButton size="s" icon="download" href={`${environment.appUrl}/rpki/registry.tal`} download="registry.tal">
            Trust anchor locator
          </LinkButton>
        </>
      }
    >
      <Stack gap={8}>
        <p>
          A relying party needs one file to validate everything this registry certifies: the trust anchor locator (TAL). Point rpki-client,
          Routinator or FORT at it to see what they make of your ROAs.
        </p>
        {as0Locator !== null && (
          <p>
            Addresses that are not delegated to anyone are published with AS0 under a second, optional locator: validators that add it find
            announcements of them invalid. Nothing of yours is ever in it.
          </p>
        )}
      </Stack>
    </Sheet>
  );
}
