/** Adds to the pages of second factors what needs a script: passkeys, and printing. */
import { armPasskeyForms } from './passkey.ts';

armPasskeyForms();

const print = document.querySelector<HTMLButtonElement>('button[data-print]');
if (print) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}
