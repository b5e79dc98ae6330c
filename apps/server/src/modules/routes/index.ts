export { BgpTableRefused, importBgpTable } from './bgp-import.ts';
export { routesModule } from './module.ts';
export { endRoutesIn } from './route-rows.ts';
