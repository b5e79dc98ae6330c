/** The most of a calendar that is read, in bytes. */
const LARGEST = 5_000_000;
const PATIENCE_MS = 15_000;

/**
 * Reads a calendar over HTTP; `webcal:` is https under another name.
 * @throws Error when it does not answer in time, refuses, or is too large
 */
export async function fetchCalendar(address: string): Promise<string> {
  const answer = await fetch(address.replace(/^webcal:/i, 'https:'), {
    headers: { accept: 'text/calendar' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok || !answer.body) throw new Error(`The events calendar answers ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > LARGEST) throw new Error(`The events calendar is larger than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
