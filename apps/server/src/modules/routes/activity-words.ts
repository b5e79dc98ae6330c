import type { routeAlerts } from '@portal/contract/routes/alerts';
import type { ownBgpTables } from '@portal/contract/routes/own-tables';
import type { routes } from '@portal/contract/routes/routes';
import { list, type ModuleWords, text, yesNo } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const routesWords = {
  activities: {
    routes: {
      category: 'resources',
      actions: {
        checkRoutes: 'Check a change of routes',
        saveRoutes: 'Change routes',
        undoChange: 'Undo a change of routes',
        importTable: 'Import a BGP table',
        watch: 'Check the announcements of an account',
      },
    },
    'routes.alerts': {
      category: 'resources',
      actions: { mute: 'Mute an announcement', unmute: 'Unmute an announcement' },
    },
    'routes.ownTables': {
      category: 'resources',
      actions: { uploadTable: 'Upload a BGP table', removeTable: 'Delete the uploaded BGP table' },
    },
  },
  rows: {
    route: {
      what: 'Route',
      key: ['route_id'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['prefix'],
      columns: {
        prefix: text('Prefix'),
        asn: text('AS number'),
        max_length: text('Maximum length'),
        roa: yesNo('ROA'),
        whois: yesNo('Route object'),
        sub_routes: list('Sub-routes'),
        descr: text('Description'),
        maintainer: text('Maintainer'),
        attributes: text('Other attributes'),
        comment: text('Comment'),
        owner: text('Owner'),
      },
      unsaid: ['account_name', 'route_id', 'created_at', 'changed_at'],
    },
    route_mute: {
      what: 'Muted announcement',
      key: ['account_name', 'prefix', 'asn'],
      owner: 'account_name',
      needs: 'rescert-view',
      name: ['prefix'],
      columns: {
        prefix: text('Prefix'),
        asn: text('AS number'),
        reason: text('Reason'),
        muted_by: text('Muted by'),
      },
      unsaid: ['account_name', 'muted_at'],
    },
  },
} satisfies ModuleWords<{ routes: typeof routes; 'routes.alerts': typeof routeAlerts; 'routes.ownTables': typeof ownBgpTables }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    routes: typeof routesWords;
  }
}
