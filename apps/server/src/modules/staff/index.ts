export { staffRoutes } from './routes.ts';
export { visitOf } from './visits.ts';
