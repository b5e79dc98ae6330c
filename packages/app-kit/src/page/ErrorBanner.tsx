import { errorInWords } from '@portal/contract';
import { Banner, Stack } from '@portal/ui';
import { useSyncExternalStore } from 'react';
import { ErrorWords } from './ErrorWords.tsx';
import type { ErrorList } from './error-list.ts';

/** Errors of changes, of framed pages and of the shell itself; each can be dismissed and carries its trace id (specification, section 1). */
export function ErrorBanner({ errors }: { errors: ErrorList }) {
  const list = useSyncExternalStore(errors.subscribe, errors.list);
  if (list.length === 0) return null;
  return (
    <Stack gap={8} style={{ marginBottom: 16 }}>
      {list.map(error => (
        <Banner
          key={error.traceId + error.code + (error.field ?? '')}
          kind="error"
          traceId={error.traceId}
          onDismiss={() => errors.dismiss(error)}
        >
          <ErrorWords message={errorInWords(error)} />
        </Banner>
      ))}
    </Stack>
  );
}
