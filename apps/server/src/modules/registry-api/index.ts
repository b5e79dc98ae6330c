export { registryApiModule } from './module.ts';
