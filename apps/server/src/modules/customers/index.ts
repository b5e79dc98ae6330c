export { customersModule } from './module.ts';
