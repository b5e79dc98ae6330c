import { reading, useAccount, useKit } from '@portal/app-kit';
import { rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePollingDelay } from '../shell/polling.ts';

/** Polls while something waits for the next publication, then refetches the lists. */
export function usePublishing({ isPublishing, repository }: RpkiStatus): void {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const answers = useQueryClient();
  const delay = usePollingDelay();
  useQuery({ ...reading(call, rpki.getStatus, { account }), refetchInterval: isPublishing ? delay : false });
  const { serial } = repository;
  /** The publication as of which the lists were read. */
  const read = useRef(serial);
  useEffect(() => {
    if (read.current === serial) return;
    read.current = serial;
    void answers.invalidateQueries({ queryKey: [rpki.listRoas.id] });
    void answers.invalidateQueries({ queryKey: [rpkiAspas.listAspas.id] });
    void answers.invalidateQueries({ queryKey: [rpki.listHistory.id] });
  }, [answers, serial]);
}
