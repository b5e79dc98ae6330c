export { routesModule } from './module.ts';
