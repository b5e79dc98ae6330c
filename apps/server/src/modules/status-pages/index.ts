export { statusPagesModule } from './module.ts';
export { type OutsideReport, sendReport, watchOnce } from './outside-checks.ts';
