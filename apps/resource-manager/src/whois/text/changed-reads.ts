import { whois } from '@portal/contract/whois/whois';

/** Reads that are out of date after a change. */
export const changedReads = [
  whois.listObjects,
  whois.getObject,
  whois.listVersions,
  whois.getVersion,
  whois.listReferences,
  whois.complete,
  whois.listMaintainers,
];
