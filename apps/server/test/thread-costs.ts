import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Processor time in ms that this thread takes for `work`, whatever else the machine does. */
export async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Processor time in ms that this thread takes for `work`, whatever else the machine does, and the longest, in ms, for which it heard nothing else. */
export async function costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpu: number; block: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.threadCpuUsage();
  delay.enable();
  const answer = await work();
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, cpu: (user + system) / 1000, block: delay.max / 1e6 };
}
