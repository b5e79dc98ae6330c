import type { Client } from '@portal/api-client';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../test/portal.ts';

const body = { title: 'Proof of need', text: 'Dear {contact},\n\n{request} of {account} needs a plan.', kinds: ['resources' as const] };

describe.each(kindsForRules)('reply templates on %s', kind => {
  test('are shared by registry staff, sorted by title, and every change is logged', async () => {
    await using portal = await testPortal(kind);
    const [stella, stan] = [await portal.as('stella'), await portal.as('stan')];
    await stella(api.replyTemplates.addReplyTemplate, { body: { ...body, title: 'Welcome', kinds: ['tickets', 'tickets'] } });
    const added = (await stella(api.replyTemplates.addReplyTemplate, { body })).data!.templates;
    expect(added).toMatchObject([
      { ...body, version: 1, savedBy: 'Stella Kowalski' },
      { title: 'Welcome', kinds: ['tickets'] },
    ]);
    const { templateId } = added[0]!;
    const changed = { ...body, title: 'Plan of use', kinds: ['resources' as const, 'transfers' as const] };
    expect(
      (await stan(api.replyTemplates.changeReplyTemplate, { templateId, body: { ...changed, version: 1 } })).data!.templates[0],
    ).toMatchObject({ ...changed, version: 2, savedBy: 'Stan Petrov' });
    expect((await stella(api.replyTemplates.deleteReplyTemplate, { templateId })).data!.templates.map(({ title }) => title)).toEqual([
      'Welcome',
    ]);
    const lines = await portal.db.read
      .selectFrom('activity')
      .select('summary')
      .where('summary', 'like', '%a reply template')
      .orderBy('activityId')
      .execute();
    expect(lines.map(({ summary }) => summary)).toEqual([
      'Added a reply template',
      'Added a reply template',
      'Changed a reply template',
      'Deleted a reply template',
    ]);
  });

  test('are read and kept by those who give the answers that they are for', async () => {
    await using portal = await testPortal(kind);
    const [stella, fiona, audra] = [await portal.as('stella'), await portal.as('fiona'), await portal.as('audra')];
    const titles = async (as: Client) => (await as(api.replyTemplates.listReplyTemplates, {})).data!.templates.map(({ title }) => title);
    const added = (await stella(api.replyTemplates.addReplyTemplate, { body: { ...body, kinds: ['resources', 'tickets'] } })).data!
      .templates;
    await stella(api.replyTemplates.addReplyTemplate, { body: { ...body, title: 'Plan' } });
    // Fiona answers tickets, and decides nothing.
    expect(await titles(fiona)).toEqual(['Proof of need']);
    expect(await titles(audra)).toEqual(['Plan', 'Proof of need']);
    const { templateId } = added[0]!;
    const refused = { status: 403, errors: [{ code: 'NO_STAFF_PERMISSION', message: expect.stringContaining('“Decide resources”') }] };
    const mine = { title: 'Thanks', text: 'Thank you', kinds: ['tickets' as const] };
    expect(await fiona(api.replyTemplates.addReplyTemplate, { body })).toMatchObject(refused);
    expect(await fiona(api.replyTemplates.changeReplyTemplate, { templateId, body: { ...mine, version: 1 } })).toMatchObject(refused);
    expect(await fiona(api.replyTemplates.deleteReplyTemplate, { templateId })).toMatchObject(refused);
    expect((await fiona(api.replyTemplates.addReplyTemplate, { body: mine })).status).toBe(200);
    expect(await titles(fiona)).toEqual(['Proof of need', 'Thanks']);
  });

  test('refuse a duplicate title, an older version, unknown placeholders, a missing kind, and everyone else', async () => {
    await using portal = await testPortal(kind);
    const [stella, corin] = [await portal.as('stella'), await portal.as('corin')];
    const add = (more: object) => stella(api.replyTemplates.addReplyTemplate, { body: { ...body, ...more } });
    const { templateId } = (await add({})).data!.templates[0]!;
    expect(await add({ title: 'PROOF of need' })).toMatchObject({
      status: 409,
      errors: [{ code: 'TEMPLATE_TITLE_TAKEN', field: 'title' }],
    });
    await add({ title: 'Other' });
    const change = (more: object) => stella(api.replyTemplates.changeReplyTemplate, { templateId, body: { ...body, version: 1, ...more } });
    expect(await change({ title: 'other' })).toMatchObject({ errors: [{ code: 'TEMPLATE_TITLE_TAKEN' }] });
    // Its own title in other capitals isn't a duplicate.
    expect(await change({ title: 'Proof of Need' })).toMatchObject({ status: 200 });
    expect(await change({})).toMatchObject({
      status: 412,
      errors: [{ code: 'STALE' }],
      current: { templates: [{ title: 'Other' }, { version: 2 }] },
    });
    expect(await add({ title: 'A', text: 'Dear {name}' })).toMatchObject({
      status: 400,
      errors: [{ field: 'text', message: 'In braces, use only {account}, {request} or {contact}' }],
    });
    expect(await add({ title: 'A', kinds: [] })).toMatchObject({ status: 400, errors: [{ field: 'kinds' }] });
    for (const id of ['0', 'x'])
      expect(await stella(api.replyTemplates.deleteReplyTemplate, { templateId: id })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    expect(await corin(api.replyTemplates.listReplyTemplates, {})).toMatchObject({ status: 404 });
    expect(await corin(api.replyTemplates.addReplyTemplate, { body })).toMatchObject({ status: 404 });
  });

  test('are limited to 200: the next one is refused until another is deleted', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    await portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into reply_template (title, text, kinds, login_id, saved_at)
        select 'Text ' || number, 'Words', '{tickets}', (select login_id from login where username = 'stella'), now() from generate_series(1, 200) number`),
    );
    const { templates } = (await stella(api.replyTemplates.listReplyTemplates, {})).data!;
    expect(templates).toHaveLength(200);
    expect(await stella(api.replyTemplates.addReplyTemplate, { body })).toMatchObject({
      status: 409,
      errors: [{ code: 'TOO_MANY_TEMPLATES', message: 'At most 200 reply templates can be kept. Delete one that isn’t used any more' }],
    });
    await stella(api.replyTemplates.deleteReplyTemplate, { templateId: templates[0]!.templateId });
    expect(await stella(api.replyTemplates.addReplyTemplate, { body })).toMatchObject({ status: 200 });
  });
});
