import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, problemAt, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { classes } from '@portal/rpsl';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fieldsOfClasses } from '../editor/class-fields.ts';
import AddIrtPage from './AddIrtPage.tsx';

const maintainer = { maintainer: 'MAINT-AU-EXAMPLE', mine: true, exists: true };

async function open(outcome: Partial<WhoisOutcome> = {}) {
  const { sent } = show(
    <PageFrame page={pages.addIrt}>
      <AddIrtPage />
    </PageFrame>,
    {
      router: aRouter('/resources/add-irt'),
      session: aSession({ account: anAccount({ permissions: ['whois-principal-mntner-access', 'whois-irt-update'] as never }) }),
      answer({ endpoint }) {
        if (endpoint === whois.listMaintainers.id) return { status: 200, data: { rows: [maintainer] } };
        if (endpoint === whois.listIrts.id) return { status: 200, data: { rows: [], withoutTotal: 0 } };
        if (endpoint === whois.getObject.id) return { status: 200, data: { text: 'mntner: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n' } };
        if (endpoint === whois.submitUpdates.id)
          return {
            status: 200,
            data: { outcomes: [{ state: 'ok', class: 'irt', key: 'irt-au-example', shown: 'IRT-AU-EXAMPLE', problems: [], ...outcome }] },
          };
        return { status: 200, data: { rows: [] } };
      },
    },
  );
  await screen.findByRole('form', { name: 'New IRT' });
  const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const create = () => fireEvent.submit(screen.getByRole('form', { name: 'New IRT' }));
  const updates = () =>
    sent
      .filter(({ endpoint }) => endpoint === whois.submitUpdates.id)
      .map(({ input }) => input as { body: { updates: { text: string }[] } });
  const fill = () => {
    type(/^Postal address/, 'Level 3\nBrisbane');
    type(/^E-mail/, 'irt@example.net');
    type(/^Abuse mailbox/, 'abuse@example.net\ncert@example.net');
    type(/^Administrative contact/, 'en1-ex');
    type(/^Technical contact/, 'en1-ex, en2-ex');
  };
  return { type, create, updates, fill };
}

it('asks for every attribute of the class, in the order of its template', async () => {
  await open();
  const asked = classes.irt.template.filter(
    ({ attribute, need }) => need !== 'generated' && !['auth', 'source', 'mnt-by'].includes(attribute),
  );
  const fields = fieldsOfClasses(['irt'], name => ['auth', 'source', 'mnt-by'].includes(name));
  expect(fields.map(({ name }) => name)).toEqual(asked.map(({ attribute }) => attribute));
  for (const { label, isOptional } of fields)
    expect(screen.getByLabelText(isOptional ? `${label}optional` : label, { selector: 'input, textarea' }), label).toBeTruthy();
});

it('says at each field what is missing, and what is wrong by the rules of whois', async () => {
  const { create, updates, fill, type } = await open();
  create();
  expect(problemAt(/^Postal address/)).toBe('Enter the postal address, such as 1 Example Street, Exampleville');
  expect(problemAt(/^Administrative contact/)).toBe('Enter the administrative contact (admin-c), such as JE1-EX');
  expect(problemAt(/^Phone/)).toBeUndefined();
  fill();
  type(/^Phone/, '07 5550 0100');
  create();
  expect(problemAt(/^Phone/)).toMatch(/does not start with \+/);
  expect(updates()).toEqual([]);
});

it('creates the object with Enter, several values as lines, with the source of its maintainer', async () => {
  const { create, updates, fill } = await open();
  fill();
  create();
  await waitFor(() => expect(updates()).toHaveLength(1));
  expect(updates()[0]!.body.updates[0]!.text.replaceAll(/:\s+/g, ': ').trim().split('\n')).toEqual([
    'irt: IRT-AU-EXAMPLE',
    'address: Level 3',
    'address: Brisbane',
    'e-mail: irt@example.net',
    'abuse-mailbox: abuse@example.net',
    'abuse-mailbox: cert@example.net',
    'admin-c: EN1-EX',
    'tech-c: EN1-EX',
    'tech-c: EN2-EX',
    'auth: PORTAL',
    'mnt-by: MAINT-AU-EXAMPLE',
    'source: EXAMPLE',
  ]);
});

it('shows at its field what the registry refuses, until it is edited', async () => {
  const problem: WhoisOutcome['problems'][number] = {
    severity: 'error',
    code: 'reference-missing',
    attribute: 'tech-c',
    line: 8,
    message: 'EN2-EX does not exist',
    maintainers: [],
    objects: [],
    count: 0,
  };
  const { create, fill, type } = await open({ state: 'failed', problems: [problem] });
  fill();
  create();
  await waitFor(() => expect(problemAt(/^Technical contact/)).toBe('EN2-EX does not exist'));
  type(/^Technical contact/, 'EN1-EX');
  expect(problemAt(/^Technical contact/)).toBeUndefined();
});
