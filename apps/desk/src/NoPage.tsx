import { Page, PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { LinkButton, Sheet, Stack } from '@portal/ui';

/** The words of an address that does not exist. */
export function NoPage({ path }: { path: string }) {
  return (
    <PageFrame page={pages.notFound}>
      <Page title={pages.notFound.title}>
        <Sheet title="There is no page at this address">
          <Stack gap={16} style={{ justifyItems: 'start' }}>
            <p>
              <span className="mono">{path}</span> may have moved, or the address is mistyped.
            </p>
            <LinkButton href="/" variant="primary">
              Go to the start page
            </LinkButton>
          </Stack>
        </Sheet>
      </Page>
    </PageFrame>
  );
}
