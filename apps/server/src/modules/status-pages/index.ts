export { statusPagesModule } from './module.ts';
export { type WatchedPlaces, watchOnce } from './outside-checks.ts';
