import path from 'node:path';
import { root } from '../root.ts';
import { type Bench, milliseconds } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { statementsOfCall } from './programs/in-process.ts';
import { portalData } from './data/portal-data.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';

const call = '/api/accounts';
const load = { connections: 32, seconds: 8 };

export const bench: Bench = {
  about: `an authenticated read with one statement (GET ${call}, max of the demo registry, 32 connections, 8 s) on PostgreSQL, against bare node:http with pg and the same statement`,
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const token = await data.tokenOf('max');
    const statements = await statementsOfCall(data, call, token);

    const portal = await (async () => {
      await using _program = await startProgram(data.environment);
      await httpLoad(`${address}${call}`, { ...load, seconds: 2, token });
      return await httpLoad(`${address}${call}`, { ...load, token });
    })();
    const bare = await (async () => {
      const [statement] = statements;
      const environment = { DATABASE_URL: data.url, STATEMENT: statement!.text, VALUES: JSON.stringify(statement!.values) };
      await using _server = await startProgram(environment, [process.execPath, path.join(root, 'tools/bench/programs/bare-server.ts')]);
      await httpLoad(address, { ...load, seconds: 2 });
      return await httpLoad(address, load);
    })();
    const ratio = portal.perSecond / bare.perSecond;
    return [
      { what: 'statements of the call', value: String(statements.length), budget: '1', held: statements.length === 1 },
      {
        what: 'portal',
        value: `${Math.round(portal.perSecond)} a second, p50 ${milliseconds(portal.p50)}, p99 ${milliseconds(portal.p99)}, ${portal.wrong} wrong`,
      },
      {
        what: 'bare',
        value: `${Math.round(bare.perSecond)} a second, p50 ${milliseconds(bare.p50)}, p99 ${milliseconds(bare.p99)}, ${bare.wrong} wrong`,
      },
      {
        what: 'ratio',
        value: `${ratio.toFixed(2)} of bare`,
        held: ratio >= 0.6 && portal.wrong + bare.wrong === 0,
        budget: '0.60, no wrong answer',
      },
    ];
  },
};
