export { addEvent, publishEvent } from './desk-events.ts';
export { eventsModule } from './module.ts';
