/** A policy that does not follow the grammar. The message says what was expected where. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}
