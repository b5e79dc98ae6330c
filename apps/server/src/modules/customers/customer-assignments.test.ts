import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Client;
let olive: Client;
beforeAll(async () => {
  portal = await testPortal();
  [corin, olive] = (await Promise.all(['corin', 'olive'].map(name => portal.as(name)))) as [Client, Client];
});
afterAll(() => portal[Symbol.asyncDispose]());

const facts = { netname: 'CUST-NEW', customer: 'New Customer', visibility: 'public' as const, economy: 'AU' };
const add = (resource: string, more: object = {}) =>
  corin(api.whoisCustomers.addAssignment, { account, body: { ...facts, resource, type: 'assigned', ...more } });
const objectOf = async (key: string) => (await corin(api.whois.getObject, { account, query: { class: 'inetnum', key } })).data ?? null;
const registered = (resource: string) => portal.db.read.rows(sql`select netname, visibility from assignment where resource = ${resource}`);

describe('an assignment', () => {
  test('that is public gets its whois object in the same change, loses it when made private, and is deleted with it', async () => {
    const { data, errors } = await add('198.18.10.0/25');
    expect(errors).toBeUndefined();
    const { assignmentId } = data!;
    const object = await objectOf('198.18.10.0 - 198.18.10.127');
    expect(object!.text).toMatch(/netname: +CUST-NEW\n/);
    expect(object!.text).toMatch(/descr: +New Customer\n/);
    expect(object!.text).toMatch(/status: +ASSIGNED NON-PORTABLE\n/);
    const put = (more: object) => corin(api.whoisCustomers.changeAssignment, { account, assignmentId, body: { ...facts, ...more } });
    await put({ netname: 'CUST-RENAMED', customer: 'Renamed' });
    expect((await objectOf('198.18.10.0 - 198.18.10.127'))!.text).toMatch(/netname: +CUST-RENAMED\n(.*\n)*descr: +Renamed\n/);
    // Fields left out of a change stay.
    const { netname, visibility } = facts;
    const { data: left } = await corin(api.whoisCustomers.changeAssignment, { account, assignmentId, body: { netname, visibility } });
    expect(left).toMatchObject({ customer: 'Renamed', economy: 'AU', visibility: 'public' });
    expect((await put({ visibility: 'private' })).data!.whois).toBeNull();
    expect(await objectOf('198.18.10.0 - 198.18.10.127')).toBeNull();
    expect((await put({ visibility: 'public' })).data!.whois).not.toBeNull();
    await corin(api.whoisCustomers.returnAssignment, { account, assignmentId });
    expect(await objectOf('198.18.10.0 - 198.18.10.127')).toBeNull();
    expect(await registered('198.18.10.0/25')).toEqual([]);
  });

  test('can be previewed by the same rules, without a trace', async () => {
    const preview = (resource: string, more: object = {}) =>
      corin(api.whoisCustomers.previewAssignment, { account, body: { ...facts, resource, type: 'assigned', ...more } });
    const { data } = await preview('198.18.10.0/25');
    expect(data).toMatchObject({ resource: '198.18.10.0/25', size: '128', delegation: '198.18.0.0/19', around: null, netname: 'CUST-NEW' });
    expect(data!.whois).toMatchObject({ class: 'inetnum', before: null, after: expect.stringMatching(/netname: +CUST-NEW\n/) });
    expect(await registered('198.18.10.0/25')).toEqual([]);
    expect(await objectOf('198.18.10.0 - 198.18.10.127')).toBeNull();
    expect((await portal.lastActivity())!.action).toBe('customers.previewAssignment');
    expect((await preview('198.18.24.64/27', { visibility: 'private' })).data).toMatchObject({ around: '198.18.24.0/24', whois: null });
    expect((await preview('198.18.10.0/25', { adminC: 'NB99-EX' })).errors![0]!.message).toContain('NB99-EX');
    expect((await preview('198.18.12.0/24')).errors![0]!.code).toBe('ASSIGNMENT_OVERLAPS');
  });

  test('that whois refuses is not registered either, and the reason is given', async () => {
    const refused = await add('198.18.10.128/25', { adminC: 'NB99-EX' });
    expect(refused.status).toBe(400);
    expect(refused.errors![0]!.message).toContain('NB99-EX');
    expect(await registered('198.18.10.128/25')).toEqual([]);
    expect((await add('198.18.12.0/24')).errors![0]!.code).toBe('ASSIGNMENT_OVERLAPS');
    expect((await add('203.0.113.0/25')).errors![0]!.code).toBe('ASSIGNMENT_OUTSIDE');
  });

  test('follows changes of its object in the editor: names, and whether whois shows it', async () => {
    const { assignmentId } = (await add('198.18.10.128/27', { description: 'Shop' })).data!;
    const key = '198.18.10.128 - 198.18.10.159';
    const { text } = (await objectOf(key))!;
    const write = async (changed: string) => {
      const { data } = await corin(api.whois.submitUpdates, { account, body: { updates: [{ text: changed }] } });
      expect(data!.outcomes.map(({ state }) => state)).toEqual(['ok']);
    };
    const now = async () => (await corin(api.whoisCustomers.getAssignment, { account, assignmentId })).data!;
    await write(
      text
        .replace('CUST-NEW', 'CUST-EDITED')
        .replace('Shop', 'Shop and store')
        .replace(/(country: +)AU/, '$1NZ'),
    );
    expect(await now()).toMatchObject({ netname: 'CUST-EDITED', description: 'Shop and store', economy: 'NZ', customer: 'New Customer' });
    // Assignments that only whois has are unaffected.
    const { updatedAt } = await now();
    await write(`${(await objectOf(key))!.text.trimEnd()}\nremarks: Call first\n`);
    expect((await now()).updatedAt).toBe(updatedAt);
    const last = (await objectOf(key))!.text;
    await write(`${last.trimEnd()}\ndelete: by mistake\n`);
    expect(await now()).toMatchObject({ visibility: 'private', whois: null });
    await write(last);
    expect(await now()).toMatchObject({ visibility: 'public', netname: 'CUST-EDITED' });
    await corin(api.whoisCustomers.returnAssignment, { account, assignmentId });
  });

  test('rests for thirty days after its return before another customer gets it, unless the member confirms', async () => {
    const { assignmentId } = (await add('198.18.10.192/26', { visibility: 'private', customer: 'First Shop' })).data!;
    await corin(api.whoisCustomers.returnAssignment, { account, assignmentId });
    const free = (await corin(api.whoisCustomers.listFreeSpace, { account, query: { kind: 'ipv4', length: 27, within: '198.18.0.0/19' } }))
      .data!;
    expect(free.resting[0]).toMatchObject({ resource: '198.18.10.192/26', customer: 'First Shop' });
    expect(free.rows.length).toBeGreaterThan(0);
    expect(free.rows.filter(({ resource }) => /^198\.18\.10\.(192|224)/.test(resource))).toEqual([]);
    const other = await add('198.18.10.192/27', { visibility: 'private' });
    expect(other.errors![0]).toMatchObject({ code: 'ASSIGNMENT_RESTS', message: expect.stringContaining('returned by First Shop') });
    expect(await registered('198.18.10.192/27')).toEqual([]);
    // Its previous customer may have it again, in another size too.
    const again = (await add('198.18.10.224/27', { visibility: 'private', customer: 'first shop' })).data!;
    await corin(api.whoisCustomers.returnAssignment, { account, assignmentId: again.assignmentId });
    expect((await add('198.18.10.192/27', { visibility: 'private', reuse: true })).data).toMatchObject({ customer: 'New Customer' });
    const csv = 'customer,range,netname\nAnybody,198.18.10.224/27,CUST-ANY\n';
    const imported = await corin(api.whoisCustomers.importAssignments, { account, body: { csv } });
    expect(imported.data!.rows[0]!.problem).toContain('rests until');
    const reused = await corin(api.whoisCustomers.importAssignments, { account, body: { csv, reuse: true } });
    expect(reused.data!.rows[0]!.problem).toBeNull();
  });

  test('of another account looks non-existent', async () => {
    const [{ id }] = (await portal.db.read.rows(
      sql`select assignment_id::text as id from assignment where account_name = ${account} limit 1`,
    )) as [{ id: string }];
    expect((await olive(api.whoisCustomers.getAssignment, { account: 'OTHER-SG', assignmentId: id })).status).toBe(404);
    expect((await olive(api.whoisCustomers.returnAssignment, { account: 'OTHER-SG', assignmentId: id })).status).toBe(404);
  });
});

