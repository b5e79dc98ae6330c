/**
 * The provider's frame of OpenID Connect Session Management 1.0, section 3.2: a client asks every two seconds whether the person it knows is
 * still the one signed in here. The message is `client_id session_state`.
 */

const cookieName = document.querySelector<HTMLMetaElement>('meta[name=cookie]')!.content;

function browserState(): string | null {
  const cookie = document.cookie.split('; ').find(part => part.startsWith(`${cookieName}=`));
  return cookie === undefined ? null : cookie.slice(cookieName.length + 1);
}

async function answer(message: unknown, origin: string): Promise<'changed' | 'unchanged' | 'error'> {
  const parts = typeof message === 'string' ? message.split(' ') : [];
  const [clientId, sessionState] = parts;
  const salt = sessionState?.split('.')[1];
  if (parts.length !== 2 || !clientId || !salt) return 'error';
  const state = browserState();
  // A frame without cookies can't know; answering "changed" would sign people out for no reason.
  if (state === null && !(await document.hasStorageAccess())) return 'error';
  const bytes = new TextEncoder().encode(`${clientId} ${origin} ${state ?? ''} ${salt}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const expected = btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return `${expected}.${salt}` === sessionState ? 'unchanged' : 'changed';
}

addEventListener('message', event => {
  if (event.source === null) return;
  void answer(event.data, event.origin)
    .catch(() => 'error')
    .then(word => event.source!.postMessage(word, { targetOrigin: event.origin }));
});
