import { routeAlerts } from '@portal/contract/routes/alerts';
import { ownBgpTables } from '@portal/contract/routes/own-tables';
import { routedSpace } from '@portal/contract/routes/routed-space';
import { type RouteChangeDetails, routes } from '@portal/contract/routes/routes';
import { routeSuggestions } from '@portal/contract/routes/suggestions';
import type { Change } from '../../platform/database/index.ts';
import { type AdmittedAccount, afterReading, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import { listAlerts, muteAlert, unmuteAlert } from './alerts.ts';
import { announceRoutes } from './change-notices.ts';
import { listTables, removeTable, uploadTable } from './own-tables.ts';
import { readPublishedChange } from './published-change.ts';
import { exportRoutes, listRoutes } from './route-list.ts';
import { getRoutedSpace } from './routed-space.ts';
import { checkRoutes, linesOf, saveRoutes, undoChange } from './save-routes.ts';
import { listChanges } from './saved-changes.ts';
import { listSuggestions } from './suggestions.ts';

/** Announces what was saved. */
async function announced(change: Change, account: AdmittedAccount, saving: Promise<RouteChangeDetails>): Promise<RouteChangeDetails> {
  const saved = await saving;
  await announceRoutes(change, account, saved);
  return saved;
}

export const routeRoutes = ({ config, profile, clock }: Pick<RouteContext, 'config' | 'profile' | 'clock'>) => {
  const writing = { profile, limits: config };
  return [
    implement(routes, {
      listRoutes,
      exportRoutes,
      checkRoutes: afterReading(
        call => linesOf(senderOf(call), call.body),
        ({ change, account, body }, lines) => checkRoutes(change, account, body, lines, writing),
      ),
      saveRoutes: afterReading(
        call => linesOf(senderOf(call), call.body),
        ({ change, account, body }, lines) => announced(change, account, saveRoutes(change, account, body, lines, writing)),
      ),
      listChanges,
      getChange: ({ read, account, params }) =>
        readPublishedChange(read, account.accountName, params.changeId, { now: clock(), rpkiDir: config.rpkiDir }),
      undoChange: ({ change, account, params, body }) =>
        announced(change, account, undoChange(change, account, { changeId: params.changeId, invalidating: body.invalidating }, writing)),
    }),
  ];
};

export const alertRoutes = () =>
  implement(routeAlerts, {
    listAlerts,
    mute: ({ change, account, body }) => muteAlert(change, account, body),
    unmute: ({ change, account, body }) => unmuteAlert(change, account, body),
  });

export const suggestionRoutes = () => implement(routeSuggestions, { listSuggestions });

export const routedSpaceRoutes = () => implement(routedSpace, { getRoutedSpace });

export const ownTableRoutes = () =>
  implement(ownBgpTables, {
    listTables,
    uploadTable,
    removeTable,
  });
