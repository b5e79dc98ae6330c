export { ballotsModule } from './module.ts';
