export { dumpDaily, DumpRefused, dumpWhois } from './dump.ts';
export { dumpFiles } from './dump-files.ts';
export { type LoadReport, loadWhois } from './load-dump.ts';
export { answerNrtm3 } from './nrtm3.ts';
export { lastNotification, publishNrtm } from './nrtm4.ts';
export { nrtmFiles } from './nrtm-files.ts';
export { resealNrtmKeys, rotateNrtmKey } from './nrtm-keys.ts';
