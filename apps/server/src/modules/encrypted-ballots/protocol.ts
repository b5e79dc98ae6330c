/** The protocol of encrypted ballots, and powers by OpenSSL for the threads that verify. */
export * from '../../../../../packages/ballots/src/index.ts';
export { opensslPowers } from '../../../../../packages/ballots/node/openssl-powers.ts';
