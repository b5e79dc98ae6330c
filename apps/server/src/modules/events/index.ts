export { eventsModule } from './module.ts';
