export { requestsModule } from './module.ts';
export { resourceQueue } from './staff-request.ts';
export { workloadOf } from './workload.ts';
