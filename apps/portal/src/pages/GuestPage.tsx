import { apiReferencePath } from '@portal/contract/back-end-paths';
import { Page } from '@portal/app-kit';
import { Button, ButtonRow, Link, Sheet, Stack } from '@portal/ui';
import { usePortal } from '../PortalContext.ts';

/** The start page for people who are not signed in: after a failed sign-in, and as a guest. */
export default function GuestPage() {
  const { environment, signIn } = usePortal();
  const { portalName, registryName, contentSiteUrl } = environment;
  return (
    <Page title={portalName} sub="You are not signed in.">
      <Stack gap={16}>
        <Sheet title="For members">
          <Stack gap={16}>
            <p>Resources, contacts and billing of your accounts need a sign-in.</p>
            <ButtonRow>
              <Button variant="primary" onClick={() => signIn()}>
                Log in
              </Button>
              <Button onClick={() => signIn({ create: true })}>Register</Button>
            </ButtonRow>
          </Stack>
        </Sheet>
        <Sheet title="For everyone">
          <Stack gap={8}>
            {contentSiteUrl && <Link href={contentSiteUrl}>Site of {registryName}</Link>}
            <a href={apiReferencePath}>API reference</a>
          </Stack>
        </Sheet>
      </Stack>
    </Page>
  );
}
