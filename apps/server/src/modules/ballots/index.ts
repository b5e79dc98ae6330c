export { newReceipt } from './casting.ts';
export { ballotsModule } from './module.ts';
