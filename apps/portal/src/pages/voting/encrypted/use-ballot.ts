import type { ServiceFailure } from '@portal/app-kit';
import { useEffect, useRef, useState } from 'react';
import type { BallotTasks, SentBallot } from './ballot-tasks.ts';
import workerAddress from './ballot-worker.ts?worker&url';
import type { BallotForm, CastBallot, Stage } from './cast-ballot.ts';
import { openWorker, TaskRefusal, type WorkerProgram } from './worker-call.ts';

/** Starts the worker of a ballot, which ends with the page and forgets what it held. */
function useBallotProgram(parameters: string): () => WorkerProgram<BallotTasks> {
  const program = useRef<WorkerProgram<BallotTasks> | null>(null);
  const start = () => {
    if (!program.current) {
      program.current = openWorker<BallotTasks>(workerAddress);
      // Its tables are made while the voter chooses. A failure is shown when the ballot is encrypted.
      program.current.run('prepare', parameters).catch(() => undefined);
    }
    return program.current;
  };
  useEffect(() => {
    start();
    return () => {
      program.current?.end();
      program.current = null;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the parameters of an election don't change
  }, []);
  return start;
}

/** How a ballot is sent: for a contact of the account, or for its proxy. */
export type BallotCasting = {
  mutate: (body: SentBallot) => void;
  reset: () => void;
  isPending: boolean;
  error: ServiceFailure | null;
};

type Given = {
  form: BallotForm;
  casting: BallotCasting;
  cast: CastBallot | null;
  /** Called before a ballot is sent. */
  onSend: (tracker: string) => void;
};

/** A ballot on its way from the choice to the archive. What is sent is one ballot, however often it is sent. */
export function useBallot({ form, casting, cast: inBox, onSend }: Given) {
  const start = useBallotProgram(form.parameters);
  const [stage, setStage] = useState<Stage>({ at: 'choose' });
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const sent = useRef<SentBallot | null>(null);
  // Nothing needs the code once the ballot is in the box.
  if (inBox && code !== '') setCode('');

  const encrypt = async () => {
    setProblem(null);
    sent.current = null;
    casting.reset();
    setStage({ at: 'encrypting', done: 0, all: 0 });
    try {
      const program = start();
      // Repeated for a program that could not be loaded before.
      await program.run('prepare', form.parameters);
      const sealed = await program.run('encrypt', { code, chosen: chosen.toSorted((a, b) => a - b) }, (done, all) =>
        setStage({ at: 'encrypting', done, all }),
      );
      setStage({ at: 'encrypted', sealed });
    } catch (error) {
      setProblem(
        error instanceof TaskRefusal
          ? error.message
          : `The ballot couldn’t be encrypted: ${error instanceof Error ? error.message : String(error)}`,
      );
      setStage({ at: 'review' });
    }
  };
  const cast = async (tracker: string) => {
    sent.current ??= await start().run('seal', undefined);
    onSend(tracker);
    casting.mutate(sent.current);
  };
  const check = async () => setStage({ at: 'opened', opened: await start().run('open', undefined) });
  const goTo = (at: 'choose' | 'review') => {
    casting.reset();
    setStage({ at });
  };
  return {
    stage,
    chosen,
    choose: setChosen,
    code,
    setCode: (typed: string) => {
      setProblem(null);
      setCode(typed);
    },
    problem,
    encrypt,
    cast,
    check,
    goTo,
    casting,
    /** The ballot has been sent: it can be sent again, and not opened any more. */
    wasSent: casting.isPending || casting.error !== null,
  };
}

export type BallotInHand = ReturnType<typeof useBallot>;
