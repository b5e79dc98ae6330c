import { type Bench, milliseconds, percentile } from './bench.ts';
import { portalData } from './portal-data.ts';
import { address, startProgram, temporaryFolder } from './program.ts';

export const bench: Bench = {
  about: 'registry staff finds a holder over a whole registry (GET /api/staff/holders), one connection, 60 times each',
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const token = await data.tokenOf('stella');
    const { accountName } = await data.largest('ipv4');
    await using _program = await startProgram(data.environment);
    const questions: [string, string][] = [
      ['an address', '1.32.5.1'],
      ['a prefix', '1.32.0.0/16'],
      ['a short prefix', '1.0.0.0/8'],
      ['an IPv6 prefix', '2400:80::/32'],
      ['an AS number', 'AS131074'],
      ['an account', accountName],
      ['part of a name', 'net'],
      ['nothing', 'zzzzzz'],
    ];
    const all: number[] = [];
    const figures = [{ what: 'data', value: data.about }];
    for (const [what, question] of questions) {
      const took: number[] = [];
      for (let time = 0; time < 65; time++) {
        const from = performance.now();
        const answer = await fetch(`${address}/api/staff/holders?q=${encodeURIComponent(question)}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (!answer.ok) throw new Error(`${question} was answered ${answer.status}: ${await answer.text()}`);
        await answer.text();
        if (time >= 5) took.push(performance.now() - from);
      }
      all.push(...took);
      figures.push({
        what: `${what} (${question})`,
        value: `p50 ${milliseconds(percentile(took, 0.5))}, p95 ${milliseconds(percentile(took, 0.95))}`,
      });
    }
    const p95 = percentile(all, 0.95);
    return [...figures, { what: 'all', value: `p95 ${milliseconds(p95)}`, budget: '30 ms', held: p95 <= 30 }];
  },
};
