export { legalPagesModule } from './module.ts';
