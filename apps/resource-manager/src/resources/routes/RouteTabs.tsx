import { useAddress } from '@portal/app-kit';
import { Stack, Tabs } from '@portal/ui';
import { lazy, Suspense } from 'react';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { routesPath } from './route-words.ts';
import { RouteTable } from './RouteTable.tsx';

const Suggestions = lazy(() => import('./Suggestions.tsx').then(module => ({ default: module.Suggestions })));
const Alerts = lazy(() => import('./Alerts.tsx').then(module => ({ default: module.Alerts })));

const views = ['routes', 'suggestions', 'alerts'] as const;
const labels = { routes: 'Routes', suggestions: 'Suggestions', alerts: 'Alerts' };

/** The views of the page of routes: the list, what could be better, and what the watcher found (`?view=`). */
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
        {view === 'suggestions' ? <Suggestions /> : view === 'alerts' ? <Alerts /> : <RouteTable />}
      </Suspense>
    </Stack>
  );
}
