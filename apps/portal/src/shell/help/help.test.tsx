import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { HelpBeside } from './HelpBeside.tsx';
import { HelpSuggestions } from './HelpSuggestions.tsx';
import { articleFrom, foundIn } from './help-answers.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const article = {
  slug: 'create-a-roa',
  title: 'Create a ROA',
  summary: 'A ROA says which AS may announce your prefix.',
  blocks: [
    { kind: 'heading', level: 2, id: 'steps', words: ['Steps'] },
    {
      kind: 'list',
      isOrdered: true,
      items: [{ words: ['Open ', { kind: 'link', address: '/resources/routes/index', words: ['Routes'] }], more: ['It is there.'] }],
    },
    { kind: 'table', head: [['You see'], ['Why']], rows: [[['Invalid'], [{ kind: 'strong', words: ['Another'] }, ' AS']]] },
    { kind: 'code', text: 'whois AS64500' },
    { kind: 'picture', words: 'The form', light: '/help/pictures/form.webp?v=1', dark: null, width: 600, height: 300 },
    { kind: 'unknown', words: ['of a later release'] },
  ],
};

const beside = () =>
  render(
    <>
      <a href="/help/for?page=%2Fresources%2Froutes%2Findex" target="_blank" rel="noopener">
        ?
      </a>
      <HelpBeside />
    </>,
  );

it('“?” opens the article beside the page, Escape closes it, and the focus goes back', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(Response.json(article));
  });
  beside();
  fireEvent.click(screen.getByRole('link', { name: '?' }));
  const panel = await screen.findByRole('complementary', { name: 'Create a ROA' });
  expect(asked).toEqual(['/help/for?page=%2Fresources%2Froutes%2Findex&as=json']);
  // The focus follows once the panel is drawn.
  await waitFor(() => expect(document.activeElement).toBe(panel));
  expect(screen.getByRole('heading', { level: 3, name: 'Steps' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Routes' }).getAttribute('href')).toBe('/resources/routes/index');
  expect(screen.getByText('Another')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'The form' }).getAttribute('src')).toBe('/help/pictures/form.webp?v=1');
  expect(screen.queryByText('of a later release')).toBeNull();
  fireEvent.keyDown(panel, { key: 'Escape' });
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: '?' }));
});

it('“?” with a key for a tab of its own is left to the browser', () => {
  const ask = vi.fn();
  vi.stubGlobal('fetch', ask);
  beside();
  // No browser is here to open it.
  window.addEventListener('click', event => event.preventDefault(), { once: true });
  fireEvent.click(screen.getByRole('link', { name: '?' }), { ctrlKey: true });
  expect(ask).not.toHaveBeenCalled();
});

it.each([[null], ['<html>'], [{ ...article, slug: '../x' }], [{ ...article, blocks: 'none' }], [{ ...article, title: 7 }]])(
  '%j is no article',
  given => expect(articleFrom(given)).toBeNull(),
);
it('only articles are found in an answer', () => {
  expect(foundIn(null)).toEqual([]);
  expect(foundIn({ articles: [article, { slug: '//evil.example', title: 'x', summary: 'x' }, 7] })).toEqual([article]);
});

it('articles are suggested while a question is typed, and nothing is asked for a few letters', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve(Response.json({ articles: [article] }));
  });
  const client = new QueryClient();
  const at = (text: string) => (
    <QueryClientProvider client={client}>
      <HelpSuggestions text={text} />
    </QueryClientProvider>
  );
  const { rerender } = render(at('roa'));
  rerender(at('create a roa'));
  const link = await screen.findByRole('link', { name: 'Create a ROA' });
  expect(link.getAttribute('href')).toBe('/help/create-a-roa');
  expect(asked).toEqual(['/help?as=json&q=create%20a%20roa']);
});
