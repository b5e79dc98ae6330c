export { shellRoutes } from './routes.ts';
export { environmentOf } from './shell.ts';
