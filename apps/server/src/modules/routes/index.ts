export { BgpTableRefused, importBgpTable, storeBgpTable } from './bgp-import.ts';
export { routeVersion } from './account-routes.ts';
export { saveRoutes } from './save-routes.ts';
export { routesModule } from './module.ts';
