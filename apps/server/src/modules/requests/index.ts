export { approveRequest, askAboutRequest, refuseRequest, reviewRequest } from './decisions.ts';
export { saveRequest, startRequest } from './drafts.ts';
export { addListing } from './listings.ts';
export { requestsModule } from './module.ts';
export { resourceQueue } from './staff-request.ts';
export { submitRequest } from './submission.ts';
