import type { RequestCheck } from '@portal/contract/requests/requests';

/** A check as the request shows it: what is checked, what is known of it and from where, and the policy. */
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

/** A rule without room for judgement: met or not. */
export const metIf = (condition: boolean): 'met' | 'unmet' => (condition ? 'met' : 'unmet');

/** A test of need that misses its mark is no refusal: a hostmaster looks at it. */
export const metOrReview = (condition: boolean): 'met' | 'review' => (condition ? 'met' : 'review');

/** Returns whether something stands against sending: unmet, or not answered yet. */
export const blocks = (checks: readonly RequestCheck[]): RequestCheck | undefined =>
  checks.find(({ state }) => state === 'unmet' || state === 'open');

/** Returns whether policy allows it outright, so that no person has to check. */
export const allMet = (checks: readonly RequestCheck[]): boolean => checks.every(({ state }) => state === 'met');
