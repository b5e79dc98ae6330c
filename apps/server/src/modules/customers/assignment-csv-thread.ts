export { readRows as read } from './assignment-csv.ts';
