import type { Module } from '../../platform/module.ts';

export const bgpTablesModule: Module = {
  name: 'bgp-tables',
  tables: ['bgpAnnouncement', 'bgpNeighbour', 'bgpTable'],
  demo: () => import('./demo.ts'),
};
