import path from 'node:path';
import { buildWeb, isWebBuilt } from '../web/build-web.ts';
import { root } from '../root.ts';
import { type Bench, megabytes } from './figures/bench.ts';
import { memoryOf, startProgram, temporaryFolder } from './programs/program.ts';
import { readFileSync } from 'node:fs';

/** The server below `npm start`: the last process of the line. */
function lastChild(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children[0] === undefined ? pid : lastChild(children[0]);
}

export const bench: Bench = {
  about: 'npm start on the embedded database: the first start with its demo registry, then again; memory ten seconds after',
  run: async () => {
    await using temporary = temporaryFolder();
    if (!(await isWebBuilt())) await buildWeb();
    const environment = { DATA_DIR: temporary.folder };
    const command = [process.execPath, path.join(root, 'tools/run.mjs'), 'start'];
    const start = async (restMs: number) => {
      await using program = await startProgram(environment, command);
      await new Promise(resolve => setTimeout(resolve, restMs));
      return { seconds: program.seconds, memory: memoryOf(lastChild(program.pid), 'VmRSS') };
    };
    const first = await start(0);
    const second = await start(10_000);
    return [
      { what: 'first start, web built', value: `${first.seconds.toFixed(2)} s` },
      { what: 'second start', value: `${second.seconds.toFixed(2)} s`, budget: '5 s', held: second.seconds < 5 },
      second.memory === null
        ? { what: 'memory at rest', value: 'not measured on this system' }
        : { what: 'memory at rest', value: megabytes(second.memory), budget: '450 MB', held: second.memory <= 450e6 },
    ];
  },
};
