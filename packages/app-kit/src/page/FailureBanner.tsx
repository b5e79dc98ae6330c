import type { ServiceFailure } from '@portal/api-client';
import { Banner, Button } from '@portal/ui';
import { ErrorWords } from './ErrorWords.tsx';

/** Says why a read or an act was refused, with its trace id; `onRetry` offers to try again. Shows nothing while nothing was refused. */
export function FailureBanner({ failure, onRetry }: { failure: ServiceFailure | null | undefined; onRetry?: () => void }) {
  if (!failure) return null;
  return (
    <Banner
      kind="error"
      traceId={failure.errors[0]?.traceId}
      actions={
        onRetry && (
          <Button size="s" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <ErrorWords message={failure.message} />
    </Banner>
  );
}
