import { endpoint, group, signedIn } from '@portal/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type Answer, type SentCall, aRouter, show } from '../../test/member.tsx';
import { createAnswers, keepAnswer, useAnswer, useChange } from './answer.ts';
import { useRefreshAfterChanges } from './refresh-after-changes.ts';
import type { InterruptedCall } from '../kit/kit.ts';
import { createReturnedCalls } from './returned-calls.ts';
import type { Router } from '../kit/place.ts';
import { type Kit, useKit } from '../kit/kit.ts';
import { Page, PageFrame } from '../page/Page.tsx';

const notes = group('notes', {
  list: endpoint({ method: 'GET', path: '/api/notes', summary: 'Notes.', access: signedIn, answer: z.array(z.string()) }),
  add: endpoint({
    method: 'POST',
    path: '/api/notes',
    summary: 'Add.',
    access: signedIn,
    effect: 'conversation',
    body: z.object({ text: z.string() }),
    activity: 'Added',
  }),
});
function Notes({ showsErrors = false }) {
  const list = useAnswer(notes.list, {});
  const { notify } = useKit();
  const add = useChange(notes.add, { refresh: [notes.list], showsErrors, onDone: () => notify({ text: 'Added.' }) });
  return (
    <Page title="Notes">
      <ul>
        {list.map(note => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {showsErrors && add.error && <p>Form: {add.error.message}</p>}
      <button type="button" aria-busy={add.isPending} onClick={() => add.mutate({ body: { text: 'second' } })}>
        Add
      </button>
    </Page>
  );
}
const framed = (showsErrors = false) => (
  <PageFrame page={{ title: 'Notes', access: signedIn }}>
    <Notes showsErrors={showsErrors} />
  </PageFrame>
);
const refused = { status: 500, errors: [{ code: 'UNEXPECTED_ERROR', message: 'It broke', traceId: 'abc123' }] };
// Code that is loaded when it is first shown.
beforeAll(() =>
  Promise.all([import('../page/ReturnedCall.tsx'), import('../../../ui/src/overlay/DialogWindow.tsx')]).then(() => undefined),
);
beforeEach(() => sessionStorage.clear());

it('a page shows its skeleton, then its answer, under one title', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { titles } = show(framed(), { answer: () => promise });
  expect(await screen.findByText('Loading Notes')).toBeTruthy();
  resolve({ status: 200, data: ['first'] });
  expect(await screen.findByText('first')).toBeTruthy();
  expect(new Set(titles)).toEqual(new Set(['Notes']));
});

it('a read that was answered before the page was drawn is in its first rendering, and is not asked for', () => {
  const never = (() => new Promise<never>(() => undefined)) as unknown as Kit['call'];
  const call = Object.assign(never, { answered: vi.fn(() => ({ data: ['early'], at: Date.now() })) });
  show(framed(), { kit: { call } });
  expect(screen.getByText('early')).toBeTruthy();
  expect(call.answered).toHaveBeenCalledExactlyOnceWith(notes.list, {});
});

it('an old answer is shown, and refetched in the background', async () => {
  const fresh = (() => Promise.resolve({ status: 200, data: ['fresh'] })) as unknown as Kit['call'];
  const call = Object.assign(fresh, { answered: () => ({ data: ['early'], at: Date.now() - 20_000 }) });
  show(framed(), { kit: { call } });
  expect(screen.getByText('early')).toBeTruthy();
  expect(await screen.findByText('fresh')).toBeTruthy();
});

it('a change refetches what it changed', async () => {
  const store = ['first'];
  const answer = ({ endpoint: name }: SentCall) =>
    name === 'notes.add' ? (store.push('second'), { status: 204 }) : { status: 200, data: [...store] };
  show(framed(), { answer });
  fireEvent.click(await screen.findByText('Add'));
  expect(await screen.findByText('second')).toBeTruthy();
});

it('a change reports success as soon as it was answered, and stays busy until what it changed was refetched', async () => {
  const again = Promise.withResolvers<Answer>();
  let done = false;
  const notify = vi.fn();
  const answer = ({ endpoint: name }: SentCall) =>
    name === 'notes.add' ? ((done = true), { status: 204 }) : done ? again.promise : { status: 200, data: ['first'] };
  show(framed(), { answer, kit: { notify } });
  fireEvent.click(await screen.findByText('Add'));
  await waitFor(() => expect(notify).toHaveBeenCalledWith({ text: 'Added.' }));
  expect(screen.getByText('Add').getAttribute('aria-busy')).toBe('true');
  again.resolve({ status: 200, data: ['first', 'second'] });
  expect(await screen.findByText('second')).toBeTruthy();
  await waitFor(() => expect(screen.getByText('Add').getAttribute('aria-busy')).toBe('false'));
});

it('two presses before the button is drawn busy send a change once, and it can be sent again once it was answered', async () => {
  const notify = vi.fn();
  const { sent } = show(framed(), {
    answer: ({ endpoint: name }) => (name === 'notes.add' ? { status: 204 } : { status: 200, data: ['first'] }),
    kit: { notify },
  });
  const sends = () => sent.filter(call => call.endpoint === 'notes.add').length;
  const press = await screen.findByText('Add');
  press.click();
  press.click();
  await waitFor(() => expect(notify).toHaveBeenCalledTimes(1));
  expect(sends()).toBe(1);
  await waitFor(() => expect(press.getAttribute('aria-busy')).toBe('false'));
  fireEvent.click(press);
  await waitFor(() => expect(notify).toHaveBeenCalledTimes(2));
  expect(sends()).toBe(2);
});

it('a page that cannot be read says so with its trace id, and can be tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let broken = true;
  show(framed(), { answer: () => (broken ? refused : { status: 200, data: ['first'] }) });
  expect(await screen.findByText('It broke')).toBeTruthy();
  expect(screen.getByText(/abc123/)).toBeTruthy();
  broken = false;
  fireEvent.click(screen.getByText('Try again'));
  expect(await screen.findByText('first')).toBeTruthy();
});

