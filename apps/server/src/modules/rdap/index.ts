export { registryName } from './bootstrap.ts';
export { createElsewhereFinder } from './elsewhere.ts';
export { readBackRdap } from './read-back.ts';
export { rdapModule } from './module.ts';
export { rdapPrefix } from './routes.ts';
