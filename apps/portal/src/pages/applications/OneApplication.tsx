import { ErrorWords, Page, reading, useAddress, useKit } from '@portal/app-kit';
import { applications } from '@portal/contract/applications/applications';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, LinkButton, Sheet, SkeletonLines } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { ApplicationStatus } from './ApplicationStatus.tsx';
import { ApplicationWizard } from './ApplicationWizard.tsx';

const title = pages.addAccount.title;

/** One membership application: the steps in which it is written, or what became of it. */
export function OneApplication({ applicationId }: { applicationId: string }) {
  const { call } = useKit();
  const step = useAddress().get('step');
  const { data, error, refetch } = useQuery({
    ...reading(call, applications.getApplication, { applicationId }),
    // It lacks later edits, so it is refetched on return.
    gcTime: 0,
  });
  if (error)
    return (
      <Page title={title}>
        <Banner
          kind="error"
          traceId={error.errors[0]?.traceId}
          actions={
            <ButtonRow>
              <LinkButton size="s" href={pages.addAccount.path}>
                Your applications
              </LinkButton>
              <Button size="s" icon="refresh" onClick={() => void refetch()}>
                Try again
              </Button>
            </ButtonRow>
          }
        >
          <ErrorWords message={error.message} />
        </Banner>
      </Page>
    );
  if (!data)
    return (
      <Page title={title}>
        <Sheet>
          <SkeletonLines lines={8} label="Loading the application" />
        </Sheet>
      </Page>
    );
  const writes = data.state === 'draft' || (data.state === 'needs-info' && step !== null);
  return writes ? <ApplicationWizard application={data} /> : <ApplicationStatus application={data} />;
}
