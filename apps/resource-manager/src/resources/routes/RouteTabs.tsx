import { later } from '@portal/app-kit/page/later';
import { useAddress } from '@portal/app-kit';
import { Stack, Tabs } from '@portal/ui';
import { Suspense } from 'react';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { routesPath } from './route-words.ts';
import { RouteTable } from './RouteTable.tsx';

const Suggestions = later(() => import('./Suggestions.tsx'), 'Suggestions');
const Alerts = later(() => import('./Alerts.tsx'), 'Alerts');
const OwnTable = later(() => import('./OwnTable.tsx'), 'OwnTable');

const views = ['routes', 'suggestions', 'alerts', 'tables'] as const;
const labels = { routes: 'Routes', suggestions: 'Suggestions', alerts: 'Alerts', tables: 'BGP tables' };

/** The views of the page of routes: the list, what could be better, what the watcher found, and the tables that announcements come from (`?view=`). */
export function RouteTabs() {
  const view = useAddress().oneOf('view', views);
  return (
    <Stack gap={16}>
      <Tabs
        label="Views of routes"
        items={views.map(each => ({
          href: each === 'routes' ? routesPath : `${routesPath}?view=${each}`,
          label: labels[each],
          current: each === view,
        }))}
      />
      <Suspense fallback={<TableSkeleton />}>
        {view === 'suggestions' ? <Suggestions /> : view === 'alerts' ? <Alerts /> : view === 'tables' ? <OwnTable /> : <RouteTable />}
      </Suspense>
    </Stack>
  );
}
