export { lockWhois } from './lock.ts';
