/** Kinds of errors in the text of a number resource. */
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
 * A text that can't be parsed. The message is one sentence for members: it names the error and, if known, the correct text;
 * `suggestion` is that text alone, ready for the field, and `reason` the sentence without it, for places that offer it separately.
 */
export class ResourceSyntaxError extends Error {
  readonly code: ResourceSyntaxCode;
  readonly reason: string;
  readonly suggestion: string | undefined;

  constructor(code: ResourceSyntaxCode, message: string, suggestion?: string) {
    super(suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`);
    this.name = 'ResourceSyntaxError';
    this.code = code;
    this.reason = message;
    this.suggestion = suggestion;
  }
}

/** Quotes the member's text for a message: a pasted page is shortened. */
export function quoteInput(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
