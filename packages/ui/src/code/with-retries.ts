/** Pauses before loading failed code again, in ms. */
const pausesMs = [500, 2000];

/** Returns a loader that retries if the connection broke. */
export const withRetries =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    load().catch(async (error: unknown) => {
      for (const ms of pausesMs) {
        await new Promise(resolve => setTimeout(resolve, ms));
        try {
          return await load();
        } catch {
          // Retried, or abandoned below.
        }
      }
      throw error;
    });
