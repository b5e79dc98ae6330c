export { environmentOf } from './shell.ts';
export { shellModule } from './module.ts';