it('what wasn’t found isn’t tried again: the page without its query is offered, and works', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const missing = { status: 404, errors: [{ code: 'NOT_FOUND', message: 'The note wasn’t found', traceId: 'abc123' }] };
  const router = aRouter('/?note=9');
  show(framed(), { router, answer: () => (router.place().search ? missing : { status: 200, data: ['first'] }) });
  const link = await screen.findByRole('link', { name: 'Notes' });
  expect(screen.queryByText('Try again')).toBeNull();
  fireEvent.click(link);
  expect(await screen.findByText('first')).toBeTruthy();
  expect(router.place().search).toBe('');
});

it('the refusal of a change appears in the banner, or in the form that asks for it', async () => {
  const answer = ({ endpoint: name }: SentCall) => (name === 'notes.add' ? refused : { status: 200, data: [] });
  const banner = show(framed(), { answer });
  fireEvent.click(await screen.findByText('Add'));
  await waitFor(() => expect(banner.errors).toEqual(['UNEXPECTED_ERROR']));
  banner.unmount();
  const form = show(framed(true), { answer });
  fireEvent.click(await screen.findByText('Add'));
  expect(await screen.findByText('Form: It broke')).toBeTruthy();
  expect(form.errors).toEqual([]);
});

it('a change that waits for a second person is not an error: a notice links to it', async () => {
  const waits = { status: 409, errors: [{ code: 'SECOND_PERSON', message: 'This waits for a second person', traceId: 'abc123' }] };
  const notify = vi.fn();
  const answer = ({ endpoint: name }: SentCall) => (name === 'notes.add' ? waits : { status: 200, data: [] });
  const form = show(framed(true), { answer, kit: { notify } });
  fireEvent.click(await screen.findByText('Add'));
  await waitFor(() =>
    expect(notify).toHaveBeenCalledWith({
      kind: 'info',
      text: 'This waits for a second person.',
      link: { href: '/member-account-settings/approvals', label: 'View pending changes' },
    }),
  );
  await new Promise(resolve => setTimeout(resolve));
  expect(screen.queryByText(/^Form:/)).toBeNull();
  expect(form.errors).toEqual([]);
});

const { id, method, path, access, unrecorded } = notes.add;
const kept: InterruptedCall = {
  endpoint: { id, method, path, access, unrecorded },
  input: { body: { text: 'kept' } },
  act: { name: 'Add a note', effect: 'kept' },
  userId: 'tess',
  address: '/notes?page=2',
  redirect: 'r1',
  at: 0,
};
/** The page after the return from a step-up, once the question is shown. */
async function back({
  answer = ({ endpoint: name }: SentCall): Answer => (name === 'notes.add' ? { status: 204 } : { status: 200, data: [] }),
  copies = 1,
} = {}) {
  const router = aRouter('/notes?page=2');
  const returned = createReturnedCalls(router);
  returned.set(kept);
  const notify = vi.fn();
  const pages = Array.from({ length: copies }, (_, i) => <div key={i}>{framed()}</div>);
  const shown = show(<>{pages}</>, { answer, router, kit: { returned, notify } });
  const question = await screen.findByRole('alertdialog', { name: 'Add a note?' });
  const sends = () => shown.sent.filter(call => call.endpoint === 'notes.add');
  return { ...shown, question, returned, router, notify, sends };
}

