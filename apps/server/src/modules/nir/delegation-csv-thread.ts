export { readDelegationLines as read } from './delegation-csv.ts';