describe('a network made in whois', () => {
  const network = (
    key: string,
    netname: string,
    more: { status?: string; descr?: string; country?: string; adminC?: string } = {},
  ): string => {
    const { status = 'ASSIGNED NON-PORTABLE', descr = 'Corner shop', country = 'AU', adminC = role } = more;
    const lines = {
      inetnum: key,
      netname,
      descr,
      country,
      'admin-c': adminC,
      'tech-c': role,
      status,
      'mnt-by': 'MAINT-AU-EXAMPLE',
      'mnt-irt': irt,
    };
    return `${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}\nsource: EXAMPLE\n`;
  };
  let role: string;
  let irt: string;
  beforeAll(async () => {
    const { text } = (await objectOf('198.18.2.0 - 198.18.2.255'))!;
    role = /admin-c: +(\S+)/.exec(text)![1]!;
    irt = /mnt-irt: +(\S+)/.exec(text)![1]!;
  });
  const write = async (...texts: string[]) =>
    (await corin(api.whois.submitUpdates, { account, body: { updates: texts.map(text => ({ text })) } })).data!.outcomes;
  const record = async (resource: string) => {
    const [row] = await portal.db.read.rows<{ id: string }>(
      sql`select assignment_id::text as id from assignment where resource = ${resource}`,
    );
    return row && (await corin(api.whoisCustomers.getAssignment, { account, assignmentId: row.id })).data!;
  };
  const remove = async (key: string) => `${(await objectOf(key))!.text.trimEnd()}\ndelete: no more used\n`;

  test('below an allocation is registered in the same change, follows it, and is deleted with it', async () => {
    const key = '198.18.26.0 - 198.18.26.63';
    expect((await write(network(key, 'SHOP-1'))).map(({ state }) => state)).toEqual(['ok']);
    expect(await record('198.18.26.0/26')).toMatchObject({
      netname: 'SHOP-1',
      description: 'Corner shop',
      customer: '',
      visibility: 'public',
      economy: 'AU',
      type: 'assigned',
      whois: { key: key.toLowerCase() },
    });
    expect((await portal.lastActivity())!.details).toMatchObject({ registered: ['198.18.26.0/26'] });
    await write((await objectOf(key))!.text.replace('SHOP-1', 'SHOP-ONE').replace(/(country: +)AU/, '$1NZ'));
    expect(await record('198.18.26.0/26')).toMatchObject({ netname: 'SHOP-ONE', economy: 'NZ' });
    await write(await remove(key));
    expect(await record('198.18.26.0/26')).toBeUndefined();
    expect((await portal.lastActivity())!.details).toMatchObject({ unregistered: ['198.18.26.0/26'] });
  });

  test('that is given a customer on the assignments page stays registered, as private, when its object is deleted', async () => {
    const key = '198.18.26.64 - 198.18.26.127';
    await write(network(key, 'SHOP-2'));
    const { assignmentId } = (await record('198.18.26.64/26'))!;
    await corin(api.whoisCustomers.changeAssignment, {
      account,
      assignmentId,
      body: { netname: 'SHOP-2', customer: 'Second Shop', description: '', economy: 'AU', visibility: 'public' },
    });
    await write(await remove(key));
    expect(await record('198.18.26.64/26')).toMatchObject({ visibility: 'private', customer: 'Second Shop' });
    // The object is created again: its record becomes public again, without a second one.
    await write(network(key, 'SHOP-2', { status: 'ALLOCATED NON-PORTABLE' }));
    expect(await record('198.18.26.64/26')).toMatchObject({
      assignmentId,
      visibility: 'public',
      customer: 'Second Shop',
      type: 'allocated',
    });
  });

  test('exists once when it was made on the assignments page, and with its depth when several are made together', async () => {
    await add('198.18.26.128/28');
    expect(await registered('198.18.26.128/28')).toHaveLength(1);
    const inner = network('198.18.27.0 - 198.18.27.15', 'INNER');
    const outer = network('198.18.27.0 - 198.18.27.255', 'OUTER', { status: 'ALLOCATED NON-PORTABLE' });
    const beside = network('198.18.28.0 - 198.18.28.2', 'ODD');
    expect((await write(inner, outer, beside)).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
    const levels = () =>
      portal.db.read.rows(
        sql`select netname, level from assignment where account_name = ${account} and netname in ('INNER', 'MIDDLE', 'OUTER', 'ODD') order by netname`,
      );
    const before = await levels();
    expect(before).toEqual([
      { netname: 'INNER', level: 1 },
      { netname: 'ODD', level: 0 },
      { netname: 'OUTER', level: 0 },
    ]);
    // A customer can't sub-allocate further.
    const [middle] = await write(network('198.18.27.0 - 198.18.27.127', 'MIDDLE', { status: 'ALLOCATED NON-PORTABLE' }));
    expect(middle!.problems.map(({ code }) => code)).toContain('parent-sub-allocated');
    expect(await levels()).toEqual(before);
    // A sub-allocation made around an assignment later moves it down.
    await write(network('198.18.28.0 - 198.18.28.255', 'AROUND-ODD', { status: 'ALLOCATED NON-PORTABLE' }));
    expect(await levels()).toContainEqual({ netname: 'ODD', level: 1 });
    await write(
      await remove('198.18.28.0 - 198.18.28.2'),
      await remove('198.18.28.0 - 198.18.28.255'),
      await remove('198.18.27.0 - 198.18.27.15'),
      await remove('198.18.27.0 - 198.18.27.255'),
    );
    expect(await levels()).toEqual([]);
  });

  test('is refused if it overlaps a private assignment, and nothing of it is stored', async () => {
    await add('198.18.29.0/26', { visibility: 'private', netname: 'HIDDEN' });
    const [across, inside, wide] = await write(
      network('198.18.29.32 - 198.18.29.95', 'ACROSS'),
      network('198.18.29.0 - 198.18.29.15', 'INSIDE'),
      network('198.18.29.128 - 198.18.29.159', 'BESIDE'),
    );
    expect([across!.state, inside!.state]).toEqual(['failed', 'failed']);
    expect(across!.problems[0]).toMatchObject({ code: 'registered-otherwise', message: expect.stringContaining('198.18.29.0/26') });
    expect(wide!.state).not.toBe('failed');
    expect(await objectOf('198.18.29.32 - 198.18.29.95')).toBeNull();
    expect(await registered('198.18.29.32/27')).toEqual([]);
    // It may enclose it as a network that is subdivided.
    const around = network('198.18.29.0 - 198.18.29.127', 'AROUND', { status: 'ALLOCATED NON-PORTABLE' });
    expect((await write(around)).map(({ state }) => state)).toEqual(['ok']);
    // With the private one inside, it stays registered.
    await write(await remove('198.18.29.0 - 198.18.29.127'));
    expect(await record('198.18.29.0/25')).toMatchObject({ visibility: 'private', netname: 'AROUND' });
  });

  describe.each(['atomic', 'best-effort'] as const)('in one text with others, %s, gets the same result as in texts of their own', mode => {
    type Step = { range: string; netname: string; more?: Record<string, string>; remove?: true };
    const allocated = { status: 'ALLOCATED NON-PORTABLE' };
    const at = (range: string): string =>
      range
        .split(' - ')
        .map(each => `198.18.66.${each}`)
        .join(' - ');
    const inPlace = sql`first >= '198.18.66.0' and last <= '198.18.66.255'`;
    const reset = async () => {
      const there = await portal.db.read.rows<{ key: string }>(sql`select key from whois_object where class = 'inetnum' and ${inPlace}`);
      if (there.length > 0) await write(...(await Promise.all(there.map(({ key }) => remove(key)))));
      await portal.db.change({ action: 'test', summary: 'Started anew', traceId: '0'.repeat(32), accountName: account }, change =>
        change.rows(sql`delete from assignment where ${inPlace}`),
      );
    };
    afterEach(reset);
    const sendIn = async (together: boolean, steps: readonly Step[]): Promise<string[]> => {
      const texts: string[] = [];
      const states: string[] = [];
      const send = async () => {
        const body = { mode, updates: texts.splice(0).map(text => ({ text })) };
        const { outcomes } = (await corin(api.whois.submitUpdates, { account, body })).data!;
        states.push(
          ...outcomes.map(({ state, problems }) => [state === 'skipped' ? 'failed' : state, ...problems.map(({ code }) => code)].join(' ')),
        );
      };
      for (const { range, netname, more, remove: goes } of steps) {
        const key = at(range);
        texts.push(goes ? await remove(key) : network(key, netname, more));
        if (!together) await send();
      }
      if (together) await send();
      return states;
    };
    const registered = () =>
      portal.db.read.rows(sql`select host(first) as first, host(last) as last, netname, type, visibility, level, from_whois
        from assignment where ${inPlace} order by assignment.first, assignment.last desc`);

    test.each<[title: string, before: () => Promise<unknown>, steps: readonly Step[], states: readonly string[]]>([
      [
        'a parent that takes the place of a private assignment, and a child',
        () => add('198.18.66.0/26', { visibility: 'private', netname: 'KEPT', reuse: true }),
        [
          { range: '0 - 63', netname: 'PARENT', more: allocated },
          { range: '0 - 15', netname: 'CHILD' },
        ],
        ['ok', 'ok'],
      ],
      [
        'a network deleted while a private one lies in it, and one across it',
        async () => {
          await write(network(at('0 - 127'), 'AROUND', allocated));
          await add('198.18.66.0/28', { visibility: 'private', netname: 'INNER', reuse: true });
        },
        [
          { range: '0 - 127', netname: 'AROUND', remove: true },
          { range: '64 - 191', netname: 'ACROSS' },
        ],
        ['ok', 'failed registered-otherwise'],
      ],
      [
        'a child deleted, and a network for all of the private assignment it lay in',
        async () => {
          await add('198.18.66.0/25', { type: 'allocated', visibility: 'private', netname: 'KEPT', reuse: true });
          await write(network(at('0 - 15'), 'CHILD'));
        },
        [
          { range: '0 - 15', netname: 'CHILD', remove: true },
          { range: '0 - 127', netname: 'AROUND' },
        ],
        ['ok', 'ok'],
      ],
    ])('%s', async (_title, before, steps, states) => {
      await before();
      expect(await sendIn(false, steps)).toEqual(states);
      const register = await registered();
      await reset();
      await before();
      const failing = states.some(state => state !== 'ok');
      const together = await sendIn(true, steps);
      if (mode === 'atomic' && failing) {
        expect(together.map(state => state.split(' ')[0])).toEqual(states.map(() => 'failed'));
        expect(together.at(-1)).toBe(states.at(-1));
      } else {
        expect(together).toEqual(states);
        expect(await registered()).toEqual(register);
      }
    });

    test('a refused parent doesn’t let its child in', async () => {
      await add('198.18.66.0/26', { visibility: 'private', netname: 'KEPT', reuse: true });
      const states = await sendIn(true, [
        { range: '0 - 63', netname: 'PARENT', more: { ...allocated, adminC: 'NB99-EX' } },
        { range: '0 - 15', netname: 'CHILD' },
      ]);
      expect(states[1]).toContain('failed registered-otherwise');
      expect(await registered()).toMatchObject([{ netname: 'KEPT', visibility: 'private' }]);
    });
  });

  test('from before is linked when it is registered on the assignments page, and cannot be registered as private', async () => {
    const key = '198.18.31.0 - 198.18.31.31';
    await write(network(key, 'OLDER'));
    await portal.db.change({ action: 'test', summary: 'Forgot it', traceId: '0'.repeat(32), accountName: account }, change =>
      change.rows(sql`delete from assignment where resource = '198.18.31.0/27'`),
    );
    const refused = await add('198.18.31.0/27', { visibility: 'private' });
    expect(refused.errors![0]!.message).toContain('whois already shows 198.18.31.0 - 198.18.31.31');
    expect(await registered('198.18.31.0/27')).toEqual([]);
    expect((await add('198.18.31.0/27', { netname: 'NEWER' })).data).toMatchObject({ netname: 'NEWER', whois: { key: key.toLowerCase() } });
    expect((await objectOf(key))!.text).toMatch(/netname: +NEWER\n/);
    expect(await registered('198.18.31.0/27')).toHaveLength(1);
  });

  test('in a text of many is registered by the task, and undone with it', async () => {
    const texts = Array.from({ length: 501 }, (_, n) => {
      const prefix = `2001:db8:7${n.toString(16).padStart(3, '0')}::/48`;
      return network(prefix, `MANY-${n}`).replace('inetnum', 'inet6num');
    });
    const { data } = await corin(api.whois.uploadText, { account, body: { text: texts.join('\n'), dryRun: false } });
    await portal.runTasks();
    const total = async () =>
      (
        await portal.db.read.rows<{ n: number }>(sql`select count(*)::int as n from assignment where netname like 'MANY-%' and from_whois`)
      )[0]!.n;
    expect(await total()).toBe(501);
    await corin(api.tasks.revertTask, { account, taskId: String(data!.taskId) });
    await portal.runTasks();
    expect(await total()).toBe(0);
  });
});

test('free space of a size is offered, and is free', async () => {
  const { data } = await corin(api.whoisCustomers.listFreeSpace, {
    account,
    query: { kind: 'ipv4', length: 26, within: '198.18.24.0/24' },
  });
  expect(data!.rows.map(({ resource }) => resource)).toEqual(['198.18.24.64/26', '198.18.24.192/26']);
});

test('customers are listed with what each has', async () => {
  const { data } = await corin(api.whoisCustomers.listCustomers, { account, query: { q: 'northwind' } });
  expect(data!.rows).toMatchObject([{ customer: 'Northwind Freight', assignments: 2, ipv4: '512' }]);
});

describe('a CSV file', () => {
  const csv = (...rows: string[]) => ['customer,range,kind,visibility,netname,description,economy', ...rows].join('\n');
  const send = (text: string, dryRun: boolean) => corin(api.whoisCustomers.importAssignments, { account, body: { csv: text, dryRun } });
  const good = csv('"Smith, Sons",198.18.11.0/26,assigned,public,CUST-SMITH,,AU', 'Jones,198.18.11.64/26,,private,CUST-JONES,,');

  test('is rehearsed without storing anything, then stored completely', async () => {
    expect((await send(good, true)).data).toMatchObject({ stored: false, rows: [{ problem: null }, { problem: null }] });
    // As spreadsheets save it: a byte order mark, before a quoted head as well.
    for (const marked of [`\ufeff${good}`, `\ufeff${good.replace('customer,range', '"customer","range"')}`])
      expect((await send(marked, true)).data).toEqual((await send(good, true)).data);
    expect(await registered('198.18.11.0/26')).toEqual([]);
    expect((await send(good, false)).data!.stored).toBe(true);
    expect(await registered('198.18.11.64/26')).toEqual([{ netname: 'CUST-JONES', visibility: 'private' }]);
    expect((await objectOf('198.18.11.0 - 198.18.11.63'))!.text).toContain('Smith, Sons');
  });

  test('with one wrong row stores nothing and reports the error of each line', async () => {
    const { data } = await send(
      csv('A,198.18.11.128/26,,private,CUST-A,,', 'B,198.18.11.128/27,,private,CUST-B,,', 'C,198.18.11.192/26,,hidden,c c,,'),
      false,
    );
    expect(data!.stored).toBe(false);
    expect(data!.rows.map(({ line, problem }) => [line, problem === null])).toEqual([
      [2, true],
      [3, false],
      [4, false],
    ]);
    expect(data!.rows[1]!.problem).toContain('198.18.11.128/26');
    expect(await registered('198.18.11.128/26')).toEqual([]);
    expect((await send('a,b\n1,2', true)).errors![0]!.message).toContain('range');
  });
});
