import { createHash } from 'node:crypto';
import { html } from './html.ts';

/**
 * Holds the submission of a form whose script hasn't loaded yet, as on a slow connection: the script (apps/portal/src/sign-in-form.ts) sends it once
 * it can. Inline in the page, because nothing that has to be loaded would arrive in time.
 */
export const heldSubmit = html`<script>addEventListener('submit',event=>{const{dataset}=document.documentElement;if('ready'in dataset)return;event.preventDefault();dataset.asked=''})</script>`;

const script = heldSubmit.markup.slice('<script>'.length, -'</script>'.length);
/** Its source for a content security policy (CSP 3, 2.3.1). */
export const heldSubmitSource = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
