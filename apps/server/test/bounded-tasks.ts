import { serveTasks } from '../src/platform/bounded-thread-tasks.ts';

/** A task of the thread that tests have: it answers, asks for more, fails, or breaks a limit. */
export type TestTask =
  | { kind: 'echo'; text: string }
  | { kind: 'ask'; what: string; times: number }
  | { kind: 'fail' }
  | { kind: 'never' }
  | { kind: 'grow' }
  | { kind: 'exit' };

serveTasks<TestTask>(async (task, need) => {
  switch (task.kind) {
    case 'echo':
      return task.text;
    case 'ask': {
      const given: string[] = [];
      for (let time = 0; time < task.times; time++) given.push(await need<string>(`${task.what} ${time}`));
      return given;
    }
    case 'fail':
      throw new Error('A defect');
    case 'never':
      for (;;);
    case 'grow': {
      const kept: number[][] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + kept.length));
    }
    case 'exit':
      process.exit();
  }
});
