export { brandModule } from './module.ts';
export { previewOf } from './preview.ts';
