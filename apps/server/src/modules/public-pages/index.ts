export { publicPagesModule } from './module.ts';
export { badge, type Frame, framedPage, type Mark, publicFrame, searchField, sheet, term } from './page-frame.ts';
export { sendKept } from './kept-answer.ts';
