/** The error of a text that is left out, in place of words about types: `z.string(ifMissing('Enter a date'))`. */
export const ifMissing = (words: string) => ({
  error: ({ input }: { input?: unknown }): string | undefined => (input === undefined ? words : undefined),
});
