export { requestsModule } from './module.ts';
export { dueBy, promisedBy, resourceQueue, waitsTooLong, workingHours } from './staff-request.ts';
export { namedRequests } from './named-requests.ts';
