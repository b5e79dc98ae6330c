import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { toSearch, useDeskKeys, useLeavingFields } from './cases/desk-keys.ts';
import { watchLetters } from './cases/typed-letters.ts';
import { KeysHelp } from './KeysHelp.tsx';

// As on every page of the desk.
watchLetters();
afterEach(() => void fireEvent.pointerDown(document.body));

function Place({ approve }: { approve: (() => void) | null }) {
  useDeskKeys({ j: () => undefined, a: approve }, { j: 'Open the first case' });
  useLeavingFields();
  return (
    <main tabIndex={-1}>
      <label>
        Note <textarea />
      </label>
    </main>
  );
}

const listOf = async (approve: (() => void) | null) => {
  render(<Place approve={approve} />);
  render(<KeysHelp open onClose={() => undefined} find="Ctrl K" />);
  return (await screen.findByRole('dialog')).textContent;
};

it('lists the keys that do something now, in the words of the page, and reads them out', async () => {
  const list = await listOf(null);
  expect(list).toContain('Open the first case');
  expect(list).not.toContain('Approve');
  expect(list).not.toContain('Next case');
  expect(screen.getByText('J').closest('[aria-hidden="true"]')).toBeNull();
});

it('lists what can be done with the case', async () => {
  expect(await listOf(() => undefined)).toContain('Approve, or approve as the second person');
});

it('Escape leaves a field with what is in it, and the keys work again once no text follows', async () => {
  const approve = vi.fn();
  render(<Place approve={approve} />);
  const field = screen.getByLabelText(/Note/) as HTMLTextAreaElement;
  field.focus();
  fireEvent.change(field, { target: { value: 'Checked' } });
  fireEvent.keyDown(field, { key: 'a' });
  expect(approve).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(field.value).toBe('Checked');
  expect(document.activeElement).toBe(screen.getByRole('main'));
  fireEvent.keyDown(document.activeElement!, { key: 'a' });
  expect(approve).not.toHaveBeenCalled();
  await waitFor(() => expect(approve).toHaveBeenCalledTimes(1));
});

it('a key leads to the search of a list, and Enter leaves it for the keys of the list', () => {
  function List() {
    useDeskKeys({ s: toSearch }, { s: 'Search this list' });
    useLeavingFields();
    return (
      <main tabIndex={-1}>
        <input type="search" aria-label="Find a ticket" />
      </main>
    );
  }
  render(<List />);
  const search = screen.getByLabelText('Find a ticket');
  fireEvent.keyDown(document.body, { key: 's' });
  expect(document.activeElement).toBe(search);
  fireEvent.keyDown(search, { key: 'Enter' });
  expect(document.activeElement).toBe(screen.getByRole('main'));
  search.focus();
  fireEvent.keyDown(search, { key: 'Escape' });
  expect(document.activeElement).toBe(screen.getByRole('main'));
});
