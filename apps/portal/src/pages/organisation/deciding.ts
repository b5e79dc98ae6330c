import { type AnyEndpoint, type ServiceFailure, useKit } from '@portal/app-kit';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** What staff did last to a request, or what a refusal said had happened to it meanwhile. */
export type Deciding<Row> = {
  latest: Row | null;
  done: (row: Row, words: string) => void;
  /** A refusal: where somebody else was quicker it hands over what they left. */
  failed: (failure: ServiceFailure) => void;
};

/** Keeps the newest state of a request that staff work on, and reads the list again. */
export function useDeciding<Row>(list: AnyEndpoint): Deciding<Row> {
  const answers = useQueryClient();
  const { notify } = useKit();
  const [latest, setLatest] = useState<Row | null>(null);
  const again = () => void answers.invalidateQueries({ queryKey: [list.id] });
  return {
    latest,
    done(row, words) {
      setLatest(row);
      notify({ text: words });
      again();
    },
    failed(refused) {
      if (refused.current) setLatest(refused.current as Row);
      again();
    },
  };
}
