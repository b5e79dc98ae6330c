import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { whois } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { anAccount, aRouter, aSession, problemAt, show } from '@portal/app-kit/testing';
import AttributeUpdatePage from './AttributeUpdatePage.tsx';

beforeEach(() => localStorage.clear());

const outcome = {
  state: 'ok',
  done: 'modify',
  class: 'inetnum',
  key: '192.0.2.0 - 192.0.2.255',
  shown: '192.0.2.0 - 192.0.2.255',
  beforeVersion: 1,
  afterVersion: 2,
  before: 'inetnum: 192.0.2.0 - 192.0.2.255\ntech-c: OLD1-AP\n',
  after: 'inetnum: 192.0.2.0 - 192.0.2.255\ntech-c: NEW1-AP\n',
  problems: [],
};

function open(search = '', result: object = { objects: 1, matched: 1, refused: 0, outcomes: [outcome], taskId: null }) {
  const router = aRouter(`/resources/whois-attribute-update${search}`);
  const shown = show(
    <PageFrame page={pages.whoisAttributeUpdate}>
      <AttributeUpdatePage />
    </PageFrame>,
    {
      session: aSession({ account: anAccount({ permissions: ['whois-principal-mntner-access'] }) }),
      router,
      answer({ endpoint }) {
        if (endpoint === whois.bulkChange.id) return { status: 200, data: result };
        if (endpoint === whois.listMaintainers.id) return { status: 200, data: { rows: [{ maintainer: 'MAINT-AU-EXAMPLE' }] } };
        return { status: 200, data: { rows: [] } };
      },
    },
  );
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const sent = () => shown.sent.filter(({ endpoint }) => endpoint === whois.bulkChange.id).map(({ input }) => input);
  return { ...shown, router, type, sent };
}
const dryRun = () => screen.findByRole('button', { name: 'Dry run' });

it('says what is missing before a dry run', async () => {
  const { type, sent } = open();
  fireEvent.click(await dryRun());
  expect(problemAt('Old value')).toBe('Enter the tech-c to replace');
  expect(problemAt('New value')).toBe('Enter the new tech-c');
  type('Old value', 'OLD1-AP');
  expect(problemAt('Old value')).toBeUndefined();
  type('New value', ' old1-ap ');
  expect(problemAt('New value')).toBe('Both values are the same');
  fireEvent.click(await dryRun());
  expect(sent()).toEqual([]);
});

it('is saved exactly as in its dry run', async () => {
  const { type, sent } = open('?attribute=tech-c&value=OLD1-AP');
  await dryRun();
  type('New value', 'NEW1-AP');
  fireEvent.click(await dryRun());
  const change = {
    choose: { attribute: 'tech-c', value: 'OLD1-AP' },
    actions: [{ action: 'replace', attribute: 'tech-c', value: 'OLD1-AP', newValue: 'NEW1-AP' }],
    mode: 'best-effort',
  };
  fireEvent.click(await screen.findByRole('button', { name: 'Change 1 object' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toEqual([
    { account: 'EXAMPLE-AU', body: { ...change, dryRun: true } },
    { account: 'EXAMPLE-AU', body: { ...change, dryRun: false } },
  ]);
});

it('another value makes the dry run stale: it has to be repeated', async () => {
  const { type } = open('?attribute=tech-c&value=OLD1-AP');
  await dryRun();
  type('New value', 'NEW1-AP');
  fireEvent.click(await dryRun());
  await screen.findByRole('button', { name: 'Change 1 object' });
  type('New value', 'NEW2-AP');
  expect(await dryRun()).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change 1 object' })).toBeNull();
});

it('a maintainer of another account gives a warning', async () => {
  const { type } = open('?attribute=mnt-by&value=MAINT-AU-EXAMPLE');
  await dryRun();
  type('New value', 'maint-au-example');
  expect(screen.queryByText(/is not linked to EXAMPLE-AU/)).toBeNull();
  type('New value', 'MAINT-SG-OTHER');
  expect(screen.getByText('MAINT-SG-OTHER is not linked to EXAMPLE-AU.')).toBeTruthy();
});

it('many objects become a task, whose page is opened', async () => {
  const { type, router } = open('?attribute=tech-c&value=OLD1-AP', { objects: 800, matched: 800, refused: 0, outcomes: null, taskId: 41 });
  await dryRun();
  type('New value', 'NEW1-AP');
  fireEvent.click(await dryRun());
  await waitFor(() => expect(router.went.at(-1)?.href).toContain('41'));
});

it('a small change is recorded as a task too, which is where it can be reverted', async () => {
  const { type, router } = open('?attribute=tech-c&value=OLD1-AP', { objects: 1, matched: 1, refused: 0, outcomes: [outcome], taskId: 12 });
  await dryRun();
  type('New value', 'NEW1-AP');
  fireEvent.click(await dryRun());
  fireEvent.click(await screen.findByRole('button', { name: 'Change 1 object' }));
  expect(await screen.findByText('Recorded as task 12.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Report and revert' }).getAttribute('href')).toContain('id=12');
  expect(router.went).toEqual([]);
});
