import { type Profile, readProfile } from '../src/profile.ts';

const example = readProfile('');

/** The profile of a laboratory that delegates any numbers in any size, for tests that fill the ledger as they need it. */
export const anyNumbers: Profile = {
  ...example,
  labNumbers: ['0.0.0.0/0', '::/0', 'AS0 - AS4294967295'],
  requestPolicy: { ...example.requestPolicy, ipv4Smallest: 32, ixpUsual: 32, ipv6Provider: 128, ipv6EndSite: 128 },
};
