import { isUnmet, type RequestCheck } from '@portal/contract/requests/requests';

/**
 * A check as shown in a request: what is checked, the facts and their source, and the policy. A source is `Your answer` where the member states something about
 * the world that the registry knows from no one else, and `Your request` where it is only what the member wants, such as a size.
 */
export const check = (
  checkId: string,
  state: RequestCheck['state'],
  fact: string,
  known: string,
  source: string,
  policy: string,
): RequestCheck => ({
  checkId,
  fact,
  known,
  source,
  state,
  policy,
});

/** A rule without discretion: met or not. */
export const metIf = (condition: boolean): 'met' | 'unmet' => (condition ? 'met' : 'unmet');

/** A test of need that fails isn't a refusal: a hostmaster reviews it. */
export const metOrReview = (condition: boolean): 'met' | 'review' => (condition ? 'met' : 'review');

/** Returns whether a check prevents sending: unmet, or not answered yet. */
export const blocks = (checks: readonly RequestCheck[]): RequestCheck | undefined => checks.find(isUnmet);

/** Returns whether policy allows it outright, without review. */
export const allMet = (checks: readonly RequestCheck[]): boolean => checks.every(({ state }) => state === 'met');
