export { rdapErrors, rdapRoutes } from './routes.ts';
