import { type Bench, type Figure, milliseconds, percentile } from './figures/bench.ts';
import { keptRegions } from './data/kept-region.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';
import { statisticsFile } from './data/statistics.ts';

const LARGE = 1_000_000;
/** Each search is sent so often, with another holder each time. */
const TIMES = Number(process.env.BENCH_TIMES ?? 15);
/** The longest that the median of a search may take, in ms. */
const BUDGET = 100;

/** Searches, of a holder by its number. Holders of low numbers have most objects, as everywhere. */
const searches: readonly (readonly [what: string, query: (id: number) => string])[] = [
  ['ips?name=, the whole name', id => `ips?name=h${id}-net-${400_000 + id}`],
  ['ips?name=, a beginning with few matches', id => `ips?name=h${id}-net-9*`],
  ['ips?name=, a beginning with many matches', id => `ips?name=h${(id % 9) + 1}*`],
  ['ips?name=, stars inside', id => `ips?name=h${(id % 9) + 1}*net*7`],
  ['ips?name=, stars inside and no match', id => `ips?name=h${(id % 9) + 1}*q`],
  ['ips?handle=, a beginning', id => `ips?handle=1.${id % 200}.*`],
  ['ips?handle=, a wide beginning', id => `ips?handle=${10 + (id % 9)}*`],
  ['autnums?name=, the whole name', id => `autnums?name=h${id}-as`],
  ['autnums?name=, a beginning with many matches', id => `autnums?name=h${(id % 9) + 1}*`],
  ['autnums?name=, stars inside', id => `autnums?name=h${(id % 9) + 1}*5-as`],
  ['autnums?handle=, a beginning', id => `autnums?handle=as13${id % 10}*`],
  ['entities?fn=, the whole name of a person', id => `entities?fn=anna%20admin${id}`],
  ['entities?fn=, a beginning', id => `entities?fn=anna%20admin${id % 100}*`],
  ['entities?fn=, a word that all have', id => `entities?fn=holder%20${id % 100}*`],
  ['entities?fn=, a role', id => `entities?fn=network*h${id}`],
  ['entities?fn=, a word that all have and no match', () => 'entities?fn=network%20nowhere*'],
  ['entities?fn=, stars inside', id => `entities?fn=an*min${id}`],
  ['entities?fn=, two letters', () => 'entities?fn=no*'],
  ['entities?handle=, a beginning', id => `entities?handle=aa${id % 100}*`],
  ['entities?handle=, two letters', () => 'entities?handle=aa*'],
  ['domains?name=, a zone around', id => `domains?name=*.${id % 200}.1.in-addr.arpa`],
];

export const bench: Bench = {
  about: `RDAP searches on PostgreSQL with a whole region of ${LARGE.toLocaleString('en')} objects, over HTTP, one after another: medians and slowest of ${TIMES}`,
  run: async () => {
    await using temporary = temporaryFolder();
    const { file, about } = await statisticsFile(temporary.folder);
    await using regions = await keptRegions(file);
    const { url } = await regions.region(LARGE);
    await using _program = await startProgram({
      DATA_DIR: temporary.folder,
      DATABASE_URL: url,
      DEMO: 'off',
      ROLES: 'web',
      WHOIS_PORT: '0',
    });
    const figures: Figure[] = [{ what: 'data', value: about }];
    for (const [what, query] of searches) {
      const took: number[] = [];
      const sizes: number[] = [];
      for (let time = 0; time <= TIMES; time++) {
        const asked = query(1 + time * 7);
        const started = performance.now();
        const answer = await fetch(`${address}/rdap/${asked}`);
        const body = (await answer.json()) as Record<string, unknown>;
        if (answer.status !== 200) throw new Error(`${asked} answered ${answer.status} ${JSON.stringify(body)}`);
        // The first of a kind plans its statement.
        if (time > 0) took.push(performance.now() - started);
        sizes.push(
          Object.values(body).find(
            (value): value is object[] => Array.isArray(value) && typeof value[0] === 'object' && 'objectClassName' in value[0],
          )?.length ?? 0,
        );
      }
      const median = percentile(took, 0.5);
      figures.push({
        what,
        value: `${milliseconds(median)}, ${milliseconds(Math.max(...took))} at most, ${Math.min(...sizes)} to ${Math.max(...sizes)} results`,
        budget: `${BUDGET} ms`,
        held: median <= BUDGET,
      });
    }
    return figures;
  },
};
