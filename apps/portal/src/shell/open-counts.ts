import { type CallAnswer, reading, refusedBy, type Session, whenComplete } from '@portal/app-kit';
import { hasHighLatency } from '@portal/app-kit/first/connection';
import { MINUTE_MS } from '@portal/contract/days';
import { home } from '@portal/contract/home/home';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import { type OpenCounts, ticketsAmong } from './navigation-groups.ts';

type Attention = NonNullable<CallAnswer<typeof home.getHome>['attention']>;

/** Age in ms at which the counts are read again when the person goes to another page. */
const staleMs = MINUTE_MS;
/** Time in ms after which a page that is still reading counts as complete. */
const patienceMs = 10_000;

const none: OpenCounts = new Map();
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Counts what needs attention by the page of the navigation that deals with it: that of its link, the one above it, the only one in the same folder, or
 * the list of tickets for a ticket of any queue. What has time, and what can't be dealt with here, isn't counted.
 */
export function openCountsOf(attention: Attention, pages: readonly string[]): OpenCounts {
  const counts = new Map<string, number>();
  for (const { action, urgency, count = 1 } of attention) {
    if (!action || urgency === 'note') continue;
    const path = action.link.replace(/[?#].*$/, '');
    const above = pages.find(page => path.startsWith(`${page}/`));
    const beside = pages.filter(page => folderOf(page) !== '/' && path.startsWith(folderOf(page)));
    const page = pages.includes(path) ? path : (above ?? (beside.length === 1 ? beside[0] : ticketsAmong(pages, path)));
    if (page !== undefined) counts.set(page, (counts.get(page) ?? 0) + count);
  }
  return counts;
}

/** The account's open counts for the navigation. They are read with home, and elsewhere once the page is complete, on a good line only (decision 250). */
export function useOpenCounts({ call }: Pick<Portal, 'call'>, session: Session | null, path: string, pages: readonly string[]): OpenCounts {
  const isOpen = session?.account && !session.account.asStaff && refusedBy(home.getHome, session) === null;
  const account = isOpen ? session.account!.accountName : null;
  const answers = useQueryClient();
  const asked = useMemo(() => reading(call, home.getHome, { account: account ?? '' }), [call, account]);
  // Looked up, not observed: home's own first rendering takes the answer that was asked for early.
  const subscribe = useCallback((notify: () => void) => answers.getQueryCache().subscribe(notifyManager.batchCalls(notify)), [answers]);
  const attention = useSyncExternalStore(subscribe, () => answers.getQueryData(asked.queryKey)?.attention);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is opened is an occasion
  useEffect(() => {
    if (account === null || hasHighLatency()) return;
    let isHere = true;
    void whenComplete(answers, patienceMs).then(() => {
      if (isHere) void answers.prefetchQuery({ ...asked, staleTime: staleMs });
    });
    return () => {
      isHere = false;
    };
  }, [account, answers, asked, path]);
  return useMemo(() => (attention && account !== null ? openCountsOf(attention, pages) : none), [attention, account, pages]);
}
