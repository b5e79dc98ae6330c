import { afterEach, expect, test, vi } from 'vitest';

declare global {
  interface Window {
    happyDOM: { setURL: (url: string) => void };
  }
}

afterEach(() => vi.restoreAllMocks());

test('a framed page opened directly leads to the same page inside the portal, keeping query and hash', async () => {
  window.happyDOM.setURL('http://localhost:8080/resources/ipv4.html?selected=198.18.12.0/23#map');
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  document.body.innerHTML = '<div id="root"></div>';
  await import('../src/main.ts');
  expect(replace).toHaveBeenCalledExactlyOnceWith('/resources/ipv4?selected=198.18.12.0/23#map');
  expect(document.getElementById('root')?.childElementCount).toBe(0);
});
