/** Adds to the pages of second factors what needs a script: passkeys, and printing. */
import { enablePasskeyForms } from './passkey.ts';

enablePasskeyForms();

const print = document.querySelector<HTMLButtonElement>('button[data-print]');
if (print) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}
