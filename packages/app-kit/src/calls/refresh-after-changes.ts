import type { AnyEndpoint } from '@portal/api-client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Reads again what a page sums up, after every change that is made on it: a part that is added later need not name what stands elsewhere on the page. @param reads the same list at each rendering */
export function useRefreshAfterChanges(reads: readonly AnyEndpoint[]): void {
  const answers = useQueryClient();
  useEffect(
    () =>
      answers.getMutationCache().subscribe(event => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        for (const { id } of reads) void answers.invalidateQueries({ queryKey: [id] });
      }),
    [answers, reads],
  );
}
