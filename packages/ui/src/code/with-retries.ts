/** Pauses before code that did not come is asked for again, in ms. */
const pausesMs = [500, 2000];

/** Returns a loader for code that asks again when the line broke. */
export const withRetries =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    load().catch(async (error: unknown) => {
      for (const ms of pausesMs) {
        await new Promise(resolve => setTimeout(resolve, ms));
        try {
          return await load();
        } catch {
          // Asked again, or given up below.
        }
      }
      throw error;
    });
