import type { CallAnswer } from '@portal/app-kit';
import type { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';

/** The ballot as its credential authority sees it. */
export type AuthorityView = CallAnswer<typeof ballotCredentials.getAuthority>;
