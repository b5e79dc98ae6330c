import { useAddress, useKit, useSteadyAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type DeskRequest, desk } from '@portal/contract/staff/desk';
import { useState } from 'react';
import { caseLink } from '../shell/case-link.ts';
import { filterSearch, queryOf, useQueueFilters } from './queue-filters.ts';
import { isSameRequest } from './queue-words.ts';

type Named = Pick<DeskRequest, 'kind' | 'requestId'>;
/** Cases beside the open one. */
const MAX_BESIDE = 100;

/**
 * The queue that the case was opened from, by the filters in the address, with the ways to its neighbours. A decided case leaves the queue: the one that followed it is then the
 * next.
 */
export function useCaseQueue(open: Named) {
  const { router } = useKit();
  const address = useAddress();
  const filters = useQueueFilters();
  const { answer } = useSteadyAnswer(desk.listRequests, { query: { ...queryOf(filters), limit: MAX_BESIDE } });
  // What waits for the registry first: the keys lead to what can be decided.
  const isWithMember = ({ state }: DeskRequest): boolean => state === 'needs-info';
  const rows = [...answer.rows.filter(row => !isWithMember(row)), ...answer.rows.filter(isWithMember)];
  const { total } = answer;
  const place = rows.findIndex(row => isSameRequest(row, open));
  const [following, setFollowing] = useState<Named | null>(null);
  const listed = place >= 0 ? (rows[place + 1] ?? null) : null;
  if (listed && !(following && isSameRequest(following, listed))) setFollowing(listed);
  const search = filterSearch(address.get);
  const to = (row: Named | null | undefined) => (row ? () => router.go(caseLink(row) + search) : null);
  const followed = following && rows.find(row => isSameRequest(row, following));
  return {
    rows,
    total,
    place,
    search,
    next: to(place >= 0 ? listed : (followed ?? rows[0])),
    previous: to(place > 0 ? rows[place - 1] : null),
    back: () => router.go(pages.deskRequests.path + search),
  };
}
export type CaseQueue = ReturnType<typeof useCaseQueue>;
