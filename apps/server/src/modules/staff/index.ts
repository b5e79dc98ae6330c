export { markedAccounts } from './risk-marks.ts';
export { visitOf } from './visits.ts';
export { staffModule } from './module.ts';
