export { newReceipt, sealReceipt } from './casting.ts';
export { ballotsModule } from './module.ts';
