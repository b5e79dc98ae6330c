import type { ServiceFailure } from '@portal/api-client';
import { Banner, Button } from '@portal/ui';
import { useEffect, useRef } from 'react';
import { ErrorWords } from './ErrorWords.tsx';

/**
 * Shows why a read or an act was refused, with its trace id; `onRetry` offers a retry, except for what wasn’t found. Empty without a refusal. A new refusal is
 * scrolled into view: on a telephone the button that was pressed is often screens away.
 */
export function FailureBanner({ failure, onRetry }: { failure: ServiceFailure | null | undefined; onRetry?: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) place.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  if (!failure) return null;
  return (
    // Below the top bar, which covers the upper edge.
    <div ref={place} style={{ scrollMarginTop: 64, scrollMarginBottom: 16 }}>
      <Banner
        kind="error"
        traceId={failure.errors[0]?.traceId}
        actions={
          onRetry &&
          failure.status !== 404 && (
            <Button size="s" icon="refresh" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        <ErrorWords message={failure.message} />
      </Banner>
    </div>
  );
}
