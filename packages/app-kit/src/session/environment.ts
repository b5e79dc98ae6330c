import type { Environment } from '@portal/contract/shell/shell';
import { newTraceparent } from '@portal/contract/trace';

/**
 * The environment of the portal: the data block the server wrote into the page, otherwise GET /env.json.
 * @throws Error when neither can be read; the page says so and offers to try again.
 */
export async function readEnvironment(): Promise<Environment> {
  const block = environmentInPage();
  if (block) return block;
  const response = await fetch('/env.json', { headers: { 'content-type': 'application/json', traceparent: newTraceparent() } });
  if (!response.ok) throw new Error(`The environment could not be read (status ${response.status})`);
  return (await response.json()) as Environment;
}

/** The environment in the page; null if the page was not rendered by the server. */
export function environmentInPage(): Environment | null {
  const block = document.getElementById('env')?.textContent;
  return block ? (JSON.parse(block) as Environment) : null;
}
