import type { TestPortal } from './portal.ts';

/** Returns the link with a token in the text of a mail. */
export const linkIn = (body: string): string => /https?:\S+\?token=\S+/.exec(body)![0];

/** Opens a link as the reader of the mail, and confirms on its page. */
export async function confirmLink(portal: TestPortal, address: string): Promise<{ status: number; text: string }> {
  const url = new URL(address);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await portal.request(url.pathname, { method: 'POST', headers, body: url.search.slice(1) });
  return { status: answer.status, text: await answer.text() };
}
