import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectedAuthority, provisioningType, publicationType } from '../../../test/connected-authority.ts';
import { kindsForRules, testPortal } from '../../../test/portal.ts';
import { publishAll } from './repository/publisher.ts';
import { messageQueue } from './waiting-messages.ts';

test.each(kindsForRules)(
  'on %s a message that ended the publisher twice is set aside, holds up no other, and is answered or dropped from the desk',
  async kind => {
    await using portal = await testPortal(kind);
    const own = await connectedAuthority(portal);
    const waiting = async () =>
      (await portal.db.read.rows<{ id: string }>(sql`select message_id::text as id from rpki_message where answer is null order by 1`)).map(
        ({ id }) => id,
      );
    /** Leaves the mark that a publisher leaves when it ends in the middle of it. */
    const endedAt = (unit: string) =>
      sql`insert into work_unit as known (queue, unit, title, account_name, begun_at, progressed_at)
        values (${messageQueue}, ${unit}, 'A message', 'EXAMPLE-AU', now(), now())
        on conflict (queue, unit) do update set begun_at = now()`.execute(portal.db.unrecorded);
    const first = await own.arrive(provisioningType, own.provisioning, own.child.message(own.child.list));
    const [deadly] = await waiting();
    await endedAt(deadly!);
    await sql`update work_unit set ended_processes = 1`.execute(portal.db.unrecorded);
    const published = await own.arrive(publicationType, own.service, own.child.message(own.child.listPublished));
    await publishAll(portal.context);
    expect(own.read((await published.answer).rawPayload)).toContain('reply');
    expect(await waiting()).toEqual([deadly]);

    const readiness = await portal.request('/readyz?role=worker');
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining('A message of the provisioning protocol')]);
    const stella = await portal.as('stella');
    const { rows } = (await stella(api.setAside.listSetAside, {})).data!;
    expect(rows).toMatchObject([
      { queue: messageQueue, queueName: 'RPKI message', unit: deadly, accountName: 'EXAMPLE-AU', endedProcesses: 2, mayDrop: true },
    ]);
    const body = { queue: messageQueue, unit: deadly! };
    expect((await stella(api.setAside.retrySetAside, { body })).errors).toBeUndefined();
    await publishAll(portal.context);
    expect((await first.answer).statusCode).toBe(200);

    // One more, which is not tried a third time.
    await sql`insert into rpki_message (child_id, protocol, content, received_at) select child_id, 'provisioning', ${own.child.list}, now() from rpki_child`.execute(
      portal.db.unrecorded,
    );
    const [dropped] = await waiting();
    await endedAt(dropped!);
    await sql`update work_unit set ended_processes = 1`.execute(portal.db.unrecorded);
    await publishAll(portal.context);
    expect((await stella(api.setAside.dropSetAside, { body: { ...body, unit: dropped! } })).errors).toBeUndefined();
    expect(await waiting()).toEqual([]);
    expect(await portal.db.read.rows(sql`select 1 from work_unit`)).toEqual([]);
  },
);
