import type { CallAnswer } from '@portal/app-kit';
import type { ballotTrustees } from '@portal/contract/encrypted-ballots/trustees';

/** The ballot as one of its trustees sees it. */
export type TrusteeView = CallAnswer<typeof ballotTrustees.getTrustee>;
