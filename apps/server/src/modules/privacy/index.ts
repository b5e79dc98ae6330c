export { erasedKinds } from './erasures.ts';
export { privacyModule } from './module.ts';
