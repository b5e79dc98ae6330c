import { routeAlerts } from '@portal/contract/routes/alerts';
import { routes } from '@portal/contract/routes/routes';
import { routeSuggestions } from '@portal/contract/routes/suggestions';
import { implement } from '../../platform/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { listAlerts, muteAlert, unmuteAlert } from './alerts.ts';
import { exportRoutes, listRoutes } from './route-list.ts';
import { checkRoutes, saveRoutes, undoChange } from './save-routes.ts';
import { listChanges, readChange } from './saved-changes.ts';
import { listSuggestions } from './suggestions.ts';

export const routeRoutes = ({ config, profile, clock }: Pick<RouteContext, 'config' | 'profile' | 'clock'>) => {
  const writing = (isFresh: boolean) => ({ profile, limits: config, isFresh });
  return [
    implement(routes, {
      listRoutes: ({ read, account, query }) => listRoutes(read, account.accountName, query, profile.source),
      exportRoutes: ({ read, account, query }) => exportRoutes(read, account.accountName, query, profile.source),
      checkRoutes: ({ change, account, body }) => checkRoutes(change, account, body, writing(false)),
      saveRoutes: ({ change, account, body, isFresh }) => saveRoutes(change, account, body, writing(isFresh)),
      listChanges: ({ read, account, query }) => listChanges(read, account.accountName, query, clock()),
      getChange: ({ read, account, params }) => readChange(read, account.accountName, params.changeId, clock()),
      undoChange: ({ change, account, params, isFresh }) => undoChange(change, account, params.changeId, writing(isFresh)),
    }),
  ];
};

export const alertRoutes = () =>
  implement(routeAlerts, {
    listAlerts: ({ read, account }) => listAlerts(read, account),
    mute: ({ change, account, body }) => muteAlert(change, account, body),
    unmute: ({ change, account, body }) => unmuteAlert(change, account, body),
  });

export const suggestionRoutes = () =>
  implement(routeSuggestions, { listSuggestions: ({ read, account }) => listSuggestions(read, account.accountName) });
