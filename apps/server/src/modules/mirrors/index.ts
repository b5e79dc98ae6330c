export { DumpRefused, dumpWhois } from './dump.ts';
export { type LoadReport, loadWhois } from './load-dump.ts';
export { answerNrtm3 } from './nrtm3.ts';
export { resealNrtmKeys, rotateNrtmKey } from './nrtm-keys.ts';
export { mirrorsModule } from './module.ts';
