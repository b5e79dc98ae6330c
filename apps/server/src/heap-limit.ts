/** Share of the memory of a process that V8 may use for old objects: it collects garbage in time for that, and not for the limit of 4 GB that it has without. The rest is for code, bodies and threads. */
const HEAP_SHARE = 0.6;
const flag = '--max-old-space-size';

/** The flags of Node.js for a program with so much memory. @param megabytes MEMORY_MEGABYTES */
export const heapFlagsFor = (megabytes: number): string[] => [`${flag}=${Math.round(megabytes * HEAP_SHARE)}`];

/** Starts this program again, in the same process, with the heap that its memory leaves: V8 takes this limit only at the start. Where the system can't (Windows), it goes on without. @param megabytes MEMORY_MEGABYTES; 0: none @param environment of this process */
export function limitHeap(megabytes: number, environment: NodeJS.ProcessEnv): void {
  const isSet = [...process.execArgv, environment.NODE_OPTIONS ?? ''].some(argument => argument.includes(flag));
  if (megabytes === 0 || isSet || !process.execve || process.platform === 'win32') return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...heapFlagsFor(megabytes), ...process.argv.slice(1)],
    environment,
  );
}
