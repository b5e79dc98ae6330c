import { useAddress } from '@portal/app-kit';
import { deskAges, deskHandlers, deskKindNames, deskOpenStates, deskSorts } from '@portal/contract/staff/desk';

export const statuses = ['waiting', ...deskOpenStates, 'decided', 'approved', 'rejected', 'withdrawn'] as const;
/** Parts of the address that are a filter of the queue, on its list and on the page of a case. */
const filterNames = ['kind', 'status', 'age', 'handler', 'q', 'sort', 'direction'] as const;

export type QueueFilters = ReturnType<typeof useQueueFilters>;

/** Reads filters and order of the queue from the address. */
export function useQueueFilters() {
  const address = useAddress();
  const kind = deskKindNames.find(name => name === address.get('kind')) ?? null;
  const status = address.oneOf('status', statuses);
  const age = address.oneOf('age', deskAges);
  const handler = address.oneOf('handler', deskHandlers);
  const sort = address.oneOf('sort', deskSorts);
  const direction = address.oneOf('direction', ['asc', 'desc']);
  const q = address.get('q') ?? '';
  return { kind, status, age, handler, sort, direction, q };
}

/** The query of these filters, for the call that lists the queue. */
export const queryOf = ({ kind, status, age, handler, sort, direction, q }: QueueFilters) => ({
  ...(kind && { kind }),
  status,
  ...(age === 'late' ? { late: 'only' as const } : { days: Number(age) }),
  handler,
  sort,
  direction,
  q,
});

/** The part of an address that keeps the filters: empty, or with its question mark. */
export function filterSearch(get: (name: string) => string | null): string {
  const kept = new URLSearchParams(filterNames.flatMap(name => (get(name) ? [[name, get(name)!]] : []))).toString();
  return kept && `?${kept}`;
}
