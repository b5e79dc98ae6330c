/** The purpose of a step-up, as sent to the embedded provider: an endpoint, and its target. */
export type StepUpPurpose = { purpose: string; purpose_object?: string };

/** Fields that identify the target of a change, the most telling first. */
const names = ['fullName', 'name', 'email', 'orgName', 'resource', 'prefix', 'range', 'netname', 'key', 'title', 'invoiceNumber', 'number'];
const LONGEST = 80;

/** Returns what a call was made for, to be shown where the second factor is asked for; null if no call asked for it. */
export function purposeOf(endpoint: string, input: unknown): StepUpPurpose | null {
  if (endpoint === '') return null;
  const given = (input ?? {}) as Record<string, unknown>;
  const body = typeof given['body'] === 'object' && given['body'] !== null ? (given['body'] as Record<string, unknown>) : {};
  const object = names.map(name => body[name] ?? given[name]).find(value => typeof value === 'string' && value.trim() !== '');
  return { purpose: endpoint, ...(typeof object === 'string' && object.length <= LONGEST && { purpose_object: object.trim() }) };
}
