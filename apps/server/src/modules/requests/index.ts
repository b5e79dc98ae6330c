export { requestsModule } from './module.ts';
export { lateBefore, resourceQueue } from './staff-request.ts';
export { workloadOf } from './workload.ts';
