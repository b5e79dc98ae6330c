import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { conferences } from '@portal/contract/elections/conferences';
import { elections } from '@portal/contract/elections/elections';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { ElectionForm } from './ElectionForm.tsx';

const conference = { conference: 'CONF-63', title: 'Example Conference 63', startsOn: '2027-02-22', registered: 4, attended: 0 };

beforeEach(() => localStorage.clear());

function open() {
  const shown = show(
    <PageFrame page={pages.deskElections}>
      <ElectionForm />
    </PageFrame>,
    {
      router: aRouter('/desk/elections?election=new'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true }) }),
      answer: ({ endpoint }) =>
        endpoint === conferences.listConferences.id
          ? { status: 200, data: { rows: [conference] } }
          : { status: 400, errors: [{ code: 'INVALID_REQUEST', message: 'Not now', traceId: 'abc' }] },
    },
  );
  return { ...shown, sent: () => shown.sent.filter(({ endpoint }) => endpoint === elections.addElection.id).map(({ input }) => input) };
}
const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('seats are asked for where people are elected, and a conference where its attendees vote', async () => {
  open();
  expect(await screen.findByLabelText(/^Seats/)).toBeDefined();
  expect(screen.queryByLabelText(/^Conference whose/)).toBeNull();
  choose('Kind', 'sig');
  const list = screen.getByLabelText(/^Conference whose/);
  expect((await within(list).findAllByRole('option')).map(option => option.textContent)).toEqual([
    'None',
    'CONF-63, Example Conference 63',
  ]);
  expect(screen.getByRole('group', { name: /attendees/i })).toBeDefined();
  choose('Kind', 'resolution');
  expect(screen.queryByLabelText(/^Seats/)).toBeNull();
  expect(screen.queryByLabelText(/^Conference whose/)).toBeNull();
});

it('what was typed is there when the form is opened again, and can be discarded', async () => {
  const first = open();
  fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'Council election 2028' } });
  await waitFor(() => expect(JSON.stringify(Object.entries(localStorage))).toContain('Council election 2028'));
  first.unmount();
  open();
  expect(((await screen.findByLabelText('Title')) as HTMLInputElement).value).toBe('Council election 2028');
  fireEvent.click(screen.getByRole('button', { name: /^Discard/ }));
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('');
});

it('windows that stay empty are not sent, and a refusal keeps everything', async () => {
  const { sent } = open();
  fireEvent.change(await screen.findByLabelText('Title'), { target: { value: 'By-laws' } });
  choose('Kind', 'resolution');
  fireEvent.submit(screen.getByRole('form', { name: 'New election' }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({ body: { kind: 'resolution', title: 'By-laws', windows: [], seats: null, conference: null } });
  expect(await screen.findByText(/Not now/)).toBeDefined();
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('By-laws');
});
