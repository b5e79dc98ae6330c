import { ErrorWords, Page, type ServiceFailure } from '@portal/app-kit';
import { Banner, Button, EmptyState, LinkButton, Sheet } from '@portal/ui';

/** What stands where a link of a mail should lead: that there is nothing under it, how to get one that works, or what went wrong. */
export function MailedLinkFailure({
  title,
  error,
  unknown,
  onRetry,
}: {
  title: string;
  error: ServiceFailure;
  /** The code of a link nothing is known of, what is not there then, and whom to ask for what. */
  unknown: { code: string; title: string; ask: string };
  onRetry: () => void;
}) {
  return (
    <Page title={title}>
      {error.code === unknown.code ? (
        <Sheet flush>
          <EmptyState title={unknown.title} action={<LinkButton href="/">Go to the start page</LinkButton>}>
            Open the link in the newest mail you have, whole: mail programs sometimes cut long links. If it still leads here, ask{' '}
            {unknown.ask}.
          </EmptyState>
        </Sheet>
      ) : (
        <Banner
          kind="error"
          traceId={error.errors[0]?.traceId}
          actions={
            <Button size="s" icon="refresh" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          <ErrorWords message={error.message} />
        </Banner>
      )}
    </Page>
  );
}
