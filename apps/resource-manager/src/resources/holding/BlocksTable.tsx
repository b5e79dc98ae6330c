import { useAddress } from '@portal/app-kit';
import type { Registration } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import type { Column } from '@portal/ui/table/DataTable';
import type { ReactNode } from 'react';
import { AssignFree } from '../registrations/AssignFree.tsx';
import { type BesideMap, RegistrationsTable } from '../registrations/RegistrationsTable.tsx';
import { routeOf, useDelegatedZones, useRoutedSpace, zonesOf } from './block-states.ts';
import { RouteMark } from './RouteMark.tsx';
import { ZonesMark } from './ZonesMark.tsx';

type Family = 'ipv4' | 'ipv6';
const hidden = ['customer', 'visibility', 'status', 'parent', 'economy', 'updatedAt'];
const places = {
  ipv4: { id: 'resources.ipv4Blocks', hidden },
  ipv6: { id: 'resources.ipv6Blocks', hidden },
};

/** The announcement of a block, by the space of its delegation: a read for each of these, which the map shares. */
function Route({ block: { resource, parent } }: { block: Registration }) {
  const { space } = useRoutedSpace(printPrefix(enclosingPrefix(parseRange(parent))));
  if (!space) return null;
  return <RouteMark route={routeOf(space.announcements, resource)} />;
}

function Zones({ block }: { block: Registration }) {
  const { zones } = useDelegatedZones(true);
  return zones && <ZonesMark zones={zonesOf(zones, block.resource)} />;
}

const columns: BesideMap['columns'] = {
  route: {
    id: 'route',
    label: 'Route',
    card: 'state',
    cell: row => (row.row === 'free' ? <AssignFree within={row.resource} /> : <Route block={row} />),
    text: () => '',
  },
  zones: {
    id: 'zones',
    label: 'Reverse zones',
    cell: row => row.row === 'registration' && <Zones block={row} />,
    text: () => '',
    card: 'none',
  },
} satisfies Record<string, Column<Registration>>;

/** The blocks that the map above shows: what is registered below the delegations, and the free space between. Choosing one shows it on the map. */
export function BlocksTable({ kind, switcher }: { kind: Family; switcher: ReactNode }) {
  const address = useAddress();
  return (
    <RegistrationsTable
      kind={kind}
      beside={{
        place: places[kind],
        columns,
        selected: address.get('selected'),
        onSelect: selected => address.set({ within: null, selected }),
        switcher,
      }}
    />
  );
}
