/** Work of a document's first script, which runs before the application's code has arrived. */
type FirstScript = {
  /** Settles once this tab knows who is signed in; the portal starts then. Never rejects. */
  calls: Promise<void>;
};
declare global {
  interface Window {
    /** Set by apps/portal/src/first-script.ts, which is in the HTML; undefined in documents without it. */
    firstScript?: FirstScript;
  }
}

/** Settles once the first script has asked for what it asks for, and knows who is signed in in this tab. */
export const earlyCalls = (): Promise<void> => window.firstScript?.calls ?? Promise.resolve();
