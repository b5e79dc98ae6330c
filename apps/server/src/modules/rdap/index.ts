export { readBackRdap } from './read-back.ts';
export { rdapPrefix } from './routes.ts';
export { rdapModule } from './module.ts';
