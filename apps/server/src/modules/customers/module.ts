import type { Module } from '../../platform/module.ts';
import { customerRoutes } from './routes.ts';

export const customersModule: Module = { name: 'customers', routes: context => [customerRoutes(context)] };
