export { visitOf } from './visits.ts';
export { staffModule } from './module.ts';
