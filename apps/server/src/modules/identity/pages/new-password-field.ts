import { type Html, html } from '../../../platform/http/html.ts';

/** Returns a field's error, shown below it. The field names it in aria-describedby as `<name>-wrong`. */
export const wrongField = (name: string, words: string | null | undefined): Html | null =>
  words ? html`<span class="wrong" id="${name}-wrong">${words}</span>` : null;

/** The field `password` where a new one is chosen: the rules are shown before, the reason after. Password managers may fill it in. */
export const newPasswordField = ({
  label,
  rules,
  wrong,
  first,
}: {
  label: string;
  rules: string;
  wrong: string | null;
  first: boolean;
}): Html =>
  html`<div class="field"><label for="password">${label}</label><span class="secret"><input class="inp" id="password" name="password" type="password" autocomplete="new-password" maxlength="1000" required${first && html` autofocus`} aria-describedby="${wrong && 'password-wrong '}password-rules"${wrong && html` aria-invalid="true"`}><button class="show" type="button" aria-controls="password" aria-pressed="false" data-show hidden>Show<span class="away"> the characters</span></button></span>${wrongField('password', wrong)}<span class="help" id="password-rules">${rules}</span></div>`;
