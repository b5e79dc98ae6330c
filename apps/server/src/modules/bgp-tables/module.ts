import type { Module } from '../../platform/module.ts';
import { bgpTablesPersonal } from './personal-data.ts';

export const bgpTablesModule: Module = {
  name: 'bgp-tables',
  tables: ['bgpAnnouncement', 'bgpNeighbour', 'bgpTable'],
  demo: () => import('./demo.ts'),
  personal: bgpTablesPersonal,
};
