export { eventsModule } from './module.ts';
export { endRegistrations } from './registrations.ts';
