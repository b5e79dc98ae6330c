export { publicPagesModule } from './module.ts';
export { badge, framedPage, type Mark, publicFrame, searchField, sheet } from './page-frame.ts';
export { sendKept } from './kept-answer.ts';
