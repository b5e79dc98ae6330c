import { useEffect, useRef, useState } from 'react';
import { openWorker, TaskRefusal, type WorkerProgram } from '../encrypted/worker-call.ts';
import type { CeremonyTasks } from './ceremony-tasks.ts';
import workerAddress from './ceremony-worker.ts?worker&url';

/** Work of the ceremony program: whether it runs, how much is done, and why it failed. */
export function useProgram() {
  const program = useRef<WorkerProgram<CeremonyTasks> | null>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<{ done: number; all: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(
    () => () => {
      program.current?.end();
      program.current = null;
    },
    [],
  );
  /** Runs work with the program; null when it failed, and `problem` says why. */
  const run = async <Made>(
    work: (run: WorkerProgram<CeremonyTasks>['run'], onProgress: (done: number, all: number) => void) => Promise<Made>,
  ): Promise<Made | null> => {
    program.current ??= openWorker<CeremonyTasks>(workerAddress);
    setBusy(true);
    setProblem(null);
    setDone(null);
    try {
      return await work(program.current.run, (part, all) => setDone({ done: part, all }));
    } catch (error) {
      setProblem(error instanceof TaskRefusal ? error.message : `It failed: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, done, problem };
}

/**
 * The archive of an election as everyone downloads it.
 * @throws TaskRefusal when it isn’t there
 */
export async function loadArchive(electionId: string): Promise<Uint8Array> {
  const answer = await fetch(`/elections/${electionId}/archive`, { cache: 'no-cache' });
  if (!answer.ok) throw new TaskRefusal('The archive isn’t public yet: the election is published first.');
  return new Uint8Array(await answer.arrayBuffer());
}
