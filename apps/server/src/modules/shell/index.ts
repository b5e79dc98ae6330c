export { environmentOf, themeOf } from './shell.ts';
export { shellModule } from './module.ts';
