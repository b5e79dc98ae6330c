import { type Bench, type Figure, load, milliseconds, percentile } from './figures/bench.ts';
import { httpLoad } from './programs/http-load.ts';
import { statementsOfCall } from './programs/in-process.ts';
import { pg, portalData } from './data/portal-data.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';

const connections = 32;
const seconds = 8;

export const bench: Bench = {
  about: `the resources of the largest holders of a whole registry, ${connections} connections, ${seconds} s each, against the same statements sent by pg directly`,
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const token = await data.tokenOf('stella');
    const figures: Figure[] = [{ what: 'data', value: data.about }];
    const largest = await data.largest('ipv4');
    const account = encodeURIComponent(largest.accountName);
    {
      // Registry staff read an account during a visit only.
      await using _program = await startProgram(data.environment);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const visit = await fetch(`${address}/api/staff/accounts/${account}/visit`, { method: 'POST', headers, body: '{}' });
      if (!visit.ok) throw new Error(`The visit was answered ${visit.status}: ${await visit.text()}`);
    }
    const calls = [
      `/api/${account}/resources/summary`,
      `/api/${account}/resources/delegations?kind=ipv4&limit=50`,
      `/api/${account}/resources/delegations?kind=ipv4&sort=size&direction=desc&limit=50`,
      `/api/${account}/resources/address-map?kind=ipv4`,
    ];
    figures.push({ what: 'account', value: `${largest.accountName}, ${largest.delegations} IPv4 delegations` });
    for (const call of calls) {
      const statements = await statementsOfCall(data, call, token);
      const portal = await (async () => {
        await using _program = await startProgram(data.environment);
        await httpLoad(`${address}${call}`, { connections, seconds: 2, token });
        return await httpLoad(`${address}${call}`, { connections, seconds, token });
      })();
      const clients = await Promise.all(
        Array.from({ length: connections }, async () => {
          const client = new pg.Client({ connectionString: data.url });
          await client.connect();
          return client;
        }),
      );
      const direct = await load(
        async worker => {
          for (const { text, values } of statements) await clients[worker]!.query(text, values);
        },
        { workers: connections, seconds },
      );
      await Promise.all(clients.map(client => client.end()));
      const p99 = percentile(direct.took, 0.99);
      figures.push({
        what: call.replace(account, '…'),
        value: `p99 ${milliseconds(portal.p99)}, ${Math.round(portal.perSecond)} a second, ${portal.wrong} wrong; its ${statements.length} statements alone p99 ${milliseconds(p99)}, ${Math.round(direct.perSecond)} a second; ratio of p99 ${(portal.p99 / p99).toFixed(2)}`,
        budget: 'ratio 3, no wrong answer',
        held: portal.wrong === 0 && portal.p99 / p99 <= 3,
      });
    }
    return figures;
  },
};
