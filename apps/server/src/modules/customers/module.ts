import type { Module } from '../../platform/module.ts';
import { customerRoutes } from './routes.ts';

export const customersModule: Module = {
  name: 'customers',
  tables: ['customer'],
  routes: context => [customerRoutes(context)],
};
