/** A LIKE pattern that finds the text anywhere, with its wildcards escaped. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
