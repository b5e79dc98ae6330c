/** A pattern for LIKE that finds the text anywhere, its own wildcards taken literally. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
