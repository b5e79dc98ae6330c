/**
 * Calls an address as `fetch` does, and returns the answer if it has no more than so many bytes, so that an outside system can't fill this process's
 * memory. The answer is read completely.
 * @throws Error naming the host and the limit
 */
export async function fetchAtMost(mostBytes: number, url: string | URL, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    // Leaving the loop ends the connection.
    if (size > mostBytes) throw new Error(`${new URL(url).host} answers with more than ${mostBytes} bytes.`);
    pieces.push(piece);
  }
  const { status, headers } = answer;
  return new Response([101, 204, 205, 304].includes(status) ? null : Buffer.concat(pieces), {
    status,
    headers: { 'content-type': headers.get('content-type') ?? '' },
  });
}
