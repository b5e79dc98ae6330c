import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { pages } from '@portal/contract/pages';
import type { ReplyTemplate } from '@portal/contract/staff/reply-templates';
import { TextArea } from '@portal/ui';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { InsertTemplate, type ReplyAbout, ReplyContext } from '../shell/InsertTemplate.tsx';
import ReplyTemplatesPage from './ReplyTemplatesPage.tsx';

const template = (given: Partial<ReplyTemplate>): ReplyTemplate => ({
  templateId: '1',
  title: 'Proof of need',
  text: 'Dear {contact},\n\n{request} of {account} needs a plan.',
  kinds: ['resources'],
  version: 3,
  savedBy: 'Stella Kowalski',
  savedAt: '2026-11-20T09:00:00Z',
  ...given,
});
const kept = [template({}), template({ templateId: '2', title: 'Opening hours', text: 'We answer on weekdays.', kinds: ['tickets'] })];
const session = aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) });
const answer = () => ({ status: 200, data: { templates: kept } });

function Reply({ about }: { about: ReplyAbout }) {
  const [text, setText] = useState('');
  return (
    <ReplyContext value={about}>
      <InsertTemplate text={text} onInsert={setText} />
      <TextArea aria-label="Answer" value={text} onChange={event => setText(event.target.value)} />
    </ReplyContext>
  );
}
const written = () => (screen.getByLabelText('Answer') as HTMLTextAreaElement).value;
const insert = async () => {
  const choice = await screen.findByLabelText('Reply template');
  fireEvent.change(choice, { target: { value: '1' } });
  fireEvent.keyDown(choice, { key: 'Enter' });
};

it('a template of the kind is inserted below what is written, with its placeholders replaced', async () => {
  show(<Reply about={{ kind: 'resources', account: 'EXAMPLE-AU', request: 'REQ-7', contact: 'Corin Achterberg' }} />, { session, answer });
  const choice = (await screen.findByLabelText('Reply template')) as HTMLSelectElement;
  expect([...choice.options].map(({ text }) => text)).toEqual(['Choose one to insert', 'Proof of need']);
  fireEvent.change(screen.getByLabelText('Answer'), { target: { value: 'Good morning.\n' } });
  await insert();
  expect(written()).toBe('Good morning.\n\nDear Corin Achterberg,\n\nREQ-7 of EXAMPLE-AU needs a plan.');
  expect(choice.value).toBe('');
});

it('from the text of a form Ctrl and . lead to its templates, and the one that is inserted leads back behind it', async () => {
  const about: ReplyAbout = { kind: 'resources', account: 'EXAMPLE-AU', request: 'REQ-7', contact: 'Corin Achterberg' };
  show(
    <form aria-label="Message">
      <Reply about={about} />
    </form>,
    { session, answer },
  );
  const field = screen.getByLabelText('Answer') as HTMLTextAreaElement;
  const choice = await screen.findByLabelText('Reply template');
  field.focus();
  fireEvent.keyDown(field, { key: '.' });
  expect(document.activeElement).toBe(field);
  fireEvent.keyDown(field, { key: '.', ctrlKey: true });
  expect(document.activeElement).toBe(choice);
  await insert();
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.selectionStart).toBe(written().length);
});

it('moving through the templates by keyboard inserts none until one is meant', async () => {
  show(<Reply about={{ kind: 'resources', account: null, request: 'REQ-7', contact: 'Corin Achterberg' }} />, { session, answer });
  fireEvent.change(await screen.findByLabelText('Reply template'), { target: { value: '1' } });
  expect(written()).toBe('');
  fireEvent.click(screen.getByRole('button', { name: 'Insert' }));
  expect(written()).toContain('REQ-7');
  expect(document.activeElement).toBe(screen.getByLabelText('Reply template'));
});

it('what nothing is known for stays to be replaced, and is said until it is', async () => {
  show(<Reply about={{ kind: 'resources', account: null, request: 'REQ-7', contact: 'Corin Achterberg' }} />, { session, answer });
  await insert();
  expect(screen.getByText('Nothing is known for {account}: replace it yourself.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Answer'), { target: { value: written().replace('{account}', 'EXAMPLE-AU') } });
  await waitFor(() => expect(screen.queryByText(/Nothing is known/)).toBeNull());
});

it('without a template of the kind there is nothing to choose', async () => {
  const { sent } = show(<Reply about={{ kind: 'closures', account: null, request: null, contact: null }} />, { session, answer });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByLabelText('Reply template')).toBeNull();
});

function openPage() {
  return show(
    <PageFrame page={pages.deskReplyTemplates}>
      <ReplyTemplatesPage />
    </PageFrame>,
    { session, router: aRouter('/desk/reply-templates'), answer },
  );
}

it('a new template names what is wrong with it, and is kept for the kinds that are ticked', async () => {
  const { sent } = openPage();
  fireEvent.click(await screen.findByText('New template'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Welcome' } });
  fireEvent.change(dialog.getByLabelText('Text'), { target: { value: 'Dear {name}' } });
  fireEvent.click(dialog.getByText('Save'));
  expect((await dialog.findAllByText('In braces, use only {account}, {request} or {contact}')).length).toBeGreaterThan(0);
  fireEvent.change(dialog.getByLabelText('Text'), { target: { value: 'Dear {contact}' } });
  for (const kind of ['Corporate contacts', 'Organisation changes', 'Account closures', 'Requests for resources', 'Transfers and returns'])
    fireEvent.click(dialog.getByLabelText(kind));
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'staff.replyTemplates.addReplyTemplate',
      input: { body: { title: 'Welcome', text: 'Dear {contact}', kinds: ['applications', 'tickets'] } },
    }),
  );
});

it('a template is changed in the version that was read, and deleted after a question', async () => {
  const { sent } = openPage();
  fireEvent.click(await screen.findByLabelText('Change Proof of need'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Title'), { target: { value: 'Plan of use' } });
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'staff.replyTemplates.changeReplyTemplate',
      input: { templateId: '1', body: { title: 'Plan of use', text: kept[0]!.text, kinds: ['resources'], version: 3 } },
    }),
  );
  fireEvent.click(screen.getByLabelText('Delete Opening hours'));
  const question = within(await screen.findByRole('alertdialog'));
  expect(sent.map(({ endpoint }) => endpoint)).not.toContain('staff.replyTemplates.deleteReplyTemplate');
  fireEvent.click(question.getByText('Delete'));
  await waitFor(() => expect(sent).toContainEqual({ endpoint: 'staff.replyTemplates.deleteReplyTemplate', input: { templateId: '2' } }));
});
