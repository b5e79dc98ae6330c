export { lockWhois } from './lock.ts';
export { DumpRefused, dumpWhois } from './dump.ts';
export { type LoadReport, loadWhois } from './load-dump.ts';
