/** A finding about an object. `error` refuses the object, `warning` and `info` go with an accepted one. */
export interface RpslProblem {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable name for programs, kebab-case: `attribute-missing`. */
  readonly code: string;
  /** Index in the object's attributes; null when the whole object is meant. */
  readonly attribute: number | null;
  /** From 1 in the text the object was read from; null for objects that were not read from text, and for what is missing. */
  readonly line: number | null;
  /** A sentence for members: what is wrong and what would be right. */
  readonly message: string;
}

/** Findings about one object that are named; the others are counted. */
export const maxProblems = 100;

/** The findings about an object that are named, errors before all others where there are more than that, and after them how many more there are. */
export function firstProblems<Problem extends RpslProblem>(problems: readonly Problem[]): (Problem | RpslProblem)[] {
  if (problems.length <= maxProblems) return [...problems];
  const errors = problems.filter(({ severity }) => severity === 'error');
  const named = new Set([...errors, ...problems.filter(({ severity }) => severity !== 'error')].slice(0, maxProblems));
  const left = problems.length - named.size;
  return [
    ...problems.filter(each => named.has(each)),
    {
      severity: errors.length > maxProblems ? 'error' : 'info',
      code: 'more-problems',
      attribute: null,
      line: null,
      message: `There are ${left} more problems like these in this object`,
    },
  ];
}

/** Quotes the member's text for a message. */
export function quote(text: string): string {
  // Not between the halves of a character: databases refuse half of one.
  return text.length > 60 ? `${text.slice(0, 57).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
