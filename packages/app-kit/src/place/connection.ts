type Line = { saveData?: boolean; effectiveType?: string; rtt?: number };

const browserConnection = (): Line | undefined => (navigator as { connection?: Line }).connection;

/** Returns whether the person asked to save data: then nothing is loaded ahead. */
export const savesData = (line = browserConnection()): boolean => line?.saveData === true;

/** True on a line on which what may be needed later would keep what is needed now waiting. Browsers that do not tell have a good one. */
export const isSlowConnection = (line = browserConnection()): boolean => savesData(line) || (line?.effectiveType ?? '4g') !== '4g';

/** Time of an answer on a long line, in ms: where a person sees the page being put together. */
const longMs = 300;

/** True on a line on which each answer takes 300 ms and more. Browsers that do not tell have a short one. */
export const hasHighLatency = (line = browserConnection()): boolean => isSlowConnection(line) || (line?.rtt ?? 0) >= longMs;
