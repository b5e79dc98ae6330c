export { requestsModule } from './module.ts';
export { dueBy, lateBefore, resourceQueue } from './staff-request.ts';
export { workloadOf } from './workload.ts';
