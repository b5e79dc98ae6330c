import { useAddress, useRefusal } from '@portal/app-kit';
import type { Registration } from '@portal/contract/resources/resources';
import { routedSpace } from '@portal/contract/routes/routed-space';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import type { Column } from '@portal/ui/table/DataTable';
import type { ReactNode } from 'react';
import { AssignFree } from '../registrations/AssignFree.tsx';
import { RegistrationsTable } from '../registrations/RegistrationsTable.tsx';
import { routeOf, useDelegatedZones, useRoutedSpace, zonesOf } from './block-states.ts';
import { useRouteFilter } from './route-filter.tsx';
import type { PlacedZone } from '../../shell/reverse-lane.ts';
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
  const route = space ? routeOf(space, resource) : undefined;
  return route !== undefined && <RouteMark route={route} />;
}

const route: Column<Registration> = {
  id: 'route',
  label: 'Route',
  card: 'state',
  cell: row => (row.row === 'free' ? <AssignFree within={row.resource} /> : <Route block={row} />),
  text: () => '',
};
/** Of contacts who may not see announcements, the way to assign alone. */
const assign: Column<Registration> = {
  ...route,
  id: 'assign',
  label: '',
  cell: row => row.row === 'free' && <AssignFree within={row.resource} />,
};
const zonesColumn = (zones: readonly PlacedZone[] | null): Column<Registration> => ({
  id: 'zones',
  label: 'Reverse zones',
  cell: row => row.row === 'registration' && zones && <ZonesMark zones={zonesOf(zones, row.resource)} />,
  text: () => '',
  card: 'none',
});

/** The blocks that the map above shows: what is registered below the delegations, and the free space between. Choosing one shows it on the map. */
export function BlocksTable({ kind, switcher }: { kind: Family; switcher: ReactNode }) {
  const address = useAddress();
  const seesRoutes = useRefusal(routedSpace.getRoutedSpace) === null;
  const { isAllowed: seesZones, zones } = useDelegatedZones(true);
  const filter = useRouteFilter(kind, seesRoutes);
  return (
    <RegistrationsTable
      kind={kind}
      beside={{
        place: places[kind],
        columns: { route: seesRoutes ? route : assign, zones: seesZones ? zonesColumn(zones) : null },
        selected: address.get('selected'),
        onSelect: selected => address.set({ within: null, selected }),
        switcher,
        filter,
      }}
    />
  );
}
