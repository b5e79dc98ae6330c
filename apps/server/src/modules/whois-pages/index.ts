export { wrongData } from './answer-page.ts';
export { whoisPagesModule } from './module.ts';
