/** What is wrong with a text that should have been a number resource. */
export type ResourceSyntaxCode =
  | 'EMPTY'
  | 'NOT_AN_ADDRESS'
  | 'NOT_AN_AS_NUMBER'
  | 'NOT_A_REVERSE_ZONE'
  | 'LEADING_ZERO'
  | 'ZONE_ID'
  | 'PREFIX_LENGTH'
  | 'HOST_BITS_SET'
  | 'RANGE_INCOMPLETE'
  | 'RANGE_REVERSED'
  | 'MIXED_FAMILIES'
  | 'AMBIGUOUS'
  | 'NOT_ACCEPTED';

/**
 * A text that cannot be read. The message is one sentence for members: it names what is wrong and, where it can be told, what would be right;
 * `suggestion` is that right text alone, ready to be put into the field.
 */
export class ResourceSyntaxError extends Error {
  readonly code: ResourceSyntaxCode;
  readonly suggestion: string | undefined;

  constructor(code: ResourceSyntaxCode, message: string, suggestion?: string) {
    super(suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`);
    this.name = 'ResourceSyntaxError';
    this.code = code;
    this.suggestion = suggestion;
  }
}

/** The member's text as it may stand in a message: a pasted page must not become one. */
export function quoteInput(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
