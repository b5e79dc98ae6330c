import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import { whois } from '@portal/contract/whois/whois';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import TextUploadPage from './TextUploadPage.tsx';

beforeEach(() => localStorage.clear());

const route = 'route:          192.0.2.0/24\norigin:         AS64500\nmnt-by:         MAINT-AU-EXAMPLE\nsource:         EXAMPLE\n';
const outcome = {
  state: 'ok',
  done: 'create',
  class: 'route',
  key: '192.0.2.0/24as64500',
  shown: '192.0.2.0/24AS64500',
  beforeVersion: null,
  afterVersion: 1,
  before: null,
  after: route,
  problems: [],
};

function open() {
  const shown = show(
    <PageFrame page={pages.whoisTextUpload}>
      <TextUploadPage />
    </PageFrame>,
    {
      session: aSession({ account: anAccount({ permissions: ['whois-principal-mntner-access'] }) }),
      router: aRouter('/resources/whois-text-upload'),
      answer: ({ endpoint, input }) => {
        if (endpoint !== whois.uploadText.id) return { status: 200, data: { rows: [] } };
        const { dryRun } = (input as { body: { dryRun: boolean } }).body;
        return { status: 200, data: { outcomes: [outcome], taskId: dryRun ? null : 41 } };
      },
    },
  );
  const sent = () => shown.sent.filter(({ endpoint }) => endpoint === whois.uploadText.id).map(({ input }) => input);
  return { ...shown, sent };
}
const write = async (text: string) =>
  fireEvent.change(await screen.findByLabelText<HTMLTextAreaElement>('Text of the objects'), { target: { value: text } });
const textShown = () => screen.getByLabelText<HTMLTextAreaElement>('Text of the objects').value;

it('offers the preview a text asks for with dry-run:, and takes the line out', async () => {
  const { sent } = open();
  await write(`${route}\ndry-run: yes\n`);
  expect(await screen.findByText('Line 6 asks for a dry run')).toBeTruthy();
  // Nothing is sent with that line in it.
  fireEvent.click(screen.getByRole('button', { name: 'Dry run' }));
  expect(sent()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove it and preview' }));
  await waitFor(() => expect(sent()).toMatchObject([{ body: { text: `${route}\n`, dryRun: true, mode: 'best-effort' } }]));
  expect(textShown()).toBe(`${route}\n`);
  await waitFor(() => expect(screen.queryByText('Line 6 asks for a dry run')).toBeNull());
  // What was previewed can be written.
  fireEvent.click(await screen.findByRole('button', { name: 'Save 1 object' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]).toMatchObject({ body: { text: `${route}\n`, dryRun: false } });
  // The result stays on the page, with the task under which it is recorded.
  const task = await screen.findByRole('link', { name: 'Task 41: report and revert' });
  expect(task.getAttribute('href')).toMatch(/\?id=41$/);
});

it('ignores dry-run inside an attribute', async () => {
  const { sent } = open();
  await write(`${route}remarks: dry-run: of last week\n`);
  expect(screen.queryByText(/asks for a dry run/)).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Dry run' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
});
