import { later, optionalPart } from '@portal/app-kit/page/later';
import { reading, useAccount, useAddress, useKit, useRefusal } from '@portal/app-kit';
import { routeAlerts } from '@portal/contract/routes/alerts';
import { routes } from '@portal/contract/routes/routes';
import { routeSuggestions } from '@portal/contract/routes/suggestions';
import { formatCount, Stack, Tabs } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { routesPath } from './route-words.ts';
import { RouteTable } from './RouteTable.tsx';

const Suggestions = later(() => import('./Suggestions.tsx'), 'Suggestions');
const FirstSuggestions = optionalPart(() => import('./Suggestions.tsx'), 'FirstSuggestions');
const Alerts = later(() => import('./Alerts.tsx'), 'Alerts');
const OwnTable = later(() => import('./OwnTable.tsx'), 'OwnTable');

const views = ['routes', 'suggestions', 'alerts', 'tables'] as const;
const labels = { routes: 'Routes', suggestions: 'Suggestions', alerts: 'Alerts', tables: 'BGP tables' };

/** The count of each view, once known: the list is loaded first, and the others after it. */
function useCounts(): Partial<Record<(typeof views)[number], number>> {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const all = useQuery(reading(call, routes.listRoutes, { account, query: { limit: 1 } })).data;
  const refusal = useRefusal(routeAlerts.listAlerts);
  const enabled = all !== undefined && refusal === null;
  const suggestions = useQuery({ ...reading(call, routeSuggestions.listSuggestions, { account }), enabled }).data;
  const alerts = useQuery({ ...reading(call, routeAlerts.listAlerts, { account }), enabled }).data;
  return {
    ...(all && { routes: all.totals.routes }),
    ...(suggestions && { suggestions: suggestions.total }),
    ...(alerts && { alerts: alerts.rows.filter(({ muted }) => muted === null).length }),
  };
}

/** The views of the routes page: the list, suggestions, alerts, and the tables that announcements come from (`?view=`). */
export function RouteTabs() {
  const view = useAddress().oneOf('view', views);
  const counts = useCounts();
  return (
    <Stack gap={16}>
      <Tabs
        label="Views of routes"
        items={views.map(each => ({
          href: each === 'routes' ? routesPath : `${routesPath}?view=${each}`,
          label: labels[each],
          ...(counts[each] !== undefined && { count: formatCount(counts[each]) }),
          current: each === view,
        }))}
      />
      <Suspense fallback={<TableSkeleton />}>
        {view === 'suggestions' ? <Suggestions /> : view === 'alerts' ? <Alerts /> : view === 'tables' ? <OwnTable /> : <RouteTable />}
      </Suspense>
      {view === 'routes' && (counts.suggestions ?? 0) > 0 && <FirstSuggestions />}
    </Stack>
  );
}
