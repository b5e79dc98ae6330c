import { type CallInput, reading, useKit } from '@portal/app-kit';
import { type Route, routes } from '@portal/contract/routes/routes';
import { useQuery } from '@tanstack/react-query';
import { usePollingDelay } from '../../shell/polling.ts';

/** Refetches shown routes while one of their ROAs waits for the next publication, so that the person sees it become valid. */
export function useRoutesFollowPublication(input: CallInput<typeof routes.listRoutes>, rows: readonly Route[]): void {
  const { call } = useKit();
  const delay = usePollingDelay();
  const isPublishing = rows.some(({ roaState }) => roaState === 'pending');
  useQuery({ ...reading(call, routes.listRoutes, input), refetchInterval: isPublishing ? delay : false });
}
