export { addBgpTable, BgpTableRefused, importBgpTable, storeBgpTable } from './bgp-import.ts';
export { neighboursView } from './neighbours-view.ts';
export { bgpTablesModule } from './module.ts';
export {
  type Announcement,
  announcementsOf,
  type LiveAnnouncements,
  liveAnnouncements,
  type RoutingView,
  routingView,
} from './routing-view.ts';
