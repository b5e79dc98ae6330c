import { useAddress } from '@portal/app-kit';
import { deskAges, deskHandlers, deskKindNames, deskOpenStates, deskSorts } from '@portal/contract/staff/desk';

export const statuses = ['waiting', ...deskOpenStates, 'decided', 'approved', 'rejected', 'withdrawn'] as const;
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
