/** The purpose of a request for a second factor, as the embedded provider takes it with its request: an endpoint, and what it is done to. */
export type StepUpPurpose = { purpose: string; purpose_object?: string };

/** Fields that name what a change is about, the most telling first. */
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
