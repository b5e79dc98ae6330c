import { Page, useMaybeSession, usePlace } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { LinkButton, Sheet, Stack } from '@portal/ui';

/** An address the portal does not have. */
export default function NotFoundPage() {
  const { path } = usePlace();
  const session = useMaybeSession();
  return (
    <Page title={pages.notFound.title}>
      <Sheet title="There is no page at this address">
        <Stack gap={16} style={{ justifyItems: 'start' }}>
          <p>
            <span className="mono">{path}</span> may have moved, or the address is mistyped. {session && 'Press Ctrl K to search.'}
          </p>
          <LinkButton href="/" variant="primary">
            {session ? 'Go to the start page' : 'Go to sign-in'}
          </LinkButton>
        </Stack>
      </Sheet>
    </Page>
  );
}
