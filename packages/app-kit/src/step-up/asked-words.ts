/** Returns what a signed act says: "Save routes of EXAMPLE-AU: add 1 route". Only for a refusal that this page got itself; what another page hands on is read by the registry. */
export function wordsOfAsked(asked: string | null): string | null {
  try {
    const bytes = Uint8Array.from(atob(asked!.split('.')[0]!.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));
    const { words } = JSON.parse(new TextDecoder().decode(bytes)) as { words?: unknown };
    return typeof words === 'string' ? words : null;
  } catch {
    return null;
  }
}
