export { reverseDnsModule } from './module.ts';
