export { encryptedBallotsModule } from './module.ts';
