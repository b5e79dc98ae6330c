export { statusPagesModule } from './module.ts';
export { watchOnce } from './outside-checks.ts';
