/** The error for a missing text, instead of one about types: `z.string(ifMissing('Enter a date'))`. */
export const ifMissing = (words: string) => ({
  error: ({ input }: { input?: unknown }): string | undefined => (input === undefined ? words : undefined),
});