it('after a step-up nothing is sent automatically: the change is shown, and a press sends it once', async () => {
  const { question, sends, notify } = await back();
  expect(question.textContent).toContain('kept');
  expect(question.textContent).toContain('Nothing has been sent yet.');
  await screen.findByText('Add');
  expect(sends()).toEqual([]);
  const press = screen.getByRole('button', { name: 'Add a note' });
  fireEvent.click(press);
  fireEvent.click(press);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sends()).toEqual([{ endpoint: 'notes.add', input: { body: { text: 'kept' } } }]);
  expect(notify, 'as the page says it').toHaveBeenCalledWith({ text: 'Added.' });
});

it.each([
  ['“Not now”', () => fireEvent.click(screen.getByRole('button', { name: 'Not now' }))],
  ['a step to another address of the same page', (router: Router) => act(() => router.go('/notes?page=3'))],
])('%s ends it', async (_, leave) => {
  const { router, sends, returned } = await back();
  leave(router);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  act(() => router.go('/notes?page=2'));
  expect([returned.get(), sends()]).toEqual([null, []]);
});

it('if several components make such changes, none of them handles it', async () => {
  const { sends, notify } = await back({ copies: 2 });
  await waitFor(() => expect(screen.getAllByText('Add')).toHaveLength(2));
  fireEvent.click(screen.getByRole('button', { name: 'Add a note' }));
  await waitFor(() => expect(notify).toHaveBeenCalledWith({ text: 'Add a note: done.' }));
  expect(sends()).toHaveLength(1);
  expect(notify).not.toHaveBeenCalledWith({ text: 'Added.' });
});

it('a refusal is shown in the question, which stays open', async () => {
  const { errors } = await back({ answer: ({ endpoint: name }) => (name === 'notes.add' ? refused : { status: 200, data: [] }) });
  await screen.findByText('Add');
  fireEvent.click(screen.getByRole('button', { name: 'Add a note' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('It broke');
  await waitFor(() => expect(errors).toEqual([]));
});

it('another person is not asked about it', async () => {
  const router = aRouter('/notes?page=2');
  const returned = createReturnedCalls(router);
  returned.set({ ...kept, userId: 'corin' });
  show(framed(), { answer: () => ({ status: 200, data: [] }), router, kit: { returned } });
  await screen.findByText('Add');
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('an answer is kept under the names that it carries, whichever page asked', () => {
  const answers = createAnswers();
  const read = {
    id: 'notes.get',
    method: 'GET',
    path: '/api/notes/:noteId',
    access: signedIn,
    answer: z.object({ noteId: z.string() }),
  } as const;
  keepAnswer(answers, read, { noteId: '1' });
  expect(answers.getQueryData(['notes.get', { noteId: '1' }])).toEqual({ noteId: '1' });
  expect(() => keepAnswer(answers, read, {} as never)).toThrow('does not say what it is about');
});

it('a page the person may not open shows the rule, not the page', () => {
  const { sent } = show(
    <PageFrame page={{ title: 'Routes', access: { who: 'corporate' } }}>
      <Notes />
    </PageFrame>,
  );
  expect(screen.getByText('Sorry, you must be a corporate contact.')).toBeTruthy();
  expect(sent).toEqual([]);
});

const summed = [notes.list];
function Count() {
  const list = useAnswer(notes.list, {});
  useRefreshAfterChanges(summed);
  return <p>{list.length} notes</p>;
}
function AddAlone() {
  const add = useChange(notes.add, { showsErrors: true });
  return (
    <>
      {add.error && <p>Form: {add.error.message}</p>}
      <button type="button" onClick={() => add.mutate({ body: { text: 'second' } })}>
        Add
      </button>
    </>
  );
}

it('what a page sums up is read again after a change that doesn’t name it, and not after one that was refused', async () => {
  let kept = ['first'];
  let reads = 0;
  let isRefused = true;
  show(
    <PageFrame page={{ title: 'Notes', access: signedIn }}>
      <Count />
      <AddAlone />
    </PageFrame>,
    {
      answer: ({ endpoint: id }: SentCall) => {
        if (id === 'notes.list') {
          reads += 1;
          return { status: 200, data: kept };
        }
        if (isRefused) return refused;
        kept = ['first', 'second'];
        return { status: 204 };
      },
    },
  );
  expect(await screen.findByText('1 notes')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText(/^Form: /)).toBeTruthy();
  expect(reads).toBe(1);
  isRefused = false;
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('2 notes')).toBeTruthy();
});
