import { routeAlerts } from '@portal/contract/routes/alerts';
import { ownBgpTables } from '@portal/contract/routes/own-tables';
import { routedSpace } from '@portal/contract/routes/routed-space';
import { routes } from '@portal/contract/routes/routes';
import { routeSuggestions } from '@portal/contract/routes/suggestions';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listAlerts, mute, unmute } from './alerts.ts';
import { listTables, readTable, removeTable, uploadTable } from './own-tables.ts';
import { getChange } from './published-change.ts';
import { exportRoutes, listRoutes } from './route-list.ts';
import { getRoutedSpace } from './routed-space.ts';
import { checkRoutes, linesOf, saveRoutes, undoChange } from './save-routes.ts';
import { listChanges } from './saved-changes.ts';
import { listSuggestions } from './suggestions.ts';

export const routeRoutes: readonly Implementation[] = [
  implement(routes, {
    listRoutes,
    exportRoutes,
    checkRoutes: afterReading(linesOf, checkRoutes),
    saveRoutes: afterReading(linesOf, saveRoutes),
    listChanges,
    getChange,
    undoChange,
  }),
  implement(routeAlerts, { listAlerts, mute, unmute }),
  implement(routeSuggestions, { listSuggestions }),
  implement(ownBgpTables, { listTables, uploadTable: afterReading(readTable, uploadTable), removeTable }),
  implement(routedSpace, { getRoutedSpace }),
];
