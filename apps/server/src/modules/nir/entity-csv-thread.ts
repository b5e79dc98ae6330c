export { readEntityLines as read } from './entity-csv.ts';
