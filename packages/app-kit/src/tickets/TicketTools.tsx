import { Row, SearchInput, Segmented } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { useAddress } from '../place/address.ts';
import { ticketStyles as styles } from './ticket-styles.ts';

export const ticketFilters = ['open', 'closed', 'all'] as const;

/** Search field and state filter of a list of tickets, kept in the address as `q` and `state`. The choice of a queue follows as `children`. */
export function TicketTools({
  placeholder,
  isPlain = false,
  children,
}: {
  placeholder: string;
  /** Without the space and rule of the head of a table. */
  isPlain?: boolean;
  children: ReactNode;
}) {
  const address = useAddress();
  const state = address.oneOf('state', ticketFilters);
  const [typed, setTyped] = useState(address.get('q') ?? '');
  return (
    <Row wrap gap={8} className={isPlain ? undefined : styles.tools}>
      <SearchInput
        label="Find a ticket"
        placeholder={placeholder}
        value={typed}
        onChange={value => {
          setTyped(value);
          address.set({ q: value.trim() || null, page: null });
        }}
      />
      <Segmented
        label="State"
        value={state}
        options={[
          { value: 'open', label: 'Open' },
          { value: 'closed', label: 'Closed' },
          { value: 'all', label: 'All' },
        ]}
        onChange={value => address.set({ state: value === 'open' ? null : value, page: null })}
      />
      {children}
    </Row>
  );
}
