type Line = { saveData?: boolean; effectiveType?: string; rtt?: number };

const browserConnection = (): Line | undefined => (navigator as { connection?: Line }).connection;

/** Returns whether the person asked to save data: then nothing is preloaded. */
export const savesData = (line = browserConnection()): boolean => line?.saveData === true;

/** True on a connection on which preloading would delay what is needed now. False if the browser doesn't tell. */
export const isSlowConnection = (line = browserConnection()): boolean => savesData(line) || (line?.effectiveType ?? '4g') !== '4g';

/** Time of an answer on a slow connection, in ms: where a person sees the page being put together. */
const longMs = 300;

/** True on a connection with a round-trip time of 300 ms or more. False if the browser doesn't tell. */
export const hasHighLatency = (line = browserConnection()): boolean => isSlowConnection(line) || (line?.rtt ?? 0) >= longMs;
