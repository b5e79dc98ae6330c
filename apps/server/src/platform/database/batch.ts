import type { Database } from './database.ts';

type Call<Asked, Answer> = { asked: Asked; resolve: (answer: Answer) => void; reject: (error: unknown) => void };

/** How long, in ms, calls wait for the previous statement; one that waits for a lock must not hold up the others. */
const PATIENCE_MS = 20;
const MAX = 100;
/** Errors caused by a single row: bad data, a violated constraint, a deadlock. The whole statement is undone then. */
const ONE_ROW = /^(?:22|23|40)/;

/**
 * Batches calls into one statement: those of one turn of the event loop, and those that arrive while a statement is running. On the embedded
 * database, which runs one statement at a time, they wait for any batch, and consecutive turns with calls count as one. Each call gets its own
 * answer; one whose data the database refuses doesn't affect the others.
 * @param run runs one statement for all the calls, and returns the answers in their order; all or nothing is written
 */
export function inBatches<Asked, Answer>(
  run: (db: Database, asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (db: Database, asked: Asked) => Promise<Answer> {
  const queues = new WeakMap<Database, (call: Call<Asked, Answer>) => void>();
  return (db, asked) =>
    new Promise((resolve, reject) => {
      const enqueue = queues.get(db) ?? queue<Asked, Answer>(db, each => run(db, each));
      queues.set(db, enqueue);
      enqueue({ asked, resolve, reject });
    });
}

/** Calls back when it is the caller's turn; the caller says when that is over. */
type Turns = (turn: (end: () => void) => void) => void;

const embeddedTurns = new WeakMap<Database, Turns>();

function turnsOf(db: Database): Turns {
  if (db.kind !== 'embedded') return oneAfterAnother();
  const turns = embeddedTurns.get(db) ?? oneAfterAnother();
  embeddedTurns.set(db, turns);
  return turns;
}

function oneAfterAnother(): Turns {
  const waiting: ((end: () => void) => void)[] = [];
  let busy = false;
  const next = (): void => {
    const turn = waiting.shift();
    busy = turn !== undefined;
    if (!turn) return;
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      clearTimeout(alarm);
      next();
    };
    const alarm = setTimeout(end, PATIENCE_MS);
    turn(end);
  };
  return turn => {
    waiting.push(turn);
    if (busy) return;
    busy = true;
    setImmediate(next);
  };
}

function queue<Asked, Answer>(
  db: Database,
  run: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (call: Call<Asked, Answer>) => void {
  const turns = turnsOf(db);
  const waiting: Call<Asked, Answer>[] = [];
  const send = (end: () => void): void => {
    void settle(waiting.splice(0, MAX), run).then(end);
    if (waiting.length > 0) turns(start);
  };
  const gather = (end: () => void): void => {
    const known = waiting.length;
    setImmediate(() => (waiting.length > known && known < MAX ? gather(end) : send(end)));
  };
  // On the embedded database a statement costs more than another call in it, so it pays to wait for more calls.
  const start = db.kind === 'embedded' ? gather : send;
  return call => {
    waiting.push(call);
    if (waiting.length === 1) turns(start);
  };
}

/** Runs a batch and settles every call; never fails itself. */
async function settle<Asked, Answer>(
  calls: readonly Call<Asked, Answer>[],
  run: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await run(calls.map(({ asked }) => asked));
    for (const [place, { resolve }] of calls.entries()) resolve(answers[place]!);
  } catch (error) {
    if (calls.length > 1 && ONE_ROW.test((error as { code?: string }).code ?? ''))
      await Promise.all(calls.map(call => settle([call], run)));
    else for (const { reject } of calls) reject(error);
  }
}
