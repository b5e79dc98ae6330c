import { type Bench, type Figure, load, megabytes, milliseconds, percentile } from './bench.ts';
import { statementsOfCall } from './in-process.ts';
import { pg, portalData } from './portal-data.ts';
import { address, memoryOf, startProgram, temporaryFolder } from './program.ts';

const lines = 200_000;
const seconds = 5;
const connections = 8;
const account = 'EXAMPLE-AU';

/** A year of a busy account: lines of contacts, staff and the system over 365 days, some of them refused. */
const fill = `insert into activity (happened_at, action, summary, trace_id, account_name, login_issuer, login_subject, contact_id, amr, address, refusal, details)
  select now() - interval '364 days' * random(), (array['contacts.updateContact', 'contacts.inviteContact', 'contacts.askForPermission', 'demo.assign', 'registryRequests.approveRegistryRequest'])[1 + i % 5],
    'Changed something', md5(i::text), '${account}', case when i % 4 > 0 then 'http://localhost' end, case when i % 4 > 0 then 'somebody' end,
    case when i % 4 > 1 then c.contact_id::text end, case when i % 4 > 0 then array['pwd', 'mfa'] end, '192.0.2.7', case when i % 50 = 0 then 'NO_PERMISSION' end,
    jsonb_build_object('contact', 'Contact ' || i % 900)
  from generate_series(1, ${lines}) i cross join (select contact_id from contact where account_name = '${account}' order by full_name limit 1) c`;

const dayBefore = (days: number): string => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);

export const bench: Bench = {
  about: `the activity log of an account with ${lines.toLocaleString('en')} lines, ${connections} connections, ${seconds} s each, against the same statements sent by pg directly, and the whole of it as CSV`,
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const token = await data.tokenOf('corin');
    const client = new pg.Client({ connectionString: data.url });
    await client.connect();
    await client.query(fill);
    await client.query('vacuum analyze activity');
    const { rows: middle } = await client.query<{ activity_id: string }>(
      `select activity_id from activity where account_name = '${account}' order by happened_at desc offset 100000 limit 1`,
    );
    const year = `from=${dayBefore(364)}&to=${dayBefore(0)}`;
    const calls = [
      `/api/${account}/activity-log`,
      `/api/${account}/activity-log?${year}&before=${middle[0]!.activity_id}`,
      `/api/${account}/activity-log?${year}&category=resources&result=refused`,
      `/api/${account}/activity-log?${year}&q=nowhere`,
      `/api/${account}/activity-log/days`,
      `/api/${account}/activity-log/days?${year}`,
    ];
    const figures: Figure[] = [{ what: 'data', value: `${lines.toLocaleString('en')} lines beside ${data.about}` }];
    // Found before the program holds the port.
    const own = [];
    for (const call of calls) own.push(await statementsOfCall(data, call, token));
    const clients = await Promise.all(
      Array.from({ length: connections }, async () => {
        const one = new pg.Client({ connectionString: data.url });
        await one.connect();
        return one;
      }),
    );
    await using program = await startProgram(data.environment);
    const get = async (call: string): Promise<Response> => {
      const answer = await fetch(`${address}${call}`, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${await answer.text()}`);
      return answer;
    };
    for (const [index, call] of calls.entries()) {
      const statements = own[index]!;
      await (await get(call)).text();
      const portal = await load(async () => (await get(call)).text(), { workers: connections, seconds });
      const direct = await load(
        async worker => {
          for (const { text, values } of statements) await clients[worker]!.query(text, values);
        },
        { workers: connections, seconds },
      );
      const [ours, bare] = [percentile(portal.took, 0.95), percentile(direct.took, 0.95)];
      figures.push({
        what: call.replace(`/api/${account}`, '…').replace(year, 'a year'),
        value: `p95 ${milliseconds(ours)}; its ${statements.length} statements alone ${milliseconds(bare)}; ratio ${(ours / bare).toFixed(2)}`,
        budget: 'ratio 5',
        held: ours / bare <= 5,
      });
    }
    await Promise.all([client, ...clients].map(each => each.end()));

    const save = async (period: string) => {
      const started = performance.now();
      let bytes = 0;
      let rows = -1;
      let peak = 0;
      const answer = await get(`/api/${account}/activity-log/export?${period}&format=csv`);
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        for (const byte of chunk) if (byte === 10) rows++;
        peak = Math.max(peak, memoryOf(program.pid, 'VmRSS') ?? 0);
      }
      const took = ((performance.now() - started) / 1000).toFixed(1);
      return { rows, peak, words: `${rows.toLocaleString('en')} lines, ${megabytes(bytes)} in ${took} s, at most ${megabytes(peak)}` };
    };
    // What a tenth takes, all of them take: a file that was gathered first would take ten times that.
    const tenth = await save(`from=${dayBefore(36)}&to=${dayBefore(0)}`);
    const whole = await save(year);
    figures.push({ what: 'CSV of a tenth', value: tenth.words });
    figures.push({
      what: 'CSV of all lines',
      value: `${whole.words}, ${megabytes(whole.peak - tenth.peak)} more than a tenth`,
      budget: 'all lines, 60 MB more than a tenth',
      held: whole.rows >= lines && whole.peak - tenth.peak <= 60e6,
    });
    return figures;
  },
};
