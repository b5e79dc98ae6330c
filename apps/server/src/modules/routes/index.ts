export { BgpTableRefused, importBgpTable } from './bgp-import.ts';
export { routesModule } from './module.ts';
