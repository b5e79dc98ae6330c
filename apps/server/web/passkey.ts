/** Passkeys in the browser (WebAuthn level 3): the options come from the server as JSON, the answer goes back as JSON. */

type Api = typeof PublicKeyCredential & {
  parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions;
};

const api = (): Api => PublicKeyCredential as Api;

/** Returns whether this browser can create and prove passkeys. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Makes a passkey in the device. The answer is for `verifyNewPasskey`. */
export async function createPasskey(options: unknown): Promise<string> {
  const publicKey = api().parseCreationOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}

/** Proves a passkey of the device. The answer is for `acceptPasskey`. `more`: to offer passkeys in the field for the user name. */
export async function provePasskey(options: unknown, more: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {}): Promise<string> {
  const publicKey = api().parseRequestOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.get({ publicKey, ...more }));
}

/** Options from the server: a form posted by the script, answered in JSON. */
export async function fetchOptions(address: string, csrf: string): Promise<unknown> {
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ csrf }), headers: { accept: 'application/json' } });
  // A session that has ended leads to the log in page.
  if (answer.redirected || answer.status === 401 || answer.status === 403) location.reload();
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Returns the error for the person. Browsers report NotAllowedError for everything a page must not distinguish. */
export function passkeyWords(error: unknown): string {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used: it was cancelled, took too long, or there is none for this site. You can try again.';
    case 'InvalidStateError':
      return 'This device has a passkey of your login already.';
    case 'SecurityError':
      return 'Passkeys work only at the portal’s own address. Open the portal there and try again.';
    case 'NotSupportedError':
    case 'ConstraintError':
      return 'This device cannot keep a passkey: it has to recognise you by fingerprint, face or PIN. Try another one.';
    default:
      return 'This could not be done. Check the connection and try again.';
  }
}

/**
 * Makes the passkey forms of the page work: `form[data-passkey="create" or "get"]` with the address of its options in `data-options`, a
 * hidden field `answer`, a button, and a `[data-said]` for words. Where passkeys do not work the button stays hidden and the page says so.
 */
export function enablePasskeyForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    const button = form.querySelector<HTMLButtonElement>('button:not([formaction])')!;
    const said = form.querySelector<HTMLElement>('[data-said]')!;
    if (!canUsePasskeys()) {
      said.textContent = 'This browser cannot use passkeys.';
      continue;
    }
    said.textContent = '';
    button.hidden = false;
    const answer = form.elements.namedItem('answer') as HTMLInputElement;
    form.addEventListener('submit', event => {
      if (answer.value !== '') return;
      event.preventDefault();
      button.disabled = true;
      said.textContent = 'Follow your browser or device.';
      const run = form.dataset.passkey === 'create' ? createPasskey : provePasskey;
      const csrf = (form.elements.namedItem('csrf') as HTMLInputElement).value;
      fetchOptions(form.dataset.options!, csrf)
        .then(options => run(options))
        .then(value => {
          answer.value = value;
          form.submit();
        })
        .catch((error: unknown) => {
          button.disabled = false;
          said.textContent = passkeyWords(error);
        });
    });
  }
}
