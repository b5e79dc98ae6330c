import { type Change, lockByName } from '../../../platform/database/index.ts';

/**
 * Whois writes wait for each other until they commit (docs/decisions/0020-whois-journal.md): what a submission has read stays unchanged, and serials
 * follow the order of commits. A change of the ledger takes the ledger's lock first.
 */
export const lockWhois = (change: Change): Promise<void> => lockByName(change, 'whois.submissions');
