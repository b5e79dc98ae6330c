import type { AnyEndpoint } from '@portal/app-kit';
import { Button } from '@portal/ui';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** How long an answer counts as fresh (domain/resources.md 3.1). */
const freshSeconds = 30;

/** Reads anew what is on the screen, at most once in 30 seconds: until then the button says that it is fresh. `at` is when the server answered. */
export function RefreshButton({ reads, at }: { reads: readonly AnyEndpoint[]; at: string }) {
  const answers = useQueryClient();
  const reading = useIsFetching({ predicate: query => reads.some(read => read.id === query.queryKey[0]) }) > 0;
  const [staleAt, setStaleAt] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setStaleAt(at), freshSeconds * 1000);
    return () => clearTimeout(timer);
  }, [at]);
  const refresh = () => {
    for (const read of reads) void answers.invalidateQueries({ queryKey: [read.id] });
  };
  return (
    <Button
      size="s"
      icon="refresh"
      busy={reading}
      refusal={staleAt === at ? null : { reason: `Read less than ${freshSeconds} seconds ago` }}
      refusalIn="note"
      onClick={refresh}
    >
      Refresh
    </Button>
  );
}
