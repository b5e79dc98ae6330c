export { readImport as read } from './import-lines.ts';
