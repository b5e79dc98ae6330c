export { lookingGlassModule } from './module.ts';
