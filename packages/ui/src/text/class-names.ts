/** One `class` attribute from parts, leaving out those that are off. */
export const classNames = (...parts: (string | false | null | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(' ') || undefined;
