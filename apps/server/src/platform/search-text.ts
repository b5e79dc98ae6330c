/** A pattern for LIKE that finds the text anywhere, its own wildcards taken literally. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
