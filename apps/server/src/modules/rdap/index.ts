export { readBackRdap } from './read-back.ts';
export { rdapErrors, rdapPrefix, rdapRoutes } from './routes.ts';
