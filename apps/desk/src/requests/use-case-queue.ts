import { useAddress, useKit, useSteadyAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type DeskRequest, desk } from '@portal/contract/staff/desk';
import { caseLink } from '../shell/case-link.ts';
import { useNeighbours } from '../shell/cases/neighbours.ts';
import { waitsForOthers } from '../shell/cases/second-words.ts';
import { queryOf, useQueueFilters } from './queue-filters.ts';
import { filterSearch } from '../shell/queue-search.ts';
import { isSameRequest, nameOf } from './queue-words.ts';

type Named = Pick<DeskRequest, 'kind' | 'requestId'>;
/** Cases beside the open one. */
const MAX_BESIDE = 100;
const isWithMember = ({ state }: DeskRequest): boolean => state === 'needs-info';

/** The queue that the case was opened from, by the filters in the address, with the ways to its neighbours. */
export function useCaseQueue(open: Named) {
  const { router } = useKit();
  const address = useAddress();
  const filters = useQueueFilters();
  const { answer } = useSteadyAnswer(desk.listRequests, { query: { ...queryOf(filters), limit: MAX_BESIDE } });
  const isOpen = (row: DeskRequest): boolean => isSameRequest(row, open);
  // What waits for the registry first: the keys lead to what can be decided, and past what waits for a second person who is not the reader.
  const [withMember, withRegistry] = [answer.rows.filter(isWithMember), answer.rows.filter(row => !isWithMember(row))];
  const [withOthers, withUs] = [withRegistry.filter(waitsForOthers), withRegistry.filter(row => !waitsForOthers(row))];
  const rows = [...withUs, ...withOthers, ...withMember];
  const { next, previous } = useNeighbours({
    rows: rows.filter(row => !withOthers.includes(row) || isOpen(row)),
    isOpen,
    nameOf,
    isPassedOn: row => isWithMember(row) || waitsForOthers(row),
    isLate: ({ late }) => late,
  });
  const search = filterSearch(address.get);
  const to = (row: Named | null) => (row ? () => router.go(caseLink(row) + search) : null);
  return {
    withUs,
    withOthers,
    withMember,
    total: answer.total,
    kind: filters.kind,
    kinds: answer.counts?.kinds,
    onKind: (kind: string): void => address.set({ kind: kind || null }),
    place: rows.findIndex(isOpen),
    search,
    next: to(next),
    previous: to(previous),
    back: () => router.go(pages.deskRequests.path + search),
  };
}
export type CaseQueue = ReturnType<typeof useCaseQueue>;
