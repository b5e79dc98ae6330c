import { useAddress } from '@portal/app-kit';
import { ticketFilters } from '@portal/app-kit/tickets/TicketTools';
import { pages } from '@portal/contract/pages';
import { queueNamed } from '@portal/contract/tickets/queues';
import { ticketOwners } from '@portal/contract/tickets/tickets';

/** Parts of the address that are a filter of the tickets, on their list and on the page of one. */
const filterNames = ['state', 'queue', 'owner', 'q'] as const;

/** Reads the filters of the tickets from the address: their query, and the way to a ticket or to the list that keeps them. */
export function useTicketFilters() {
  const address = useAddress();
  const state = address.oneOf('state', ticketFilters);
  const queue = queueNamed(address.get('queue') ?? '');
  const owner = address.oneOf('owner', ticketOwners);
  const q = address.get('q') ?? '';
  const kept = filterNames.flatMap(name => (address.get(name) ? [[name, address.get(name)!]] : []));
  return {
    queue,
    owner,
    query: { ...(queue && { queue }), state, owner, q },
    /** @param ticketId null for the list */
    hrefOf: (ticketId: string | null): string => {
      const search = new URLSearchParams([...(ticketId === null ? [] : [['ticket', ticketId]]), ...kept]).toString();
      return `${pages.deskTickets.path}${search && `?${search}`}`;
    },
  };
}
