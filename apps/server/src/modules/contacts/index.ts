export { confirmationIsDue } from './contact-list.ts';
export { tellOfChange } from './contact-notices.ts';
export { attendToDeadlines } from './deadlines.ts';
export { linkToAccount } from './link-requests.ts';
export { contactRoutes } from './routes.ts';
